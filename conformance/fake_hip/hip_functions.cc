// The C functions of HIP that fake_hip exports: each checks its arguments and does on the CPU what HIP does on a GPU.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "conformance/fake_hip/code_object_kernels.h"
#include "conformance/fake_hip/fake_runtime.h"

#define FAKE_HIP_API extern "C" __attribute__((visibility("default")))

using namespace adahop::fake_hip;

namespace {

constexpr int kWarpSize = 87;               // hipDeviceAttributeWarpSize
constexpr size_t kPropertiesBytes = 1472;   // hipDeviceProp_tR0600
constexpr size_t kArchNameOffset = 1160;
constexpr int kHostToDevice = 1, kDeviceToHost = 2;  // hipMemcpyKind

runtime& here() { return runtime::instance(); }

const char* environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

int device_count() { return std::atoi(environment("ADAHOP_FAKE_HIP_DEVICES", "1")); }

// Every function but hipInit needs it; most need a device that is there.
int ready(int device = 0) {
  if (!here().initialised) return here().misuse(kNotInitialized, "before hipInit");
  if (device < 0 || device >= device_count()) return here().misuse(kInvalidDevice, fmt::format("device {}", device));
  return kSuccess;
}

int stream_ready(void* stream) {
  if (const int code = ready(); code != kSuccess) return code;
  return here().known_stream(stream) ? kSuccess : here().misuse(kInvalidHandle, "unknown stream");
}

const function* find_function(void* handle) {
  const std::lock_guard lock(here().mutex);
  const auto known = here().functions.find(handle);
  return known == here().functions.end() ? nullptr : known->second.get();
}

// True for an address of this process that is mapped memory. AddressSanitizer maps its shadow below kLowest, where pairs
// of small integers lie too; the memory of a program proper is above.
bool mapped(uint64_t word) {
  constexpr uint64_t kLowest = 0x1000'8000'0000, kEnd = 0x8000'0000'0000;
  if (word < kLowest || word >= kEnd) return false;
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(word / page_bytes * page_bytes), 1, &resident) == 0;
}

// An argument buffer has no types, but a word that is an address of mapped memory is no size, stride or seed: it must
// point into device memory. (A wild pointer to anything else faults in the kernel.)
int check_pointers(const function& f, const std::vector<std::byte>& args) {
  for (size_t at = 0; at + 8 <= args.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, args.data() + at, sizeof word);
    if (mapped(word) && !here().inside_allocation(reinterpret_cast<const void*>(word), 0))
      return here().misuse(kInvalidValue, fmt::format("{}: argument byte {}: an address outside device memory", f.name, at));
  }
  return kSuccess;
}

}  // namespace

FAKE_HIP_API const char* hipGetErrorName(int error) { return name_of(error); }
FAKE_HIP_API const char* hipGetErrorString(int error) { return text_of(error); }

FAKE_HIP_API int hipInit(unsigned flags) {
  return here().call(fmt::format("hipInit({})", flags), [&]() -> int {
    if (flags != 0) return here().misuse(kInvalidValue, "hipInit: flags are not 0");
    if (device_count() == 0) return kNoDevice;
    here().initialised = true;
    return kSuccess;
  });
}

FAKE_HIP_API int hipGetDeviceCount(int* count) {
  return here().call("hipGetDeviceCount()", [&] {
    if (const int code = ready(); code != kSuccess) return code;
    *count = device_count();
    return +kSuccess;
  });
}

FAKE_HIP_API int hipSetDevice(int device) {
  return here().call(fmt::format("hipSetDevice({})", device), [&] { return ready(device); });
}

FAKE_HIP_API int hipDeviceGetName(char* name, int bytes, int device) {
  return here().call(fmt::format("hipDeviceGetName({})", device), [&] {
    if (const int code = ready(device); code != kSuccess) return code;
    constexpr std::string_view kName = "fake MI350X";
    if (bytes <= static_cast<int>(kName.size())) return here().misuse(kInvalidValue, "hipDeviceGetName: too little room");
    std::memcpy(name, kName.data(), kName.size() + 1);
    return +kSuccess;
  });
}

FAKE_HIP_API int hipDeviceGetAttribute(int* value, int attribute, int device) {
  return here().call(fmt::format("hipDeviceGetAttribute({}, {})", attribute, device), [&] {
    if (const int code = ready(device); code != kSuccess) return code;
    if (attribute != kWarpSize) return here().misuse(kInvalidValue, fmt::format("attribute {}", attribute));
    *value = here().device.wave_size();
    return +kSuccess;
  });
}

FAKE_HIP_API int hipGetDevicePropertiesR0600(void* properties, int device) {
  return here().call(fmt::format("hipGetDevicePropertiesR0600({})", device), [&] {
    if (const int code = ready(device); code != kSuccess) return code;
    std::memset(properties, 0, kPropertiesBytes);
    std::strncpy(static_cast<char*>(properties) + kArchNameOffset,
                 environment("ADAHOP_FAKE_HIP_ARCH", "gfx950:sramecc+:xnack-"), 255);
    return +kSuccess;
  });
}

