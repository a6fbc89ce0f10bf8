// Device, modules, memory, launches and timing through HIP. Implements SPEC 13.6.
#include "device/hip/hip_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace adahop::hip {

template <class... Values>
status HipDevice::checked(hip_error error, std::string_view format, const Values&... values) const {
  if (error == kHipSuccess) return {};
  return hip_failure(api_, error, fmt::format(fmt::runtime(format), values...));
}

result<std::unique_ptr<HipDevice>> HipDevice::open(std::span<const code_object> objects,
                                                   std::span<const hip_kernel_shape> kernels) {
  if (objects.empty()) return status{ADAHOP_DEVICE, "hip: built without gfx950 code objects (it takes clang-22)"};
  result<hip_api> api = load_hip_api();
  if (!api.ok()) return api.why();
  std::unique_ptr<HipDevice> device(new HipDevice(std::move(api).value()));
  ADAHOP_TRY(device->check_device());
  ADAHOP_TRY(device->load(objects, kernels));
  return device;
}

HipDevice::~HipDevice() {
  // Nobody is left to be told of a failure.
  for (void* event : {timer_start_, timer_stop_})
    if (event != nullptr) static_cast<void>(api_.hipEventDestroy(event));
  for (void* module : modules_) static_cast<void>(api_.hipModuleUnload(module));
}

status HipDevice::check_device() {
  // Without a GPU, HIP 5 says "invalid device" and later ones say "no device" or count 0.
  if (const hip_error error = api_.hipInit(0); error == kHipErrorNoDevice || error == kHipErrorInvalidDevice)
    return {ADAHOP_DEVICE, fmt::format("hip: no device, {} shows none ({})", api_.library, api_.hipGetErrorName(error))};
  else
    ADAHOP_TRY(checked(error, "hipInit(0)"));
  int count = 0;
  ADAHOP_TRY(checked(api_.hipGetDeviceCount(&count), "hipGetDeviceCount()"));
  if (count <= kDevice) return {ADAHOP_DEVICE, fmt::format("hip: no device, {} shows none", api_.library)};
  ADAHOP_TRY(make_current());

  std::array<char, 256> name{};
  ADAHOP_TRY(checked(api_.hipDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, kDevice),
                     "hipDeviceGetName(device {})", kDevice));
  std::vector<char> properties(kHipPropertiesBytes);
  ADAHOP_TRY(checked(api_.get_properties(properties.data(), kDevice), "hipGetDeviceProperties(device {})", kDevice));
  properties.back() = '\0';
  const std::string_view features = properties.data() + api_.arch_name_offset;  // "gfx950:sramecc+:xnack-"
  const std::string_view arch = features.substr(0, features.find(':'));
  if (arch != "gfx950")
    return {ADAHOP_DEVICE, fmt::format("hip: device {} is {}, these kernels are built for gfx950", kDevice, arch)};
  int lanes = 0;
  ADAHOP_TRY(checked(api_.hipDeviceGetAttribute(&lanes, kHipDeviceAttributeWarpSize, kDevice),
                     "hipDeviceGetAttribute(warp size, device {})", kDevice));
  if (lanes != kWaveLanes)
    return {ADAHOP_DEVICE, fmt::format("hip: device {} has waves of {} lanes, these kernels are built for {}", kDevice,
                                       lanes, kWaveLanes)};
  description_ = fmt::format("{} ({}) through {}", name.data(), features, api_.library);
  return {};
}

status HipDevice::load(std::span<const code_object> objects, std::span<const hip_kernel_shape> kernels) {
  for (const code_object& object : objects) {
    void* module = nullptr;
    ADAHOP_TRY(checked(api_.hipModuleLoadData(&module, object.image.data()), "hipModuleLoadData({}, {} bytes)", object.name,
                       object.image.size()));
    modules_.push_back(module);
    for (const std::string_view name : object.kernels) {
      const auto shape = std::ranges::find(kernels, name, &hip_kernel_shape::name);
      if (shape == kernels.end()) continue;
      void* function = nullptr;
      const hip_error found = api_.hipModuleGetFunction(&function, module, std::string(name).c_str());
      if (found == kHipErrorNotFound && !shape->required) continue;
      ADAHOP_TRY(checked(found, "hipModuleGetFunction({}, {})", object.name, name));
      kernels_.push_back({*shape, function});
    }
  }
  for (const hip_kernel_shape& shape : kernels)
    if (shape.required) ADAHOP_TRY(find_kernel(shape.name).why());
  return {};
}

status HipDevice::make_current() const {
  return checked(api_.hipSetDevice(kDevice), "hipSetDevice({})", kDevice);
}

result<void*> HipDevice::allocate(size_t bytes) {
  ADAHOP_TRY(make_current());
  void* memory = nullptr;
  ADAHOP_TRY(checked(api_.hipMalloc(&memory, bytes), "hipMalloc({} bytes)", bytes));
  return memory;
}

void HipDevice::release(void* memory) {
  if (memory == nullptr) return;
  if (status s = checked(api_.hipFree(memory), "hipFree({})", memory); !s.ok()) release_failure_ = std::move(s);
}

