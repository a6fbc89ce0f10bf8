// A backend with a fault is found by the differential fuzzers, described, saved, and its case can be read and explained.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "adahop/tensor.h"
#include "catch.h"
#include "conform_wrong.h"
#include "conformance/report/explain.h"
#include "conformance/suites/edge_tensors.h"
#include "fuzz/differential.h"
#include "fuzz/model_facts.h"

namespace adahop::fuzz {
namespace {

using namespace adahop::conformance;

call quantizing() {
  return quantize_call(default_policy(),
                       input_of("x", generate({source::spread, 6, 64, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, 7, "fuzz")));
}

call multiplying(const char* rules = "output=f32") {
  return mx_gemm_call(parse_policy(rules, default_policy()).value(), random_codes(7, "a", 6, 96, 120, 134, 0),
                      random_codes(7, "b", 5, 96, 120, 134, 0), ADAHOP_F32, false);
}

// Row 2, column 3: its last bit.
int32_t wrong_mx_gemm(const adahop_exec* exec, const adahop_mx_gemm_args* args) {
  const int32_t code = reference_table().mx_gemm(exec, args);
  if (code == ADAHOP_OK) static_cast<uint32_t*>(args->out.data)[2 * args->out.row_stride + 3 * args->out.col_stride] ^= 1u;
  return code;
}
int32_t wrong_quantize(const adahop_exec* exec, const adahop_quantize_args* args) {
  const int32_t code = reference_table().quantize(exec, args);
  args->out.codes[args->out.codes_stride] ^= 0x10u;  // row 1, element 1
  return code;
}
int32_t refusing_quantize(const adahop_exec*, const adahop_quantize_args*) { return ADAHOP_UNSUPPORTED; }
int32_t reaching_quantize(const adahop_exec* exec, const adahop_quantize_args* args) {
  const int32_t code = reference_table().quantize(exec, args);
  args->out.scales[-1] ^= 1u;
  return code;
}

struct scratch_folder {
  std::string path;
  scratch_folder() {
    char name[] = "/tmp/adahop_fuzz_XXXXXX";
    path = mkdtemp(name);
  }
  ~scratch_folder() { std::filesystem::remove_all(path); }
};

TEST_CASE("a backend that is the reference under another name differs in nothing", "[fuzz]") {
  const adahop_backend same = candidate_table();
  CHECK_FALSE(find_difference(quantizing(), {{&same, {}}}).has_value());
  CHECK_FALSE(find_difference(multiplying(), {{&same, {}}}).has_value());
}

TEST_CASE("one wrong bit is found, described, saved, read and explained", "[fuzz]") {
  adahop_backend faulty = candidate_table();
  faulty.mx_gemm = wrong_mx_gemm;
  faulty.quantize = wrong_quantize;
  const scratch_folder folder;
  for (const call& c : {multiplying(), quantizing()}) {
    const auto found = find_difference(c, {{&faulty, {}}});
    REQUIRE(found.has_value());
    CHECK(found->who == "candidate");
    const std::string said = text(*found);
    for (const std::string& part : {canonical_line(c.rules), std::string("candidate"), found->judged.differs->got_bits})
      CHECK(said.find(part) != said.npos);

    const auto path = save(*found, folder.path);
    REQUIRE(path.ok());
    const auto saved = read_case(path.value());
    INFO((saved.ok() ? "" : saved.why().message()));
    REQUIRE(saved.ok());
    CHECK(saved->op == c.op);
    CHECK(saved->backend == "candidate");
    const bool product = c.op == ADAHOP_OP_MX_GEMM;
    CHECK(saved->output == (product ? "out" : "codes"));
    CHECK(saved->row == (product ? 2 : 1));
    CHECK(saved->col == (product ? 3 : 1));
    const auto again = call_of(saved.value());
    REQUIRE(again.ok());
    const execution e = execute(again.value(), reference_table(), 0);
    CHECK(output_of(e, saved->output).bits(saved->row, saved->col) ==
          saved->arrays.at("expected." + saved->output).at(saved->row, saved->col));
    const auto steps = explain(saved.value());
    REQUIRE(steps.ok());
    CHECK_FALSE(steps->empty());
  }
}

TEST_CASE("a claim refused, a byte outside the output and an unclaimed thing done are found", "[fuzz][spec:1.6][spec:1.7]") {
  const auto reason_of = [](const call& c, const adahop_backend& table) {
    const auto found = find_difference(c, {{&table, {}}});
    return found ? found->judged.reason : "nothing found";
  };
  adahop_backend faulty = candidate_table();
  faulty.quantize = refusing_quantize;
  CHECK(reason_of(quantizing(), faulty).find("claimed but returned ADAHOP_UNSUPPORTED") == 0);
  faulty.quantize = reaching_quantize;
  CHECK(reason_of(quantizing(), faulty).find("scales: byte -1 before the output was changed") == 0);
  adahop_backend narrow = candidate_table();
  narrow.capabilities.gemm_models = 1u << ADAHOP_GEMM_BLOCK_RNE;
  CHECK(reason_of(multiplying("gemm_model=mfma_seq,output=f32"), narrow).find("gemm_model=mfma_seq is not claimed; returned ADAHOP_OK") == 0);
}

TEST_CASE("a reference that returns another status than SPEC demands is found", "[fuzz]") {
  call c = quantizing();
  c.expected = ADAHOP_NONFINITE;
  const auto found = find_difference(c, {});
  REQUIRE(found.has_value());
  CHECK(found->who == "reference");
}

TEST_CASE("a result that breaks certificate or bound under a model is found", "[fuzz][spec:10.22][spec:10.23]") {
  const call c = multiplying("gemm_model=mfma_seq,output=f32");
  execution ran = execute(c, reference_table(), 0);
  outcome o;
  REQUIRE(model_agrees(c, ran, o));
  CHECK(o.native.total == 30);
  auto* const values = static_cast<uint32_t*>(ran.outputs[0].data());
  values[0] ^= 0x400000u;
  CHECK_FALSE(model_agrees(c, ran, o));
  CHECK(o.what == verdict::failed);
  CHECK(o.differs.has_value());
}

TEST_CASE("a finding aborts and leaves its case where ADAHOP_FUZZ_CASES says", "[fuzz]") {
  const scratch_folder folder;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    setenv("ADAHOP_FUZZ_CASES", folder.path.c_str(), 1);
    std::signal(SIGABRT, SIG_DFL);  // not the test framework's
    adahop_backend faulty = candidate_table();
    faulty.quantize = wrong_quantize;
    require_agreement(quantizing(), {{&faulty, {}}});
    _exit(0);
  }
  int how = 0;
  REQUIRE(waitpid(child, &how, 0) == child);
  CHECK(WIFSIGNALED(how));
  size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path))
    if (entry.path().extension() == ".json") {
      ++cases;
      CHECK(read_case(entry.path().string()).ok());
    }
  CHECK(cases == 1);
}

}  // namespace
}  // namespace adahop::fuzz
