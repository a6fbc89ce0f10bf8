// Finding HIP's runtime library and its functions. Part of SPEC 13.6.
#include "device/hip/hip_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

namespace adahop::hip {
namespace {

// Text of the system or of HIP, made one line.
std::string one_line(const char* text) {
  std::string line = text == nullptr ? "no reason given" : text;
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  return line;
}

// Looks functions up and keeps the name of the first one missing.
class binder {
 public:
  explicit binder(void* library) : library_(library) {}

  template <class Function>
  void bind(Function*& slot, const char* name) {
    slot = reinterpret_cast<Function*>(dlsym(library_, name));
    if (slot == nullptr && missing_ == nullptr) missing_ = name;
  }
  template <class Function>
  bool find(Function*& slot, const char* name) {
    slot = reinterpret_cast<Function*>(dlsym(library_, name));
    return slot != nullptr;
  }
  const char* missing() const { return missing_; }

 private:
  void* library_;
  const char* missing_ = nullptr;
};

result<hip_api> bind_all(void* library, std::string file) {
  hip_api api{};
  binder b(library);
  b.bind(api.hipGetErrorName, "hipGetErrorName");
  b.bind(api.hipGetErrorString, "hipGetErrorString");
  b.bind(api.hipInit, "hipInit");
  b.bind(api.hipGetDeviceCount, "hipGetDeviceCount");
  b.bind(api.hipSetDevice, "hipSetDevice");
  b.bind(api.hipDeviceGetName, "hipDeviceGetName");
  b.bind(api.hipDeviceGetAttribute, "hipDeviceGetAttribute");
  b.bind(api.hipModuleLoadData, "hipModuleLoadData");
  b.bind(api.hipModuleUnload, "hipModuleUnload");
  b.bind(api.hipModuleGetFunction, "hipModuleGetFunction");
  b.bind(api.hipModuleLaunchKernel, "hipModuleLaunchKernel");
  b.bind(api.hipMalloc, "hipMalloc");
  b.bind(api.hipFree, "hipFree");
  b.bind(api.hipMemcpy, "hipMemcpy");
  b.bind(api.hipMemsetAsync, "hipMemsetAsync");
  b.bind(api.hipStreamCreate, "hipStreamCreate");
  b.bind(api.hipStreamDestroy, "hipStreamDestroy");
  b.bind(api.hipStreamSynchronize, "hipStreamSynchronize");
  b.bind(api.hipEventCreate, "hipEventCreate");
  b.bind(api.hipEventRecord, "hipEventRecord");
  b.bind(api.hipEventSynchronize, "hipEventSynchronize");
  b.bind(api.hipEventElapsedTime, "hipEventElapsedTime");
  b.bind(api.hipEventDestroy, "hipEventDestroy");
  // HIP 6 and 7 export the structure of release 6.0 under a name of its own; the plain name keeps that of HIP 5.
  if (b.find(api.get_properties, "hipGetDevicePropertiesR0600")) {
    api.arch_name_offset = 1160;
  } else {
    b.bind(api.get_properties, "hipGetDeviceProperties");
    api.arch_name_offset = 396;
  }
  if (b.missing() != nullptr)
    return status{ADAHOP_DEVICE, fmt::format("hip: {}: expected a HIP runtime library, it lacks {}", file, b.missing())};
  api.library = std::move(file);
  return api;
}

}  // namespace

result<hip_api> load_hip_api() {
  if (const char* named = std::getenv("ADAHOP_HIP_LIBRARY"); named != nullptr && *named != '\0') {
    void* library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return status{ADAHOP_DEVICE, fmt::format("hip: ADAHOP_HIP_LIBRARY: {}", one_line(dlerror()))};
    return bind_all(library, named);
  }
  std::string why;
  for (const char* file : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}) {
    if (void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL); library != nullptr) return bind_all(library, file);
    why = one_line(dlerror());
  }
  return status{ADAHOP_DEVICE, fmt::format("hip: no HIP runtime library (libamdhip64.so.7, .so.6, .so.5): {}", why)};
}

status hip_failure(const hip_api& api, hip_error error, const std::string& call) {
  const std::string name = one_line(api.hipGetErrorName(error));
  const std::string text = one_line(api.hipGetErrorString(error));  // HIP 5 repeats the name
  return {error == kHipErrorOutOfMemory ? ADAHOP_OUT_OF_MEMORY : ADAHOP_DEVICE,
          fmt::format("hip: {}: {} ({}){}", call, name, error, text == name ? "" : ": " + text)};
}

}  // namespace adahop::hip
