// The outputs of every kernel of kernels.def, byte by byte, against lists written out for small shapes.
#include <algorithm>
#include <set>

#include "kernels/args.h"
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

using byte_set = std::set<size_t>;

byte_set range(size_t begin, size_t count) {
  byte_set s;
  for (size_t n = 0; n < count; ++n) s.insert(begin + n);
  return s;
}
void add(byte_set& to, size_t begin, size_t count) { to.merge(range(begin, count)); }

// One allocation of 64 KiB for everything.
struct footprint_world {
  device_memory memory;
  std::byte* base = static_cast<std::byte*>(memory.allocate(64 * 1024));

  template <class T>
  T* at(size_t offset) {
    return reinterpret_cast<T*>(base + offset);
  }
  template <class Args>
  byte_set of(std::string_view kernel, const Args& args, extent3 grid = {}) {
    INFO(kernel);
    const auto made = output_footprint::of(kernel, std::as_bytes(std::span(&args, 1)), grid, memory.list());
    REQUIRE(made.ok());
    REQUIRE(made.value().has_value());
    byte_set found;
    const byte_bitmap* map = made.value()->find(1);
    for (size_t n = 0; map != nullptr && n < 64 * 1024; ++n)
      if (map->first_unset(n, 1) != n) found.insert(n);
    return found;
  }
};

}  // namespace

TEST_CASE("outputs of the quantizing kernels: codes, scales, partials") {
  footprint_world w;
  quantize_args q{};
  q.out = {w.at<uint8_t>(1000), w.at<uint8_t>(5000), 40, 3, 0};
  q.grid = {3, 2, 64, 0, 1};
  byte_set expected;
  for (size_t row = 0; row < 3; ++row) {
    add(expected, 1000 + 40 * row, 32);
    add(expected, 5000 + 3 * row, 2);
  }
  for (const char* kernel : {"quantize_f32", "quantize_bf16", "quantize_stochastic_f32", "quantize_stochastic_bf16",
                             "quantize_sr_f32", "quantize_sr_bf16"})
    CHECK(w.of(kernel, q, {1, 1, 1}) == expected);

  q.partials = w.at<quantize_partial>(8000);
  add(expected, 8000, 6 * 16);
  CHECK(w.of("quantize_f32", q, {2, 3, 1}) == expected);
  const hadamard_quantize_args h{q, {}, nullptr, 0, 0};
  for (const char* kernel : {"hadamard_quantize_f32", "hadamard_quantize_bf16", "hadamard_quantize_stochastic_f32",
                             "hadamard_quantize_stochastic_bf16", "hadamard_quantize_sr_f32", "hadamard_quantize_sr_bf16"})
    CHECK(w.of(kernel, h, {2, 3, 1}) == expected);
}

TEST_CASE("outputs of the quantizing kernels: shuffled scales") {
  footprint_world w;
  quantize_args q{};
  // 33 rows, 9 blocks: P = 64 rows, Q = 16 blocks.
  q.out = {w.at<uint8_t>(0), w.at<uint8_t>(32768), 144, 0, 9};
  q.grid = {33, 9, 288, 0, 2};
  const byte_set found = w.of("quantize_f32", q, {2, 2, 1});
  byte_set scales(found.lower_bound(32768), found.end());
  CHECK(scales.size() == 33 * 9);
  CHECK(*scales.rbegin() < 32768 + 64 * 16);
  const auto has = [&](size_t offset) { return scales.count(32768 + offset) == 1; };
  CHECK(has(0));                 // row 0, block 0
  CHECK(has(4));                 // row 1
  CHECK(has(1));                 // row 16: the odd half
  CHECK(has(64));                // block 1
  CHECK(has(2));                 // block 4
  CHECK(has(256));               // block 8
  CHECK(has(512));               // row 32
  CHECK(has(512 + 256));         // row 32, block 8
  CHECK_FALSE(has(256 + 64));    // block 9 is padding
  CHECK_FALSE(has(512 + 4));     // and so is row 33
}

