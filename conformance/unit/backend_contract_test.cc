// What every backend refuses alike, whatever its insides: how a call runs, index lists, dimensions, non-finite operands.
#include <array>
#include <string>
#include <vector>

#include "adahop/plan.h"
#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "backend_hip_cpu.h"
#include "catch.h"
#include "reference/backend.h"

using namespace adahop;

namespace {

template <class Test>
void for_each_backend(const Test& test) {
  for (const adahop_backend* backend :
       {adahop_backend_reference(ADAHOP_ABI_VERSION), adahop_backend_hip_cpu(ADAHOP_ABI_VERSION)}) {
    INFO(backend->name);
    test(*backend);
  }
}

adahop_exec host_exec() {
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  return exec;
}

// Runs one call in host memory and expects `want`; a refusal names `says`.
template <class Args>
void expect(const adahop_backend& backend, int32_t (*entry)(const adahop_exec*, const Args*), const Args& args,
            int32_t want, const std::string& says = "") {
  const adahop_exec exec = host_exec();
  const int32_t code = entry(&exec, &args);
  const std::string message = backend.last_error();
  INFO(message);
  CHECK(code == want);
  CHECK(message.find(says) != std::string::npos);
}

struct index_list {
  std::vector<int32_t> indices;
  int32_t want;
};

// Lists over five rows.
const std::vector<index_list>& lists() {
  static const std::vector<index_list> all = {
      {{}, ADAHOP_OK},
      {{4}, ADAHOP_OK},
      {{0, 1, 2, 3, 4}, ADAHOP_OK},
      {{5}, ADAHOP_INVALID_ARGUMENT},
      {{-1}, ADAHOP_INVALID_ARGUMENT},
      {{INT32_MAX}, ADAHOP_INVALID_ARGUMENT},
      {{INT32_MIN}, ADAHOP_INVALID_ARGUMENT},
      {{1, 1}, ADAHOP_INVALID_ARGUMENT},
      {{3, 2}, ADAHOP_INVALID_ARGUMENT},
      {{0, 1, 2, 3, 4, 4}, ADAHOP_INVALID_ARGUMENT},
  };
  return all;
}

// The call must be refused from its count alone: the list behind it is null or one element long.
constexpr std::array<int64_t, 4> kBadCounts = {-1, 6, int64_t{1} << 33, INT64_MAX};

}  // namespace

TEST_CASE("a null exec, a wrong size and a number outside the enums are refused; what is unclaimed is unsupported",
          "[spec:1.7][spec:3.10][spec:13.1]") {
  const policy p = default_policy();
  const matrix<float> x(4, 64);
  mx_matrix q(4, 64);
  const adahop_quantize_args args{&p, view_of(x), view_of(q), nullptr};
  for_each_backend([&](const adahop_backend& backend) {
    const auto code = [&](auto change) {
      adahop_exec exec = host_exec();
      change(exec);
      return backend.quantize(&exec, &args);
    };
    CHECK(backend.quantize(nullptr, &args) == ADAHOP_INVALID_ARGUMENT);
    CHECK(code([](adahop_exec& e) { e.struct_size = 0; }) == ADAHOP_INVALID_ARGUMENT);
    CHECK(code([](adahop_exec& e) { e.struct_size -= 8; }) == ADAHOP_INVALID_ARGUMENT);
    CHECK(code([](adahop_exec& e) { e.struct_size += 8; }) == ADAHOP_INVALID_ARGUMENT);
    for (const int32_t wrong : {-1, 2, 7, INT32_MAX}) {
      CHECK(code([=](adahop_exec& e) { e.mode = wrong; }) == ADAHOP_INVALID_ARGUMENT);
      CHECK(code([=](adahop_exec& e) { e.memory = wrong; }) == ADAHOP_INVALID_ARGUMENT);
    }
    const adahop_capabilities& can = backend.capabilities;
    if ((can.modes >> ADAHOP_MODE_NATIVE & 1u) == 0)
      CHECK(code([](adahop_exec& e) { e.mode = ADAHOP_MODE_NATIVE; }) == ADAHOP_UNSUPPORTED);
    if ((can.memories >> ADAHOP_MEMORY_DEVICE & 1u) == 0)
      CHECK(code([](adahop_exec& e) { e.memory = ADAHOP_MEMORY_DEVICE; }) == ADAHOP_UNSUPPORTED);
    CHECK(code([](adahop_exec&) {}) == ADAHOP_OK);
  });
}

