// Baselines: memory and Eigen.
#include "bench/baseline/baselines.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "bench/baseline/eigen_gemm.h"
#include "bench/baseline/read.h"
#include "reference/simd/backend.h"

namespace adahop::bench {
namespace {

// [begin, end) of thread i's part in whole steps of a read.
std::pair<int64_t, int64_t> part_of(int64_t size, int i, int threads) {
  const int64_t steps = size / kReadStep;
  return {steps * i / threads * kReadStep, steps * (i + 1) / threads * kReadStep};
}

template <class Body>
void in_parts(int64_t size, int threads, const Body& body) {
  if (threads == 1) return body(0, int64_t{0}, size);
#pragma omp parallel num_threads(threads)
  {
    const int i = omp_get_thread_num();
    const auto [begin, end] = part_of(size, i, omp_get_num_threads());
    body(i, begin, end);
  }
}

uint64_t plain_xor(bytes input) {
  uint64_t all = 0, word = 0;
  for (size_t i = 0; i < input.size(); i += sizeof word) {
    std::memcpy(&word, input.data() + i, sizeof word);
    all ^= word;
  }
  return all;
}

}  // namespace

std::string baseline_isa() {
  const std::string used = adahop_backend_simd_isa();
  for (const char* isa : {"avx512", "avx2"})
    if (used == isa || (used == "scalar" && adahop_backend_simd_has(isa))) return isa;
  throw failure{"the baselines need AVX2 or AVX-512, which this CPU has not"};
}

side streaming_read(bytes input, int threads) {
  const auto read = baseline_isa() == "avx512" ? read__avx512 : read__avx2;
  auto sum = std::make_shared<uint64_t>(plain_xor(input));
  const std::vector<bytes> outputs = {std::as_writable_bytes(std::span(sum.get(), 1))};
  const std::string expected = hash_of(outputs);
  const auto run = [=] {
    uint64_t all = 0;
    uint64_t* const result = &all;
    in_parts(static_cast<int64_t>(input.size()), threads, [=](int, int64_t begin, int64_t end) {
      const uint64_t part = read(input.data() + begin, end - begin);
      __atomic_xor_fetch(result, part, __ATOMIC_RELAXED);
    });
    *sum = all;
  };
  return {"streaming read, " + baseline_isa(), run, static_cast<double>(input.size()), outputs, expected};
}

side memory_copy(bytes input, int threads) {
  auto copy = std::make_shared<array<std::byte>>(static_cast<int64_t>(input.size()));
  const auto run = [=] {
    in_parts(static_cast<int64_t>(input.size()), threads, [&](int, int64_t begin, int64_t end) {
      std::memcpy(copy->data() + begin, input.data() + begin, static_cast<size_t>(end - begin));
    });
  };
  return {"memcpy", run, 2.0 * static_cast<double>(input.size()), {copy->bytes()}, hash_of({input})};
}

void plain_gemm(const float* a, const float* b, float* c, int64_t m, int64_t n, int64_t k) {
  const array<float> b_columns(k * n);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t l = 0; l < k; ++l) b_columns.data()[l * n + j] = b[j * k + l];
#pragma omp parallel for
  for (int64_t i = 0; i < m; ++i) {
    float* const out = c + i * n;
    std::fill(out, out + n, 0.0f);
    for (int64_t l = 0; l < k; ++l) {
      const float factor = a[i * k + l];
      const float* const in = b_columns.data() + l * n;
      for (int64_t j = 0; j < n; ++j) out[j] += factor * in[j];
    }
  }
}

eigen_operands::eigen_operands(int64_t rows, int64_t cols, int64_t inner)
    : m(rows),
      n(cols),
      k(inner),
      a(std::make_shared<array<float>>(m * k)),
      b(std::make_shared<array<float>>(n * k)),
      c(std::make_shared<array<float>>(m * n)) {
  fill_small_integers(a->all(), 1);
  fill_small_integers(b->all(), 2);
  plain_gemm(a->data(), b->data(), c->data(), m, n, k);
  expected = hash_of({c->bytes()});
}

side eigen_gemm(const std::string& isa, const eigen_operands& o, int threads) {
  const auto gemm = isa == "avx512" ? adahop_bench_eigen_gemm_avx512 : adahop_bench_eigen_gemm_avx2;
  const auto run = [=] { gemm(o.a->data(), o.b->data(), o.c->data(), o.m, o.n, o.k, threads); };
  const double work = static_cast<double>(o.m) * static_cast<double>(o.n) * static_cast<double>(o.k);
  return {"Eigen f32 GEMM, " + isa, run, work, {o.c->bytes()}, o.expected};
}

}  // namespace adahop::bench
