// The kernel language on the CPU (hip-cpu): what kernels/ and arch/portable/ are written in, checked at run time.
// Implements SPEC 13.4, 13.5.
//
//   ADAHOP_KERNEL(scale, scale_args, 256) {
//     ADAHOP_SHARED(float, tile, 256);
//     tile.at(thread_x()) = args.in[block_x() * 256 + thread_x()];
//     ADAHOP_BARRIER();
//     args.out[block_x() * 256 + thread_x()] = 2.0f * tile.at(255 - thread_x());
//   }
//
// defines the constant `adahop_cpu_kernel_scale` (cpu_kernel: name, entry, threads, argument bytes). A table of
// kernels declares what it lists with ADAHOP_DECLARE_CPU_KERNEL(scale), names it ADAHOP_CPU_KERNEL(scale), and is
// given to CpuDevice.
//
// What to know when writing kernels:
// - Locals must be trivially destructible, and a thread has 64 KiB of stack.
// - `name.at(i)` is a checked element: convert it (`const float v = tile.at(i);`), do not keep it (`auto`).
// - A wave operation names its place in the source. Lanes that diverge wait for each other as far as they can: those
//   at the earlier line go first. Reading a lane that is not at the same place is a fault.
// - Races are judged by element, also where threads use different members of one.
// - Neither wave operations nor the order of lanes orders shared memory: only ADAHOP_BARRIER does.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "device/cpu/block_execution.h"
#include "device/cpu/kernel.h"
#include "device/cpu/shared_array.h"

#define ADAHOP_DEVICE_FN inline

#define ADAHOP_KERNEL(name, args_struct, threads_per_block)                                                   \
  static void adahop_cpu_body_##name(const args_struct& args);                                                \
  static void adahop_cpu_entry_##name(const void* args) {                                                     \
    adahop_cpu_body_##name(*static_cast<const args_struct*>(args));                                           \
  }                                                                                                           \
  static_assert((threads_per_block) % ::adahop::hip::kWave == 0 && (threads_per_block) > 0 &&                 \
                (threads_per_block) <= ::adahop::hip::cpu::kMaxThreads);                                      \
  static_assert(::std::is_trivially_copyable_v<args_struct>);                                                 \
  extern "C" {                                                                                                \
  extern const ::adahop::hip::cpu_kernel adahop_cpu_kernel_##name;                                            \
  }                                                                                                           \
  constinit const ::adahop::hip::cpu_kernel adahop_cpu_kernel_##name{#name, &adahop_cpu_entry_##name,         \
                                                                     (threads_per_block), sizeof(args_struct)}; \
  static void adahop_cpu_body_##name([[maybe_unused]] const args_struct& args)

#define ADAHOP_DECLARE_CPU_KERNEL(name) extern "C" const ::adahop::hip::cpu_kernel adahop_cpu_kernel_##name
#define ADAHOP_CPU_KERNEL(name) adahop_cpu_kernel_##name

#define ADAHOP_SHARED(type, name, count)                                                                     \
  static constexpr ::adahop::hip::cpu::shared_declaration adahop_shared_##name{#name, sizeof(type), (count), \
                                                                               __FILE__, __LINE__};          \
  const ::adahop::hip::cpu::shared_array<type> name(adahop_shared_##name)

#define ADAHOP_BARRIER() ::adahop::hip::cpu::running_block->barrier({__FILE__, __LINE__})

namespace adahop::hip {

using cpu::shared_array;

inline constexpr int kWave = static_cast<int>(cpu::kWaveLanes);

inline uint32_t thread_x() { return cpu::running_block->thread; }
inline uint32_t block_x() { return cpu::running_block->block_x; }
inline uint32_t block_y() { return cpu::running_block->block_y; }
inline uint32_t lane() { return thread_x() % cpu::kWaveLanes; }

/// What the lanes of a wave deposited in one operation.
template <class T>
class wave_deposits {
 public:
  wave_deposits(cpu::block_execution& block, cpu::source_site site) : block_(block), site_(site) {}
  /// Lane `lane`'s deposit, valid until the calling lane's next wave operation.
  const T& operator()(uint32_t lane) const { return *reinterpret_cast<const T*>(block_.deposit_of(lane, site_)); }

 private:
  cpu::block_execution& block_;
  cpu::source_site site_;
};

/// Every live lane of the wave deposits `mine`; then f(get) runs in each, get(l) being lane l's deposit. Returns what
/// f returns.
template <class T, class F>
decltype(auto) wave_op(const T& mine, F&& f, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= cpu::kDepositBytes && alignof(T) <= 64);
  cpu::block_execution& block = *cpu::running_block;
  const cpu::source_site site{file, static_cast<uint32_t>(line)};
  std::memcpy(block.deposit(), &mine, sizeof(T));
  block.wait_for_wave(site);
  return std::forward<F>(f)(wave_deposits<T>(block, site));
}

/// Lane `source_lane`'s `v`.
template <class T>
T shfl(T v, uint32_t source_lane, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  return wave_op(v, [=](const auto& get) -> T { return get(source_lane); }, file, line);
}

/// The `v` of the lane whose number differs from the caller's in the bits of `mask`.
template <class T>
T shfl_xor(T v, uint32_t mask, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return shfl(v, lane() ^ mask, file, line);
}

/// Bit l is lane l's predicate; ended lanes count as false.
inline uint64_t ballot(bool predicate, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  cpu::block_execution& block = *cpu::running_block;
  const cpu::source_site site{file, static_cast<uint32_t>(line)};
  const uint32_t vote = predicate ? 1 : 0;
  std::memcpy(block.deposit(), &vote, sizeof vote);
  block.wait_for_wave(site);
  return block.ballot(site);
}

}  // namespace adahop::hip
