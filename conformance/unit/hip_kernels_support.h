// Calls of the backend hip-cpu for the tests of its kernels, whose expected values are worked out by hand.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "backend_hip_cpu.h"
#include "catch.h"

namespace adahop_test {

inline const adahop_backend& hip_cpu() { return *adahop_backend_hip_cpu(ADAHOP_ABI_VERSION); }

inline adahop_exec host_exec() {
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  return exec;
}

/// Calls one entry of the table; INFO carries the backend's message into a failure.
template <class Args>
int32_t call(int32_t (*entry)(const adahop_exec*, const Args*), const Args& args) {
  const adahop_exec exec = host_exec();
  return entry(&exec, &args);
}

template <class Args>
void require_ok(int32_t (*entry)(const adahop_exec*, const Args*), const Args& args) {
  const int32_t code = call(entry, args);
  INFO(hip_cpu().last_error());
  REQUIRE(code == ADAHOP_OK);
}

inline void set_option(const char* key, const char* value) { REQUIRE(hip_cpu().set_option(key, value) == ADAHOP_OK); }

/// Runs `test` under five lane orders and three thread counts, then restores the defaults.
inline void for_each_order(const std::function<void()>& test) {
  for (const char* seed : {"0", "1", "2", "12345", "18446744073709551615"})
    for (const char* threads : {"1", "2", "3"}) {
      set_option("lane_seed", seed);
      set_option("threads", threads);
      INFO("lane_seed " << seed << ", threads " << threads);
      test();
    }
  set_option("lane_seed", "0");
  set_option("threads", "2");
}

/// A BF16 whose value is exactly `v`.
inline adahop::bf16 bf16_of(float v) {
  const uint32_t bits = adahop::bits_of(v);
  REQUIRE((bits & 0xFFFFu) == 0);
  return {static_cast<uint16_t>(bits >> 16)};
}

inline std::vector<uint32_t> bits(const adahop::matrix<float>& m) {
  std::vector<uint32_t> out;
  for (const float v : m.data) out.push_back(adahop::bits_of(v));
  return out;
}
inline std::vector<uint16_t> bits(const adahop::matrix<adahop::bf16>& m) {
  std::vector<uint16_t> out;
  for (const adahop::bf16 v : m.data) out.push_back(v.bits);
  return out;
}

/// Small integers that vary with both coordinates; sums of a few thousand products of them are exact in FP32.
inline int32_t pattern_value(int64_t r, int64_t c) { return static_cast<int32_t>((5 * r + 3 * c + r * c) % 7) - 3; }

}  // namespace adahop_test