TEST_CASE("an index list is ascending, unique and in range in every operation that takes one", "[spec:3.9]") {
  const policy p = default_policy();
  const matrix<bf16> x(5, 64);
  const matrix<float> c(5, 64), turned(64, 5);
  mx_matrix q(5, 64);
  matrix<float> sum(5, 64), turned_sum(64, 5);
  for_each_backend([&](const adahop_backend& backend) {
    for (const index_list& list : lists()) {
      const auto count = static_cast<int64_t>(list.indices.size());
      CAPTURE(list.indices);
      const int32_t* const at = list.indices.data();
      expect(backend, backend.hadamard_quantize, {&p, view_of(x), at, count, view_of(q), nullptr}, list.want);
      matrix<bf16> rows(count, 64);
      expect(backend, backend.extract_outliers, {view_of(x), at, count, view_of(rows)}, list.want);
      const matrix<float> left(count, 64), right(64, count);
      expect(backend, backend.scatter_add,
             {&p, view_of(c), view_of(left), at, count, ADAHOP_SIDE_LEFT, 0, view_of(sum)}, list.want);
      expect(backend, backend.scatter_add,
             {&p, view_of(turned), view_of(right), at, count, ADAHOP_SIDE_RIGHT, 0, view_of(turned_sum)}, list.want);
    }
  });
}

TEST_CASE("a count beyond the dimension is refused before the list is read", "[spec:3.9]") {
  const policy p = default_policy();
  const matrix<bf16> x(5, 64);
  const matrix<float> c(5, 64);
  mx_matrix q(5, 64);
  matrix<float> sum(5, 64);
  const std::vector<int32_t> one = {0};  // under AddressSanitizer a read of the second element would be seen
  for_each_backend([&](const adahop_backend& backend) {
    for (const int64_t count : kBadCounts) {
      CAPTURE(count);
      constexpr int32_t kRefused = ADAHOP_INVALID_ARGUMENT;
      expect(backend, backend.hadamard_quantize, {&p, view_of(x), one.data(), count, view_of(q), nullptr}, kRefused,
             "zeroed: count");
      // Without columns no shape is too large but for the count.
      const adahop_view hollow{nullptr, ADAHOP_BF16, 0, 5, 0, 0, 1};
      adahop_view rows = hollow;
      rows.rows = count;
      expect(backend, backend.extract_outliers, {hollow, one.data(), count, rows}, kRefused);
      const adahop_view part{nullptr, ADAHOP_F32, 0, count, 0, 0, 1};
      adahop_view none = part;
      none.rows = 5;
      expect(backend, backend.scatter_add, {&p, none, part, one.data(), count, ADAHOP_SIDE_LEFT, 0, none}, kRefused);
    }
    for (const int64_t count : {1, 5})
      expect(backend, backend.hadamard_quantize, {&p, view_of(x), nullptr, count, view_of(q), nullptr},
             ADAHOP_INVALID_ARGUMENT, "zeroed");
  });
}

TEST_CASE("dimensions above 2^31 - 1 are refused even where there are no elements", "[spec:3.4]") {
  const policy p = default_policy();
  for_each_backend([&](const adahop_backend& backend) {
    for (const int64_t rows : {int64_t{1} << 31, int64_t{1} << 33, int64_t{1} << 39}) {
      CAPTURE(rows);
      constexpr int32_t kRefused = ADAHOP_INVALID_ARGUMENT;
      const adahop_view f32{nullptr, ADAHOP_F32, 0, rows, 0, 0, 1}, none{nullptr, ADAHOP_F32, 0, 0, 0, 0, 1};
      adahop_view half = f32, no_half = none;
      half.dtype = no_half.dtype = ADAHOP_BF16;
      const adahop_mx mx{nullptr, nullptr, rows, 0, 0, 0}, no_mx{nullptr, nullptr, 0, 0, 0, 0};
      expect(backend, backend.quantize, {&p, f32, mx, nullptr}, kRefused, "2^31 - 1");
      expect(backend, backend.dequantize, {&p, mx, f32}, kRefused, "2^31 - 1");
      expect(backend, backend.hadamard, {&p, f32, half}, kRefused, "2^31 - 1");
      expect(backend, backend.hadamard_quantize, {&p, f32, nullptr, 0, mx, nullptr}, kRefused, "2^31 - 1");
      adahop_pattern_result verdict{};
      expect(backend, backend.pattern, {&p, f32, nullptr, nullptr, &verdict}, kRefused, "2^31 - 1");
      expect(backend, backend.mx_gemm, {&p, mx, no_mx, f32}, kRefused, "2^31 - 1");
      expect(backend, backend.bf16_gemm, {&p, half, no_half, f32}, kRefused, "2^31 - 1");
      expect(backend, backend.scatter_add, {&p, f32, none, nullptr, 0, ADAHOP_SIDE_LEFT, 0, f32}, kRefused, "2^31 - 1");
    }
  });
}

