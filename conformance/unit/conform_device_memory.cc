// The judge in device memory: a device whose addresses mean nothing to the host, and backends that are wrong on it.
#include "catch.h"

#include <cstdint>
#include <map>
#include <vector>

#include "conform_wrong.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

// Device addresses are host addresses with a high bit: not canonical, so that a read of one faults.
constexpr uintptr_t kDeviceBit = uintptr_t{1} << 62;

enum class fault { none, host_memory_only, nothing_copied_back, guard_touched, input_touched, no_memory };

struct device_state {
  std::map<uintptr_t, std::vector<uint8_t>> memory;
  int64_t streams = 0, calls_on_stream = 0, calls_on_default = 0;
  fault wrong = fault::none;
} device;

template <class T>
T* host_address(T* address) {
  return address == nullptr ? nullptr : reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(address) ^ kDeviceBit);
}

// The reference on the memory behind the device's addresses.
int32_t matmul(const adahop_exec* exec, const adahop_matmul_args* args) {
  adahop_exec on_host = *exec;
  on_host.memory = ADAHOP_MEMORY_HOST;
  adahop_matmul_args moved = *args;
  if (exec->memory == ADAHOP_MEMORY_DEVICE) {
    if (device.wrong == fault::host_memory_only) return ADAHOP_UNSUPPORTED;
    ++(exec->stream != nullptr ? device.calls_on_stream : device.calls_on_default);
    for (adahop_view* view : {&moved.a, &moved.b, &moved.out}) view->data = host_address(view->data);
    if (device.wrong == fault::guard_touched) static_cast<uint8_t*>(moved.out.data)[-1] ^= 1u;
    if (device.wrong == fault::input_touched) static_cast<uint8_t*>(moved.b.data)[5] ^= 1u;
  }
  return reference_table().matmul(&on_host, &moved);
}

adahop_backend device_table() {
  adahop_backend table = candidate_table();
  table.capabilities.memories |= 1u << ADAHOP_MEMORY_DEVICE;
  table.matmul = matmul;
  table.last_error = [] { return "said by the device"; };
  table.device_allocate = [](uint64_t bytes, void** memory) -> int32_t {
    if (device.wrong == fault::no_memory) return ADAHOP_OUT_OF_MEMORY;
    std::vector<uint8_t> fresh(bytes, 0xCC);
    *memory = host_address(static_cast<void*>(fresh.data()));
    device.memory.emplace(reinterpret_cast<uintptr_t>(*memory), std::move(fresh));
    return ADAHOP_OK;
  };
  table.device_release = [](void* memory) -> int32_t {
    return device.memory.erase(reinterpret_cast<uintptr_t>(memory)) == 1 ? ADAHOP_OK : ADAHOP_INVALID_ARGUMENT;
  };
  table.copy_to_device = [](void* target, const void* source, uint64_t bytes, void*) -> int32_t {
    std::memcpy(host_address(target), source, bytes);
    return ADAHOP_OK;
  };
  table.copy_to_host = [](void* target, const void* source, uint64_t bytes, void*) -> int32_t {
    if (device.wrong != fault::nothing_copied_back) std::memcpy(target, host_address(source), bytes);
    return ADAHOP_OK;
  };
  table.stream_create = [](void** stream) -> int32_t {
    ++device.streams;
    *stream = &device;
    return ADAHOP_OK;
  };
  table.stream_release = [](void*) -> int32_t {
    --device.streams;
    return ADAHOP_OK;
  };
  return table;
}

call product(bool default_stream) {
  const auto matrix = [](const char* name, int64_t rows) {
    return input_of(name, generate({source::spread, rows, 64, ADAHOP_PATTERN_NONE, ADAHOP_BF16, true}, 7, name));
  };
  call c = matmul_call(default_policy(), {1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD},
                       matrix("a", 6), matrix("b", 5), true);
  c.memory = ADAHOP_MEMORY_DEVICE;
  c.default_stream = default_stream;
  return c;
}

outcome judge_device(fault wrong, bool default_stream = false) {
  device = {};
  device.wrong = wrong;
  const outcome o = judge(product(default_stream), reference_table(), device_table(), compare_mode::bits);
  CHECK(device.memory.empty());  // whatever happened, all is given back
  CHECK(device.streams == 0);
  return o;
}

TEST_CASE("device memory and streams are the backend's own", "[judge][spec:13.7]") {
  for (const bool default_stream : {false, true}) {
    const outcome o = judge_device(fault::none, default_stream);
    CAPTURE(default_stream, o.reason);
    CHECK(o.what == verdict::passed);
    CHECK(device.calls_on_stream == (default_stream ? 0 : 1));
    CHECK(device.calls_on_default == (default_stream ? 1 : 0));
  }
}

TEST_CASE("a backend that is wrong on device memory fails", "[judge][spec:13.7][spec:1.6]") {
  const auto reason = [](fault wrong) {
    const outcome o = judge_device(wrong);
    CHECK(o.what == verdict::failed);
    return o.reason;
  };
  CHECK(reason(fault::host_memory_only) ==
        "claimed but returned ADAHOP_UNSUPPORTED (said by the device), expected ADAHOP_OK");
  CHECK(reason(fault::nothing_copied_back).find("was changed in device memory") != std::string::npos);
  CHECK(reason(fault::guard_touched) == "out: byte -1 before the output was changed");
  CHECK(reason(fault::input_touched).find("byte 5 of an input of ") == 0);
  CHECK(reason(fault::no_memory) ==
        "returned ADAHOP_OUT_OF_MEMORY (said by the device), expected ADAHOP_OK");
}

TEST_CASE("device memory that is not claimed is not covered", "[judge][spec:13.7]") {
  const outcome o = judge_candidate(product(false));
  CHECK(o.what == verdict::skipped);
  CHECK(o.missing == "device memory");
}

}  // namespace
}  // namespace adahop::conformance
