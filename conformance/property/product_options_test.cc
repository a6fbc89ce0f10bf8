// What must not matter to a product: threads, lane order, wave order, matrix tiles, tuned or portable kernels, optimisation
// level, and where operands and output lie in memory.
#include <fmt/format.h>

#include "catch.h"
#include "conformance/backends/registry.h"
#include "product_backends.h"
#include "product_pick.h"

using namespace adahop;
using namespace adahop::property;
namespace judging = adahop::conformance;

namespace {

// An option of a backend: the values that it may take, the first one as long as nobody sets it.
struct option {
  const char* key;
  std::vector<const char*> values;
};

// Sets each option to some value, then judges a whole product. Two threads stand for the machine's number.
void judge_under(const adahop_backend& backend, const std::vector<option>& options, int& judged) {
  std::vector<std::unique_ptr<with_option>> set;
  for (const option& o : options) {
    const auto value = static_cast<size_t>(pick_integer(o.key, 0, static_cast<int64_t>(o.values.size()) - 1));
    set.push_back(std::make_unique<with_option>(backend, o.key, o.values[value], o.values[0]));
  }
  whole_product x = pick_whole_product("x", reach::wild);
  x.rules = policy_of("gemm_model=block_rne,bf16_gemm_model=seq_fma", x.rules);
  const judging::call c = judging::matmul_call(x.rules, {x.level, x.pair.left, x.pair.right, x.path}, input_of("a", x.ab.a),
                                               input_of("b", x.ab.b), false);
  require_agreement_on(backend, c, judged);
}

// Rows repeated until there are `rows`: enough outputs that the reference shares them out (reference/parallel.h).
tensor stretched(const tensor& t, int64_t rows) {
  tensor out(t.dtype, rows, t.cols);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < t.cols; ++c) out.at(r, c) = t.at(r % t.rows, c);
  return out;
}

// The available backend of that name; null where it cannot run here.
const adahop_backend* find(std::string_view name) {
  for (const adahop_backend* b : other_backends())
    if (b->name == name) return b;
  return nullptr;
}

}  // namespace

TEST_CASE("reference: threads do not matter", "[property][spec:1.2]") {
  check_property("options: threads of the reference", 40, [] {
    whole_product x = pick_whole_product("x", reach::wild);
    x.ab = {stretched(x.ab.a, 70), stretched(x.ab.b, 90)};
    const output_bits wanted = whole(the_reference(), x);
    for (const char* threads : {"2", "3", "7"}) {
      const with_option set(the_reference(), "threads", threads, "1");
      require_same(whole(the_reference(), x), wanted, fmt::format("{} threads", threads));
    }
  });
}

TEST_CASE("hip-cpu: threads, lanes and tiles do not matter", "[property][spec:1.2][spec:13.5]") {
  const adahop_backend* const backend = find("hip-cpu");
  REQUIRE(backend != nullptr);
  int judged = 0;
  check_property("options: hip-cpu", 250, [&] {
    judge_under(*backend, {{"threads", {"2", "1", "3", "7"}}, {"lane_seed", {"0", "1", "2", "20261129"}},
                           {"mx_tile", {"16x16x128", "32x32x64"}}}, judged);
  });
  CHECK(judged > 0);
}

TEST_CASE("gfx950-sim: threads, waves, kernels, tiles and level do not matter", "[property][spec:1.2][spec:13.10]") {
  const adahop_backend* const backend = find("gfx950-sim");
  if (backend == nullptr) return;  // other_backends() has printed why
  int judged = 0;
  check_property("options: gfx950-sim", 250, [&] {
    judge_under(*backend, {{"threads", {"2", "1", "3", "7"}}, {"schedule_seed", {"0", "1", "2", "20261129"}},
                           {"mx_gemm", {"tuned", "portable"}}, {"mx_tile", {"16x16x128", "32x32x64"}}, {"level", {"O3", "O2"}}},
                judged);
  });
  CHECK(judged > 0);
}

TEST_CASE("strides and offsets do not matter, and nothing beside the output is written", "[property][spec:1.2][spec:1.6]") {
  check_property("placement: operands and output anywhere", 1000, [] {
    const whole_product x = pick_whole_product("x", reach::wild);
    whole_product plain = x;
    plain.ab.a.where = plain.ab.b.where = placement();
    const output_bits wanted = whole(the_reference(), plain);
    tensor c(x.rules.output, x.ab.a.rows, x.ab.b.rows);
    c.where = pick_placement("place of the output");
    stored_tensor a(x.ab.a), b(x.ab.b), out(c);
    const adahop_matmul_args args{&x.rules, x.level, x.pair.left, x.pair.right, x.path, a.view(), b.view(), out.view()};
    const status s = judging::caller(&the_reference()).run(args);
    require(s.code() == wanted.status, s.message());
    require(!out.is_gap_touched() && !a.is_gap_touched() && !b.is_gap_touched(), "something beside an array was written");
    require(a.read().bits == x.ab.a.bits && b.read().bits == x.ab.b.bits, "an operand was written");
    if (!s.ok()) return;
    const tensor got = out.read();
    for (size_t i = 0; i < got.bits.size(); ++i)  // BF16 bits stand in the upper half
      require_equal(x.rules.output == ADAHOP_F32 ? got.bits[i] : got.bits[i] >> 16, wanted.bits[i],
                    fmt::format("element {}", i));
  });
}
