// Views, owning matrices and the boundary checks of matrix arguments.
#include "reference_support.h"

using namespace adahop;

TEST_CASE("an MX tensor's storage", "[spec:3.1]") {
  mx_matrix m(3, 96);
  const adahop_mx v = view_of(m);
  CHECK(m.codes.size() == 3 * 48);
  CHECK(m.scales.size() == 3 * 3);
  CHECK(v.codes_stride == 48);
  CHECK(v.scales_stride == 3);
  CHECK(check_mx(v, "m").ok());
}

TEST_CASE("a transposed view reads the same elements", "[spec:3.3]") {
  test::generator random(1);
  matrix<float> m = test::random_f32(random, 5, 7);
  const adahop_view t = transposed(view_of(m));
  REQUIRE(t.rows == 7);
  REQUIRE(t.cols == 5);
  for (int64_t r = 0; r < 5; ++r)
    for (int64_t c = 0; c < 7; ++c) CHECK(bits_of(load(t, c, r)) == bits_of(m.at(r, c)));
}

TEST_CASE("what a view may not be", "[spec:3.4]") {
  float data[64] = {};
  const adahop_view good{data, ADAHOP_F32, 0, 4, 8, 8, 1};
  REQUIRE(check_view(good, "x").ok());
  const auto refused = [&](auto change, std::string_view says) {
    adahop_view v = good;
    change(v);
    const status s = check_view(v, "x");
    INFO(s.message());
    CHECK(s.code() == ADAHOP_INVALID_ARGUMENT);
    CHECK(s.message().find("x: ") == 0);
    CHECK(s.message().find(says) != std::string::npos);
  };
  refused([](adahop_view& v) { v.data = nullptr; }, "null");
  refused([](adahop_view& v) { v.dtype = 2; }, "dtype");
  refused([](adahop_view& v) { v.rows = -1; }, "shape");
  refused([](adahop_view& v) { v.cols = -8; }, "shape");
  refused([](adahop_view& v) { v.row_stride = 0; }, "positive");
  refused([](adahop_view& v) { v.col_stride = -1; }, "positive");
  refused([](adahop_view& v) { v.rows = v.cols = int64_t{1} << 30; }, "2^40");
  refused([](adahop_view& v) { v.rows = int64_t{1} << 30, v.row_stride = int64_t{1} << 30; }, "2^40");
  refused([](adahop_view& v) { v.rows = int64_t{1} << 31, v.cols = 0; }, "2^31 - 1");
  refused([](adahop_view& v) { v.rows = 0, v.cols = int64_t{1} << 39; }, "2^31 - 1");
  CHECK(check_view({nullptr, ADAHOP_F32, 0, INT32_MAX, 0, 0, 0}, "x").ok());
  // An empty matrix needs no memory, and a stride that is never used may be anything.
  CHECK(check_view({nullptr, ADAHOP_F32, 0, 0, 8, 8, 1}, "x").ok());
  CHECK(check_view({data, ADAHOP_F32, 0, 1, 8, 0, 1}, "x").ok());
}

TEST_CASE("what an MX matrix may not be", "[spec:3.4]") {
  mx_matrix m(4, 64);
  const adahop_mx good = view_of(m);
  REQUIRE(check_mx(good, "a").ok());
  const auto refused = [&](auto change, std::string_view says) {
    adahop_mx v = good;
    change(v);
    const status s = check_mx(v, "a");
    INFO(s.message());
    CHECK(s.code() == ADAHOP_INVALID_ARGUMENT);
    CHECK(s.message().find("a: ") == 0);
    CHECK(s.message().find(says) != std::string::npos);
  };
  refused([](adahop_mx& v) { v.codes = nullptr; }, "null");
  refused([](adahop_mx& v) { v.scales = nullptr; }, "null");
  refused([](adahop_mx& v) { v.outer = -1; }, "shape");
  refused([](adahop_mx& v) { v.inner = 48; }, "multiple of 32");
  refused([](adahop_mx& v) { v.inner = 33; }, "multiple of 32");
  refused([](adahop_mx& v) { v.codes_stride = 31; }, "strides");
  refused([](adahop_mx& v) { v.scales_stride = 1; }, "strides");
  refused([](adahop_mx& v) { v.outer = v.inner = int64_t{1} << 30; }, "2^40");
  refused([](adahop_mx& v) { v.outer = int64_t{1} << 30, v.codes_stride = int64_t{1} << 30; }, "2^40");
  refused([](adahop_mx& v) { v.outer = int64_t{1} << 31, v.inner = 0; }, "2^31 - 1");
  refused([](adahop_mx& v) { v.outer = 0, v.inner = int64_t{1} << 31; }, "2^31 - 1");
  CHECK(check_mx({nullptr, nullptr, 0, 64, 0, 0}, "a").ok());
}
