// Lists what hip_backend/sim implements, for instruction_table.sh: a line "compiler NAME" for whose code objects this build
// holds, then for each opcode, in the order of the tables, "MNEMONIC;FORM;CERTAINTY;USED", where USED says whether a kernel
// of the code objects at -O3 or -O2 has it: yes or no.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "device/hip/code_objects.h"
#include "sim/opcode.h"
#include "sim/program.h"

namespace {

using namespace adahop;
using namespace adahop::hip;

// "clang 22.1" of the compiler's line in the ELF file's .comment.
std::string compiler_of(std::span<const unsigned char> image) {
  constexpr std::string_view kMark = "clang version ";
  const auto at = std::search(image.begin(), image.end(), kMark.begin(), kMark.end());
  if (at == image.end()) return "unknown";
  const auto first = at + kMark.size();
  const auto point = std::find(first, image.end(), '.');
  const auto last = point == image.end() ? point : std::find_if(point + 1, image.end(), [](char c) { return c < '0' || c > '9'; });
  return "clang " + std::string(first, last);
}

status add_mnemonics(std::span<const code_object> objects, std::set<std::string_view>& used) {
  for (const code_object& object : objects) {
    ADAHOP_ASSIGN(program, sim::load_program(object.name, std::as_bytes(object.image)));
    for (const sim::instruction& i : program.code) used.insert(i.op->mnemonic);
  }
  return {};
}

status list() {
  std::set<std::string_view> used;
  ADAHOP_TRY(add_mnemonics(gfx950_code_objects(), used));
  ADAHOP_TRY(add_mnemonics(gfx950_code_objects_O2(), used));
  fmt::print("compiler {}\n", compiler_of(gfx950_code_objects().front().image));
  for (const sim::opcode* op : sim::all_opcodes())
    fmt::print("{};{};{};{}\n", op->mnemonic, op->form, static_cast<char>(op->known), used.contains(op->mnemonic) ? "yes" : "no");
  return {};
}

}  // namespace

int main() {
  const status s = list();
  if (s.ok()) return 0;
  fmt::print(stderr, "sim_opcodes: {}\n", s.message());
  return 1;
}
