// The judge of a product in mode native whose instruction was told which model to follow: bits alone count.
#include <array>

#include "adahop/formats/hd.h"
#include "catch.h"
#include "conformance/judge/native.h"

using namespace adahop;
using namespace adahop::conformance;

namespace {

constexpr uint32_t kOne = 0x3F800000u, kMinusZero = 0x80000000u, kInf = 0x7F800000u;

guarded_array output_with(const std::array<uint32_t, 4>& bits) {
  guarded_array out({"out", element::f32, 2, 2}, 0);
  const adahop_view v = out.view();
  for (int64_t i = 0; i < 4; ++i)
    static_cast<float*>(v.data)[i / 2 * v.row_stride + i % 2 * v.col_stride] = float_of(bits[static_cast<size_t>(i)]);
  return out;
}

}  // namespace

TEST_CASE("where a model is followed every output is held to its bits", "[spec:10.24]") {
  const std::array<uint32_t, 4> right{kOne, kMinusZero, kInf, kCanonicalNan};
  native_facts facts;
  facts.followed = "mfma_seq";
  facts.exact = matrix<float>(2, 2);
  for (int64_t i = 0; i < 4; ++i) facts.exact.at(i / 2, i % 2) = float_of(right[static_cast<size_t>(i)]);
  const guarded_array exact_sum = output_with({0, 0, 0, 0});
  native_share share;
  CHECK(!compare_native(exact_sum, output_with(right), facts, share));

  // The next number, the other zero, the other Inf, another NaN.
  const std::array<uint32_t, 4> wrong{kOne + 1, 0, kInf | kMinusZero, kCanonicalNan + 1};
  for (size_t i = 0; i < 4; ++i) {
    std::array<uint32_t, 4> got = right;
    got[i] = wrong[i];
    const auto found = compare_native(exact_sum, output_with(got), facts, share);
    REQUIRE(found);
    CHECK(found->where.row == static_cast<int64_t>(i / 2));
    CHECK(found->where.col == static_cast<int64_t>(i % 2));
    CHECK(found->where.count == 1);
    CHECK(found->rule.find("mfma_seq") != std::string::npos);
  }
  const auto all = compare_native(exact_sum, output_with(wrong), facts, share);
  REQUIRE(all);
  CHECK(all->where.count == 4);
  CHECK(share.total == 0);
}
