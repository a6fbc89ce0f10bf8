// Coverage: blocks, counts of a kernel with two branches, files that are added up, and the files that are refused.
#include <fmt/format.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/basic_blocks.h"
#include "sim/coverage.h"
#include "sim/coverage_file.h"
#include "sim/coverage_report.h"
#include "sim/coverage_unreachable.h"
#include "sim_execute_support.h"

namespace adahop::hip::sim::test {
namespace {

// Two branches: the first is taken by waves above 0, the second never. A block after s_branch that nobody enters.
const std::vector<std::string> kLines = {
    "s_cmp_eq_u32 s0, 0",  // 0
    "s_cbranch_scc0 2",    // 1: to 4
    "s_mov_b32 s1, 5",     // 2
    "s_branch 2",          // 3: to 6
    "s_mov_b32 s1, 6",     // 4
    "s_nop 0",             // 5
    "s_cmp_eq_u32 s1, 7",  // 6
    "s_cbranch_scc1 1",    // 7: to 9
    "s_endpgm",            // 8
    "s_mov_b32 s2, 1",     // 9
    "s_endpgm",            // 10
};

struct counted_trial : trial {
  execution_counts counts;
  explicit counted_trial(uint32_t waves) : trial(kLines, waves * kLanes) {
    sim_kernel kernel;
    kernel.name = "forked";
    kernel.end = static_cast<uint32_t>(code.code.size());
    code.kernels = {kernel};
    code.name = "tiny";
    counts = execution_counts(code.kernels[0]);
    group.counts = &counts;
    define_scalar(0, 0);  // the wave's number
    if (const std::string why = run(); !why.empty()) FAIL(why);
  }
  kernel_coverage covered(const char* level = "O3") {
    kernel_coverage k = empty_coverage(level, code, code.kernels[0]);
    add(k, counts);
    return k;
  }
};

struct scratch_folder {
  std::string path = (std::filesystem::temp_directory_path() / ("adahop_sim_coverage_" + std::to_string(getpid()))).string();
  scratch_folder() { std::filesystem::create_directories(path); }
  ~scratch_folder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return path + "/" + name; }
};

TEST_CASE("coverage: where blocks begin", "[spec:13.11]") {
  counted_trial t(1);
  const std::vector<bool> expected = {true, false, true, false, true, false, true, false, true, true, false};
  REQUIRE(block_starts(t.code, t.code.kernels[0]) == expected);
  REQUIRE(is_conditional_branch(t.code.code[1]));
  REQUIRE_FALSE(is_conditional_branch(t.code.code[3]));
  REQUIRE_FALSE(is_conditional_branch(t.code.code[8]));
}

TEST_CASE("coverage: counts of a kernel with two branches", "[spec:13.11]") {
  counted_trial t(3);
  const kernel_coverage k = t.covered();
  std::vector<uint64_t> executed, taken;
  for (const covered_instruction& i : k.code) {
    executed.push_back(i.executed);
    taken.push_back(i.taken);
  }
  REQUIRE(executed == std::vector<uint64_t>{3, 3, 1, 1, 2, 2, 3, 3, 3, 0, 0});
  REQUIRE(taken == std::vector<uint64_t>{0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0});
  const coverage_totals totals = totals_of(k);
  REQUIRE(totals.instructions == 11);
  REQUIRE(totals.executed == 9);
  REQUIRE(totals.blocks == 6);
  REQUIRE(totals.blocks_executed == 5);
  REQUIRE(totals.branch_ways == 4);
  REQUIRE(totals.branch_ways_taken == 3);
}

TEST_CASE("coverage: the report names what was not executed", "[spec:13.11]") {
  counted_trial t(3);
  REQUIRE(coverage_text({t.covered()}) ==
          R"(level   kernel   instructions     blocks  branch ways
O3      forked           9/11        5/6          3/4
O3      all              9/11        5/6          3/4

Basic blocks never executed:
O3 forked, 124-128
     124  s_mov_b32 s2, 1
     128  s_endpgm

Branches that always went one way:
O3 forked, 11c: not taken in 3 executions: s_cbranch_scc1 1
)");
}

TEST_CASE("coverage: a kernel that was not launched is one line") {
  counted_trial t(1);
  const coverage c{empty_coverage("O3", t.code, t.code.kernels[0])};
  REQUIRE(coverage_text(c).ends_with("\nBasic blocks never executed:\nO3 forked: never launched\n"));
  REQUIRE(check_unreachable(c, {}) == std::vector<std::string>{"never launched: O3 forked"});
}

TEST_CASE("coverage: runs are added up") {
  counted_trial one(1), three(3);
  coverage all{one.covered()};
  REQUIRE(totals_of(all[0]).blocks_executed == 4);
  REQUIRE(merge(all, {three.covered(), one.covered("O2")}).ok());
  REQUIRE(all.size() == 2);
  REQUIRE(all[0].level == "O2");
  REQUIRE(all[0].code[0].executed == 1);
  REQUIRE(all[1].code[0].executed == 4);
  REQUIRE(all[1].code[1].taken == 2);
  REQUIRE(totals_of(all[1]).blocks_executed == 5);

  kernel_coverage other = one.covered();
  other.object_hash = "0123456789abcdef";
  const status refused = merge(all, {other});
  REQUIRE(refused.code() == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(refused.message().find("kernel forked, level O3: counts of another build of code object tiny") != std::string::npos);
}

TEST_CASE("coverage: two builds of a code object differ in their hash") {
  const std::byte a[] = {std::byte{1}, std::byte{2}}, b[] = {std::byte{2}, std::byte{1}};
  REQUIRE(image_hash({}) == "cbf29ce484222325");  // FNV-1a's offset basis
  REQUIRE(image_hash(a) != image_hash(b));
}

TEST_CASE("coverage: a JSON file is added to, a report is written anew") {
  const scratch_folder folder;
  counted_trial t(2);
  const std::string json = folder.file("c.json"), text = folder.file("c.txt");
  for (uint64_t runs = 1; runs <= 2; ++runs) {
    REQUIRE(write_coverage(json, {t.covered()}).ok());
    const auto read = read_coverage(json);
    REQUIRE(read.ok());
    REQUIRE(read.value().size() == 1);
    const kernel_coverage& k = read.value()[0];
    REQUIRE(k.code[0].executed == 2 * runs);
    REQUIRE(k.code[1].taken == runs);
    REQUIRE(k.code[4].starts_block);
    REQUIRE_FALSE(k.code[5].starts_block);
    REQUIRE(k.code[7].conditional);
    REQUIRE(k.code[9].address == 0x124);
    REQUIRE(k.code[9].text == "s_mov_b32 s2, 1");
    REQUIRE(k.object == "tiny");
    REQUIRE(write_coverage(text, {t.covered()}).ok());
    std::ifstream in(text);
    REQUIRE(std::string(std::istreambuf_iterator<char>(in), {}) == coverage_text({t.covered()}));
  }

  kernel_coverage other = t.covered();
  other.object_hash = "0123456789abcdef";
  const status refused = write_coverage(json, {other});
  REQUIRE(refused.code() == ADAHOP_INVALID_ARGUMENT);
  REQUIRE(refused.message().starts_with(json + ": coverage of kernel forked"));
  REQUIRE(read_coverage(json).value()[0].code[0].executed == 4);
}

TEST_CASE("coverage: what is no coverage is refused with the file's name") {
  const char* const wrong[] = {
      "{", "[]", "{}", R"({"format":"adahop-sim-coverage/2","kernels":[]})", R"({"format":"adahop-sim-coverage/1"})",
      R"({"format":"adahop-sim-coverage/1","kernels":[{"level":"O3"}]})",
      R"({"format":"adahop-sim-coverage/1","kernels":[{"level":"O3","object":"o","object_hash":"h","kernel":"k","code":[]}]})",
      R"({"format":"adahop-sim-coverage/1","kernels":[{"level":"O3","object":"o","object_hash":"h","kernel":"k",)"
      R"("code":[{"address":"xyz","text":"s_endpgm","executed":1}]}]})",
      R"({"format":"adahop-sim-coverage/1","kernels":[{"level":"O3","object":"o","object_hash":"h","kernel":"k",)"
      R"("code":[{"address":"0","text":7,"executed":1}]}]})"};
  for (const char* text : wrong) {
    INFO(text);
    const auto read = parse_coverage("f.json", text);
    REQUIRE_FALSE(read.ok());
    REQUIRE(read.why().code() == ADAHOP_BAD_FILE);
    REQUIRE(read.why().message().starts_with("f.json: "));
  }
  const scratch_folder folder;
  REQUIRE(read_coverage(folder.file("missing.json")).why().code() == ADAHOP_IO);
}

TEST_CASE("coverage: a count is an integer from 0 to 2^64 - 1 and nothing that JSON would turn into one") {
  const auto with = [](std::string_view executed, std::string_view taken) {
    return fmt::format(R"({{"format":"adahop-sim-coverage/1","kernels":[{{"level":"O3","object":"o","object_hash":"h","kernel":"k",)"
                       R"("code":[{{"address":"0","text":"s_endpgm","executed":{},"taken":{}}}]}}]}})", executed, taken);
  };
  const auto largest = parse_coverage("f.json", with("18446744073709551615", "0"));
  REQUIRE(largest.ok());
  REQUIRE(largest.value()[0].code[0].executed == UINT64_MAX);
  for (const char* count : {"-1", "1.5", "1e300", "88888888888888888882", "18446744073709551616", "true", "\"1\"", "null"}) {
    INFO(count);
    for (const std::string& text : {with(count, "0"), with("0", count)}) {
      const auto read = parse_coverage("f.json", text);
      REQUIRE_FALSE(read.ok());
      REQUIRE(read.why().code() == ADAHOP_BAD_FILE);
    }
  }
}

TEST_CASE("coverage: blocks that stay unexecuted are listed, and only those", "[spec:13.11]") {
  counted_trial t(3);
  const coverage c{t.covered()};
  const auto check = [&](std::string_view text) {
    const auto list = parse_unreachable("list", text);
    if (!list.ok()) FAIL(list.why().message());
    return check_unreachable(c, list.value());
  };
  REQUIRE(check("") == std::vector<std::string>{"never executed: O3 forked, 124-128, 's_mov_b32 s2, 1' after 's_endpgm'"});
  REQUIRE(check("# why\n\nO3 forked | s_endpgm | s_mov_b32 s2, 1 | s1 is never 7\n").empty());
  REQUIRE(check("O* f*ed | s_end* | s_mov_b32 *, 1 | s1 is never 7").empty());
  REQUIRE(check("O* f*d | s_endpgm | s_mov_b32 s[2:3], 1 | brackets are no pattern").size() == 2);
  REQUIRE(check("O2 forked | s_endpgm | s_mov_b32 s2, 1 | another level") ==
          std::vector<std::string>{"never executed: O3 forked, 124-128, 's_mov_b32 s2, 1' after 's_endpgm'",
                                   "line 1 of the list: no such block"});
  REQUIRE(check("O3 forked | s_endpgm | s_mov_b32 s2, 1 | s1 is never 7\n"
                "O3 forked | s_cbranch_scc0 2 | s_mov_b32 s1, 5 | no\n") ==
          std::vector<std::string>{"executed, but listed in line 2: O3 forked, 108-10c"});
  for (const char* wrong :
       {"O3 forked | s_endpgm | s_nop 0", "O3 | a | b | c", "O3 forked | | b | c", "O3 forked | a | b | "}) {
    INFO(wrong);
    const auto list = parse_unreachable("list", std::string("# one\n") + wrong);
    REQUIRE_FALSE(list.ok());
    REQUIRE(list.why().message().starts_with("list:2: expected LEVEL KERNEL"));
  }
}

}  // namespace
}  // namespace adahop::hip::sim::test