TEST_CASE("outputs of the other kernels") {
  footprint_world w;
  const matrix_out rows = {w.at<void>(256), 10, 1, 0, 0}, columns = {w.at<void>(256), 1, 7, 1, 0},
                   scattered = {w.at<void>(256), 20, 3, 1, 0};
  byte_set f32_rows, bf16_columns, bf16_scattered;
  for (size_t r = 0; r < 4; ++r) add(f32_rows, 256 + 4 * 10 * r, 4 * 5);      // 4 x 5
  for (size_t c = 0; c < 5; ++c) add(bf16_columns, 256 + 2 * 7 * c, 2 * 4);   // 4 x 5, row_stride 1
  for (size_t r = 0; r < 4; ++r)
    for (size_t c = 0; c < 5; ++c) add(bf16_scattered, 256 + 2 * (20 * r + 3 * c), 2);

  for (const char* kernel : {"mx_gemm_16x16x128", "mx_gemm_32x32x64", "tuned_mx_gemm", "tuned_mx_gemm_native"}) {
    CHECK(w.of(kernel, mx_gemm_args{{}, {}, rows, 4, 5, 1}) == f32_rows);
    CHECK(w.of(kernel, mx_gemm_args{{}, {}, columns, 4, 5, 1}) == bf16_columns);
    CHECK(w.of(kernel, mx_gemm_args{{}, {}, scattered, 4, 5, 1}) == bf16_scattered);
  }
  for (const char* kernel : {"mx_gemm_native_16x16x128", "mx_gemm_native_32x32x64"})
    CHECK(w.of(kernel, mx_gemm_native_args{{{}, {}, rows, 4, 5, 1}, {}}) == f32_rows);
  CHECK(w.of("bf16_gemm", bf16_gemm_args{{}, {}, scattered, 4, 5, 1}) == bf16_scattered);
  CHECK(w.of("scatter_add", scatter_add_args{{}, {}, nullptr, columns, 4, 5, 0, 0}) == bf16_columns);
  CHECK(w.of("gather_outliers", gather_outliers_args{{}, columns, nullptr, 5}, {4, 1, 1}) == bf16_columns);

  byte_set transformed;
  for (size_t r = 0; r < 2; ++r) add(transformed, 256 + 4 * 70 * r, 4 * 64);
  const hadamard_args h{{}, {w.at<void>(256), 70, 1, 0, 0}, {2, 2, 40, 0, 1}, {}};
  CHECK(w.of("hadamard_f32", h) == transformed);
  CHECK(w.of("hadamard_bf16", h) == transformed);
  byte_set decoded;
  for (size_t r = 0; r < 2; ++r) add(decoded, 256 + 4 * 70 * r, 4 * 40);
  CHECK(w.of("dequantize", dequantize_args{{}, h.out, h.grid}) == decoded);

  CHECK(w.of("quantize_report", quantize_report_args{nullptr, 3, w.at<quantize_partial>(64)}) == range(64, 16));
  CHECK(w.of("hadamard_signs", hadamard_signs_args{0, w.at<uint32_t>(64), 5}) == range(64, 20));
  CHECK(w.of("line_variance_f32", line_variance_args{{}, w.at<double>(64), 3, 9}) == range(64, 24));
  CHECK(w.of("line_variance_bf16", line_variance_args{{}, w.at<double>(64), 3, 9}) == range(64, 24));
  CHECK(w.of("foid_score_f32", foid_score_args{{}, w.at<float>(64), 3, 9, 32, 0}) == range(64, 12));
  CHECK(w.of("foid_score_bf16", foid_score_args{{}, w.at<float>(64), 3, 9, 32, 0}) == range(64, 12));
  CHECK(w.of("select_rank", select_rank_args{nullptr, w.at<int32_t>(64), 3, 1}) == range(64, 12));
  // 33 x 9 scale bytes: 64 x 16 with their padding.
  CHECK(w.of("shuffle_scales", shuffle_scales_args{nullptr, 9, w.at<uint32_t>(64), 33, 9, 1}) == range(64, 1024));
}

TEST_CASE("outputs that follow from data") {
  footprint_world w;
  const int32_t selected[] = {0, 1, 1, 0, 1};
  REQUIRE(w.memory.copy_in(w.at<void>(512), selected, sizeof selected).ok());
  CHECK(w.of("select_compact", select_compact_args{w.at<int32_t>(512), w.at<int32_t>(64), 5}) == range(64, 12));
  const int32_t indices[] = {1, 7, 8};
  REQUIRE(w.memory.copy_in(w.at<void>(512), indices, sizeof indices).ok());
  byte_set positions = range(64 + 4, 4);
  add(positions, 64 + 28, 8);
  CHECK(w.of("mark_positions", mark_positions_args{w.at<int32_t>(512), w.at<int32_t>(64), 3}) == positions);
}

TEST_CASE("outputs of a product with outliers: the matrix and the lines of the outlier part") {
  footprint_world w;
  const int32_t positions[] = {0, 2, 0, 1, 0};
  REQUIRE(w.memory.copy_in(w.at<void>(512), positions, sizeof positions).ok());
  outlier_gemm_args args{{{}, {}, {w.at<void>(4096), 5, 1, 0, 0}, 4, 5, 1}, {}, {}, w.at<int32_t>(512), w.at<float>(8192),
                         0, 1, 0};
  byte_set expected = range(4096, 4 * 4 * 5);
  add(expected, 8192, 4 * 5 * 2);  // rows 1 and 3 of four, parts of 5 elements
  for (const char* kernel : {"tuned_outlier_gemm", "tuned_outlier_gemm_native"}) {
    args.by_rows = 1;
    CHECK(w.of(kernel, args) == expected);
    args.by_rows = 0;
    byte_set by_columns = range(4096, 4 * 4 * 5);
    add(by_columns, 8192, 4 * 4 * 2);
    CHECK(w.of(kernel, args) == by_columns);
  }
}

TEST_CASE("kernels that nobody knows, arguments that do not fit, memory that is not there") {
  footprint_world w;
  const mx_gemm_args args{{}, {}, {w.at<void>(0), 10, 1, 0, 0}, 4, 5, 1};
  const auto bytes = std::as_bytes(std::span(&args, 1));
  const auto unknown = output_footprint::of("somebody_elses_gemm", bytes, {}, w.memory.list());
  REQUIRE(unknown.ok());
  CHECK_FALSE(unknown.value().has_value());
  const auto wrong = output_footprint::of("bf16_gemm", bytes.first(8), {}, w.memory.list());
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(wrong.why().message() ==
        fmt::format("kernel bf16_gemm: 8 bytes of arguments, expected {}", sizeof(bf16_gemm_args)));
  // Huge shapes end at the allocation's end: 1638 rows of 40 bytes lie in it.
  const matrix_out out{w.at<void>(0), 10, 1, 0, 0};
  const byte_set found = w.of("tuned_mx_gemm", mx_gemm_args{{}, {}, out, int64_t{1} << 40, 5, 1});
  CHECK(found.size() == 1638 * 20);
}

}  // namespace adahop::hip::sim::test
