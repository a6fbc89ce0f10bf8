// .npy files from anywhere (SPEC 12.5): what is accepted is written again and reads back equal, by bytes and by path.
#include "adahop/io/npy.h"

#include "fuzz/files.h"

using namespace adahop;

namespace {

bool same(const io::array& a, const io::array& b) {
  return a.type == b.type && a.shape == b.shape && a.bytes == b.bytes;
}

void check_accepted(const io::array& a) {
  const result<uint64_t> bytes = io::storage_bytes(io::bits_of_element(a.type), a.shape, "npy");
  fuzz::require(bytes.ok() && bytes.value() == a.bytes.size(), "an accepted array has the bytes of its shape");
  const result<std::vector<uint8_t>> written = io::encode_npy(a);
  fuzz::require(written.ok(), "an accepted array can be written: " + written.why().message());
  const result<io::array> back = io::parse_npy(written.value(), "npy");
  fuzz::require(back.ok() && same(back.value(), a), "a written array reads back equal");
  const result<matrix<float>> wide = io::matrix_f32(a, "npy");
  const result<matrix<bf16>> half = io::matrix_bf16(a, "npy");
  fuzz::check_refusal(wide.why(), "npy");
  fuzz::check_refusal(half.why(), "npy");
  fuzz::require(!(wide.ok() && half.ok()), "an array has one type");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static fuzz::memory_file file;
  const std::span<const uint8_t> bytes(data, size);
  for (const io::u2_meaning u2 : {io::u2_meaning::refused, io::u2_meaning::bf16}) {
    const result<io::array> a = io::parse_npy(std::vector<uint8_t>(data, data + size), file.path(), u2);
    fuzz::check_refusal(a.why(), file.path());
    if (a.ok()) check_accepted(a.value());
    if (bytes.empty()) continue;  // a file of 0 bytes is refused before it is parsed
    file.set(bytes);
    const result<io::array> read = io::read_npy(file.path(), u2);
    fuzz::require(read.ok() == a.ok() && read.why().message() == a.why().message(), "a path is judged as its bytes");
    if (a.ok()) fuzz::require(same(read.value(), a.value()), "a path gives what its bytes give");
  }
  return 0;
}