TEST_CASE("a whole product without outputs still rejects the NaN that it quantizes", "[spec:5.15][spec:11.7]") {
  policy p = default_policy();
  p.nonfinite = ADAHOP_NONFINITE_REJECT;
  matrix<bf16> one(1, 32);
  one.at(0, 3) = {0x7FC0};
  const matrix<bf16> none(0, 32);
  for (const adahop_path path : {ADAHOP_PATH_FORWARD, ADAHOP_PATH_DW})
    for (const int level : {1, 2})
      for (const pattern_pair pair : kAllPairs)
        for (const bool left : {true, false}) {
          const adahop_view a = left ? view_of(one) : view_of(none), b = left ? view_of(none) : view_of(one);
          const adahop_view out{nullptr, p.output, 0, a.rows, b.rows, 1, 1};
          const strategy how =
              strategy_of(level, pair, path, static_cast<adahop_left_oe_on_dw>(p.left_oe_on_dw));
          // The only row of an extracted operand is an outlier, so nothing of it is quantized.
          const bool extracted = how == (left ? strategy::oe_left : strategy::oe_right);
          const int32_t want = how == strategy::bf16 || extracted ? ADAHOP_OK : ADAHOP_NONFINITE;
          CAPTURE(level, static_cast<int>(pair.left), static_cast<int>(pair.right), static_cast<int>(path), left);
          for_each_backend([&](const adahop_backend& backend) {
            expect(backend, backend.matmul, {&p, level, pair.left, pair.right, path, a, b, out}, want);
          });
        }
}

TEST_CASE("under reject only what is quantized is judged", "[spec:5.15]") {
  policy p = default_policy();
  p.nonfinite = ADAHOP_NONFINITE_REJECT;
  p.oe_k = 1;
  const matrix<bf16> clean(2, 32);
  matrix<bf16> dirty(3, 32), out(2, 3), turned_out(3, 2);
  dirty.at(1, 0) = {0x7F80};  // the row of the highest score, hence the outlier
  for_each_backend([&](const adahop_backend& backend) {
    const auto forward = [&](adahop_pattern l, adahop_pattern r, const matrix<bf16>& a, const matrix<bf16>& b,
                             matrix<bf16>& c, int32_t level, int32_t want) {
      expect(backend, backend.matmul, {&p, level, l, r, ADAHOP_PATH_FORWARD, view_of(a), view_of(b), view_of(c)}, want);
    };
    constexpr adahop_pattern kRow = ADAHOP_PATTERN_ROW, kColumn = ADAHOP_PATTERN_COLUMN, kNone = ADAHOP_PATTERN_NONE;
    forward(kNone, kNone, clean, dirty, out, 1, ADAHOP_NONFINITE);       // IHT quantizes both
    forward(kRow, kColumn, clean, dirty, out, 1, ADAHOP_OK);             // OE-right extracts the row
    forward(kRow, kColumn, dirty, clean, turned_out, 1, ADAHOP_NONFINITE);
    forward(kRow, kNone, dirty, clean, turned_out, 1, ADAHOP_OK);        // OE-left
    forward(kColumn, kColumn, clean, dirty, out, 2, ADAHOP_OK);          // BF16
  });
}

TEST_CASE("dequantize under pad=zero takes exactly the widths that extend to the file's", "[spec:3.7][spec:3.4]") {
  policy p = default_policy();
  p.pad = ADAHOP_PAD_ZERO;
  p.hadamard_size = 64;
  for_each_backend([&](const adahop_backend& backend) {
    const bool claimed = (backend.capabilities.pads >> ADAHOP_PAD_ZERO & 1u) != 0;
    for (const int64_t inner : {32, 64}) {
      const mx_matrix q(2, inner);
      for (const int64_t cols : {1, 31, 32, 33, 63, 64, 65}) {
        CAPTURE(inner, cols);
        matrix<float> out(2, cols);
        const bool fits = inner == 64 && cols <= 64;  // 32 is no multiple of the transform's 64
        expect(backend, backend.dequantize, {&p, view_of(q), view_of(out)},
               !claimed ? ADAHOP_UNSUPPORTED : fits ? ADAHOP_OK : ADAHOP_INVALID_ARGUMENT);
      }
    }
  });
}

TEST_CASE("an other operand whose transform overflows makes the MX part NaN at extracted rows too",
          "[spec:6.5][spec:11.5][spec:11.6]") {
  policy p = default_policy();
  p.oe_k = 1;
  p.output = ADAHOP_F32;
  matrix<bf16> a(3, 32), b(2, 32);
  for (int64_t k = 0; k < 32; ++k) {
    a.at(0, k) = bf16{static_cast<uint16_t>(k % 2 == 0 ? 0x4120 : 0xC120)};  // +-10: the outlier row
    a.at(1, k) = a.at(2, k) = bf16{0x3F80};
    b.at(0, k) = bf16{0x7F62};  // 3e38: finite, but 32 of them are not
    b.at(1, k) = bf16{0x3F80};
  }
  for_each_backend([&](const adahop_backend& backend) {
    matrix<float> out(3, 2);
    expect(backend, backend.matmul,
           {&p, 1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD, view_of(a), view_of(b), view_of(out)},
           ADAHOP_OK);
    for (int64_t m = 0; m < 3; ++m) CHECK(bits_of(out.at(m, 0)) == kCanonicalNan);
    CHECK(bits_of(out.at(0, 1)) == bits_of(0.0f));  // the outlier row sums to 0, its MX part is +0
  });
}