FAKE_HIP_API int hipModuleLoadData(void** module_out, const void* image) {
  return here().call("hipModuleLoadData()", [&]() -> int {
    if (const int code = ready(); code != kSuccess) return code;
    if (image == nullptr) return here().misuse(kInvalidValue, "hipModuleLoadData: no image");
    auto kernels = kernels_of_code_object(image);
    if (!kernels) return here().misuse(kInvalidImage, "hipModuleLoadData: not a gfx950 code object");
    auto loaded = std::make_unique<module>(module{std::move(*kernels)});
    *module_out = loaded.get();
    here().modules.emplace(loaded.get(), std::move(loaded));
    return kSuccess;
  });
}

FAKE_HIP_API int hipModuleUnload(void* unloaded) {
  return here().releasing_call("hipModuleUnload()", [&] {
    if (!here().modules.contains(unloaded)) return here().misuse(kInvalidHandle, "hipModuleUnload: unknown module");
    const int code = here().drain_all();
    std::erase_if(here().functions, [&](const auto& f) { return f.second->owner == unloaded; });
    here().modules.erase(unloaded);
    return code;
  });
}

FAKE_HIP_API int hipModuleGetFunction(void** function_out, void* from, const char* name) {
  return here().call(fmt::format("hipModuleGetFunction({})", name), [&]() -> int {
    if (const int code = ready(); code != kSuccess) return code;
    const auto m = here().modules.find(from);
    if (m == here().modules.end()) return here().misuse(kInvalidHandle, "hipModuleGetFunction: unknown module");
    const auto kernel = m->second->kernels.find(name);
    const auto on_cpu = here().device.find_kernel(name);
    if (kernel == m->second->kernels.end() || !on_cpu.ok()) return kNotFound;
    auto found = std::make_unique<function>(function{m->second.get(), name, kernel->second, on_cpu.value()});
    *function_out = found.get();
    here().functions.emplace(found.get(), std::move(found));
    return kSuccess;
  });
}

FAKE_HIP_API int hipModuleLaunchKernel(void* launched, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                       unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
                                       void** params, void** extra) {
  const function* const f = find_function(launched);
  const std::string text = fmt::format("hipModuleLaunchKernel({}, {}x{}x{}, {}x{}x{})", f != nullptr ? f->name : "?", grid_x,
                                       grid_y, grid_z, block_x, block_y, block_z);
  return here().call(text, [&]() -> int {
    if (const int code = stream_ready(stream); code != kSuccess) return code;
    if (f == nullptr) return here().misuse(kInvalidHandle, "launch of an unknown function");
    const uint64_t threads = uint64_t{block_x} * block_y * block_z;
    const uint64_t blocks = uint64_t{grid_x} * grid_y * grid_z;
    if (threads == 0 || threads > 1024 || blocks == 0 || uint64_t{grid_x} * block_x > 0xFFFFFFFFu || shared_bytes != 0)
      return here().misuse(kInvalidValue, text + ": grid, block or shared memory out of range");
    const auto key = [&](size_t i) { return reinterpret_cast<uintptr_t>(extra[i]); };
    if (params != nullptr || extra == nullptr || key(0) != 1 || key(2) != 2 || key(4) != 3)
      return here().misuse(kInvalidValue, text + ": expected extra = {BUFFER_POINTER, args, BUFFER_SIZE, &size, END}");
    const size_t bytes = *static_cast<const size_t*>(extra[3]);
    if (bytes != f->args_bytes)
      return here().misuse(kInvalidValue, fmt::format("{}: {} argument bytes, the kernel takes {}", text, bytes, f->args_bytes));
    const auto* const first = static_cast<const std::byte*>(extra[1]);
    std::vector<std::byte> args(first, first + bytes);
    if (const int code = check_pointers(*f, args); code != kSuccess) return code;
    ++here().launches;
    here().waiting[stream].push_back([=, args = std::move(args), kernel = f->kernel] {
      const adahop::status done =
          here().device.launch(kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, args.data(), args.size(), nullptr);
      return done.ok() ? +kSuccess : here().misuse(kLaunchFailure, done.message());
    });
    return kSuccess;
  });
}

FAKE_HIP_API int hipMalloc(void** memory_out, size_t bytes) {
  return here().call(fmt::format("hipMalloc({})", bytes), [&]() -> int {
    if (const int code = ready(); code != kSuccess) return code;
    if (bytes == 0) return here().misuse(kInvalidValue, "hipMalloc(0)");
    const auto memory = here().device.allocate(bytes);
    if (!memory.ok()) return kOutOfMemory;
    *memory_out = memory.value();
    here().allocations.emplace(reinterpret_cast<uintptr_t>(memory.value()), bytes);
    return kSuccess;
  });
}