status HipDevice::copy(void* target, const void* source, size_t bytes, int kind, std::string_view direction,
                       void* stream) const {
  if (bytes == 0) return {};
  ADAHOP_TRY(make_current());
  // Not hipMemcpyAsync: when waiting for that fails, it may still be at work on host memory that is about to go.
  ADAHOP_TRY(checked(api_.hipStreamSynchronize(stream), "hipStreamSynchronize() before a copy {}", direction));
  return checked(api_.hipMemcpy(target, source, bytes, kind), "hipMemcpy({} bytes {})", bytes, direction);
}

status HipDevice::copy_to_device(void* target, const void* source, size_t bytes, void* stream) {
  return copy(target, source, bytes, kHipMemcpyHostToDevice, "to the device", stream);
}

status HipDevice::copy_to_host(void* target, const void* source, size_t bytes, void* stream) {
  return copy(target, source, bytes, kHipMemcpyDeviceToHost, "to the host", stream);
}

status HipDevice::fill_zero(void* target, size_t bytes, void* stream) {
  if (bytes == 0) return {};
  ADAHOP_TRY(make_current());
  return checked(api_.hipMemsetAsync(target, 0, bytes, stream), "hipMemsetAsync({} bytes)", bytes);
}

result<void*> HipDevice::create_stream() {
  ADAHOP_TRY(make_current());
  void* stream = nullptr;
  ADAHOP_TRY(checked(api_.hipStreamCreate(&stream), "hipStreamCreate()"));
  return stream;
}

status HipDevice::release_stream(void* stream) {
  ADAHOP_TRY(make_current());
  // Destroying a stream does not wait for it.
  const status done = checked(api_.hipStreamSynchronize(stream), "hipStreamSynchronize() before a stream goes");
  const status gone = checked(api_.hipStreamDestroy(stream), "hipStreamDestroy()");
  return done.ok() ? gone : done;
}

result<kernel_handle> HipDevice::find_kernel(std::string_view name) {
  for (const loaded_kernel& kernel : kernels_)
    if (kernel.shape.name == name) return kernel_handle{&kernel};
  return status{ADAHOP_INTERNAL, fmt::format("hip: no kernel {} among the {} loaded", name, kernels_.size())};
}

status HipDevice::launch(kernel_handle handle, extent3 grid, extent3 block, const void* args, size_t args_bytes,
                         void* stream) {
  const auto& kernel = *static_cast<const loaded_kernel*>(handle.token);
  const hip_kernel_shape& shape = kernel.shape;
  if (block.x != shape.threads || block.y != 1 || block.z != 1)
    return {ADAHOP_INTERNAL, fmt::format("hip: launch of {} with blocks ({},{},{}), expected ({},1,1)", shape.name, block.x,
                                         block.y, block.z, shape.threads)};
  if (args_bytes != shape.args_bytes)
    return {ADAHOP_INTERNAL,
            fmt::format("hip: launch of {} with {} argument bytes, expected {}", shape.name, args_bytes, shape.args_bytes)};
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return {};
  ADAHOP_TRY(make_current());
  // The kernel's one by-value struct is its whole argument buffer; HIP copies it during the call.
  size_t bytes = args_bytes;
  void* extra[] = {kHipLaunchParamBufferPointer, const_cast<void*>(args), kHipLaunchParamBufferSize, &bytes, kHipLaunchParamEnd};
  return checked(api_.hipModuleLaunchKernel(kernel.function, grid.x, grid.y, grid.z, block.x, block.y, block.z, 0, stream,
                                            nullptr, extra),
                 "hipModuleLaunchKernel({}, grid {} x {} x {}, {} threads)", shape.name, grid.x, grid.y, grid.z, block.x);
}

status HipDevice::synchronize(void* stream) {
  ADAHOP_TRY(make_current());
  ADAHOP_TRY(checked(api_.hipStreamSynchronize(stream), "hipStreamSynchronize()"));
  return std::exchange(release_failure_, {});
}

status HipDevice::start_timer(void* stream) {
  ADAHOP_TRY(make_current());
  for (void** event : {&timer_start_, &timer_stop_})
    if (*event == nullptr) ADAHOP_TRY(checked(api_.hipEventCreate(event), "hipEventCreate()"));
  return checked(api_.hipEventRecord(timer_start_, stream), "hipEventRecord(start)");
}

result<double> HipDevice::stop_timer(void* stream) {
  if (timer_stop_ == nullptr) return status{ADAHOP_INTERNAL, "hip: stop_timer() without start_timer()"};
  ADAHOP_TRY(make_current());
  ADAHOP_TRY(checked(api_.hipEventRecord(timer_stop_, stream), "hipEventRecord(stop)"));
  ADAHOP_TRY(checked(api_.hipEventSynchronize(timer_stop_), "hipEventSynchronize(stop)"));
  float milliseconds = 0;
  ADAHOP_TRY(checked(api_.hipEventElapsedTime(&milliseconds, timer_start_, timer_stop_), "hipEventElapsedTime()"));
  return static_cast<double>(milliseconds);
}

}  // namespace adahop::hip
