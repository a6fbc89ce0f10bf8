// The baselines do all of the work that they are timed for: every byte read, copied, multiplied, on one thread and two.
#include <cstring>

#include "bench/baseline/baselines.h"
#include "bench/baseline/read.h"
#include "bench/mx_products.h"
#include "catch.h"
#include "reference/simd/backend.h"

namespace adahop::bench {
namespace {

constexpr int64_t kBytes = 5 * kReadStep;  // parts of unequal size on two threads

std::string outcome(const side& s) {
  spoil(s.outputs);
  s.run();
  return hash_of(s.outputs);
}

array<std::byte> some_bytes() {
  array<std::byte> data(kBytes);
  for (int64_t i = 0; i < kBytes; ++i) data.data()[i] = static_cast<std::byte>(i * 37 % 251);
  return data;
}

}  // namespace

TEST_CASE("a streaming read loads every byte") {
  const array<std::byte> data = some_bytes();
  for (const int threads : {1, 2}) {
    const side read = streaming_read(data.bytes(), threads);
    CHECK(read.work == kBytes);
    CHECK(outcome(read) == read.expected);
    for (int64_t i = 0; i < kBytes; i += 61) {
      data.data()[i] ^= std::byte{1};
      CHECK(outcome(read) != read.expected);
      data.data()[i] ^= std::byte{1};
    }
  }
}

TEST_CASE("the reads of every instruction set see the same words") {
  const array<std::byte> data = some_bytes();
  if (adahop_backend_simd_has("avx512") && adahop_backend_simd_has("avx2"))
    CHECK(read__avx512(data.data(), kBytes) == read__avx2(data.data(), kBytes));
}

TEST_CASE("memcpy copies every byte and counts both directions") {
  const array<std::byte> data = some_bytes();
  for (const int threads : {1, 2}) {
    const side copy = memory_copy(data.bytes(), threads);
    CHECK(copy.work == 2 * kBytes);
    CHECK(outcome(copy) == copy.expected);
    data.data()[kBytes - 1] ^= std::byte{1};
    CHECK(outcome(copy) != copy.expected);
    data.data()[kBytes - 1] ^= std::byte{1};
  }
}

TEST_CASE("Eigen's products are those of plain loops") {
  const eigen_operands operands(70, 33, 50);
  int32_t sum = 0;
  for (int l = 0; l < 50; ++l)
    sum += static_cast<int32_t>(operands.a->data()[69 * 50 + l]) * static_cast<int32_t>(operands.b->data()[32 * 50 + l]);
  CHECK(operands.c->data()[69 * 33 + 32] == static_cast<float>(sum));
  for (const char* isa : {"avx2", "avx512"}) {
    if (!adahop_backend_simd_has(isa)) continue;
    for (const int threads : {1, 2}) CHECK(outcome(eigen_gemm(isa, operands, threads)) == operands.expected);
  }
}

TEST_CASE("the int8 product sums what the MX product's panels hold") {
  options o;
  o.quick = true;
  const session s(o);
  const mx_product p(s, 13, 40, 96);
  const int8_product plain(p);
  const side ours = plain.as_side();
  const std::string got = outcome(ours);
  CHECK(got == ours.expected);
  p.a.codes.data()[5] ^= 1;
  CHECK(outcome(ours) != ours.expected);
}

TEST_CASE("a mixed product adds its outlier rows and no others") {
  options o;
  o.quick = true;
  const session s(o);
  const mx_product p(s, 20, 33, 64);
  const mixed_product mixed(s, p, 3);
  const side ours = mixed.as_side();
  REQUIRE(outcome(ours) == ours.expected);
  const auto* const sum = reinterpret_cast<const float*>(ours.outputs[0].data());
  for (int64_t r = 0; r < 20; ++r) {
    const bool same = std::memcmp(sum + r * 33, p.by_oracle.values.data() + r * 33, 33 * sizeof(float)) == 0;
    CHECK(same == (r != 0 && r != 6 && r != 13));
  }
}

}  // namespace adahop::bench