FAKE_HIP_API int hipFree(void* memory) {
  return here().releasing_call("hipFree()", [&] {
    if (here().allocations.erase(reinterpret_cast<uintptr_t>(memory)) == 0)
      return here().misuse(kInvalidValue, "hipFree of what hipMalloc did not give");
    const int code = here().drain_all();
    here().device.release(memory);
    const adahop::status damage = here().device.synchronize(nullptr);
    return damage.ok() ? code : here().misuse(kLaunchFailure, damage.message());
  });
}

FAKE_HIP_API int hipMemcpy(void* target, const void* source, size_t bytes, int kind) {
  return here().call(fmt::format("hipMemcpy({}, {})", bytes, kind == kHostToDevice ? "to device" : "to host"), [&] {
    if (const int code = ready(); code != kSuccess) return code;
    if (kind != kHostToDevice && kind != kDeviceToHost) return here().misuse(kInvalidValue, "hipMemcpy: kind");
    const void* const on_device = kind == kHostToDevice ? target : source;
    const void* const on_host = kind == kHostToDevice ? source : target;
    if (bytes == 0 || !here().inside_allocation(on_device, bytes) || here().inside_allocation(on_host, 0))
      return here().misuse(kInvalidValue, fmt::format("hipMemcpy of {} bytes: size, or memory on the wrong side", bytes));
    const int code = here().drain(nullptr);
    std::memcpy(target, source, bytes);
    return code;
  });
}

FAKE_HIP_API int hipMemsetAsync(void* target, int value, size_t bytes, void* stream) {
  return here().call(fmt::format("hipMemsetAsync({}, {})", value, bytes), [&] {
    if (const int code = stream_ready(stream); code != kSuccess) return code;
    if (bytes == 0 || !here().inside_allocation(target, bytes))
      return here().misuse(kInvalidValue, fmt::format("hipMemsetAsync of {} bytes outside device memory", bytes));
    here().waiting[stream].push_back([=] {
      std::memset(target, value, bytes);
      return +kSuccess;
    });
    return +kSuccess;
  });
}

FAKE_HIP_API int hipStreamCreate(void** stream) {
  return here().call("hipStreamCreate()", [&] {
    if (const int code = ready(); code != kSuccess) return code;
    auto made = std::make_unique<int>(0);
    *stream = made.get();
    here().streams.emplace(made.get(), std::move(made));
    return +kSuccess;
  });
}

FAKE_HIP_API int hipStreamDestroy(void* stream) {
  return here().releasing_call("hipStreamDestroy()", [&] {
    if (!here().streams.contains(stream)) return here().misuse(kInvalidHandle, "hipStreamDestroy: unknown stream");
    const int code = here().drain(stream);
    here().streams.erase(stream);
    return code;
  });
}

FAKE_HIP_API int hipStreamSynchronize(void* stream) {
  return here().call("hipStreamSynchronize()", [&] {
    const int code = stream_ready(stream);
    return code != kSuccess ? code : here().drain(stream);
  });
}

FAKE_HIP_API int hipEventCreate(void** out) {
  return here().call("hipEventCreate()", [&] {
    if (const int code = ready(); code != kSuccess) return code;
    auto made = std::make_unique<event>();
    *out = made.get();
    here().events.emplace(made.get(), std::move(made));
    return +kSuccess;
  });
}

FAKE_HIP_API int hipEventRecord(void* recorded, void* stream) {
  return here().call("hipEventRecord()", [&] {
    if (const int code = stream_ready(stream); code != kSuccess) return code;
    const auto e = here().events.find(recorded);
    if (e == here().events.end()) return here().misuse(kInvalidHandle, "hipEventRecord: unknown event");
    event* const target = e->second.get();
    target->stream = stream;
    target->recorded = true;
    target->reached = false;
    here().waiting[stream].push_back([=] {
      target->at = std::chrono::steady_clock::now();
      target->reached = true;
      return +kSuccess;
    });
    return +kSuccess;
  });
}

FAKE_HIP_API int hipEventSynchronize(void* waited) {
  return here().call("hipEventSynchronize()", [&] {
    const auto e = here().events.find(waited);
    if (e == here().events.end() || !e->second->recorded)
      return here().misuse(kInvalidHandle, "hipEventSynchronize: unknown or unrecorded event");
    return here().drain(e->second->stream);
  });
}

FAKE_HIP_API int hipEventElapsedTime(float* milliseconds, void* start, void* stop) {
  return here().call("hipEventElapsedTime()", [&] {
    const auto a = here().events.find(start), b = here().events.find(stop);
    if (a == here().events.end() || b == here().events.end() || !a->second->reached || !b->second->reached)
      return here().misuse(kInvalidHandle, "hipEventElapsedTime: events that were not waited for");
    *milliseconds = std::chrono::duration<float, std::milli>(b->second->at - a->second->at).count();
    return +kSuccess;
  });
}

FAKE_HIP_API int hipEventDestroy(void* destroyed) {
  return here().releasing_call("hipEventDestroy()", [&] {
    if (!here().events.contains(destroyed)) return here().misuse(kInvalidHandle, "hipEventDestroy: unknown event");
    const int code = here().drain_all();
    here().events.erase(destroyed);
    return code;
  });
}
