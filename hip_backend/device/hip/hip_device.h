// HipDevice: an AMD gfx950 GPU through the module API of HIP's runtime library, loaded at run time, with the code objects
// that this build embedded. Implements SPEC 13.6.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device/hip/code_objects.h"
#include "device/hip/hip_api.h"

namespace adahop::hip {

/// What a kernel must be launched with.
struct hip_kernel_shape {
  std::string_view name;
  uint32_t threads;
  size_t args_bytes;
  bool required = true;  ///< else find_kernel() refuses it where the runtime does not find it
};

/// Device 0 of those that HIP shows (HIP_VISIBLE_DEVICES chooses). Each call makes it the calling thread's current
/// device. Not for several threads at once. Every failure is one line "hip: CALL: ERROR (NUMBER): TEXT".
class HipDevice final : public device {
 public:
  /// Loads the library, checks the device, loads `objects` and finds every one of `kernels` that is required in them; both stay the
  /// caller's and outlive the device. ADAHOP_DEVICE with one line when something is missing or is not gfx950.
  static result<std::unique_ptr<HipDevice>> open(std::span<const code_object> objects,
                                                 std::span<const hip_kernel_shape> kernels);
  ~HipDevice() override;

  std::string_view description() const override { return description_; }
  int wave_size() const override { return kWaveLanes; }

  result<void*> allocate(size_t bytes) override;
  void release(void* memory) override;
  status copy_to_device(void* target, const void* source, size_t bytes, void* stream) override;
  status copy_to_host(void* target, const void* source, size_t bytes, void* stream) override;
  status fill_zero(void* target, size_t bytes, void* stream) override;
  result<void*> create_stream() override;
  status release_stream(void* stream) override;
  result<kernel_handle> find_kernel(std::string_view name) override;
  status launch(kernel_handle kernel, extent3 grid, extent3 block, const void* args, size_t args_bytes,
                void* stream) override;
  status synchronize(void* stream) override;
  status start_timer(void* stream) override;
  result<double> stop_timer(void* stream) override;

 private:
  static constexpr int kDevice = 0;
  static constexpr int kWaveLanes = 64;

  struct loaded_kernel {
    hip_kernel_shape shape;
    void* function;
  };

  explicit HipDevice(hip_api api) : api_(std::move(api)) {}
  status check_device();
  status load(std::span<const code_object> objects, std::span<const hip_kernel_shape> kernels);
  status make_current() const;
  status copy(void* target, const void* source, size_t bytes, int kind, std::string_view direction, void* stream) const;

  /// Ok, or the error with the text of the call, formatted only then.
  template <class... Values>
  status checked(hip_error error, std::string_view format, const Values&... values) const;

  hip_api api_;
  std::string description_;
  std::vector<void*> modules_;
  std::vector<loaded_kernel> kernels_;
  void* timer_start_ = nullptr;
  void* timer_stop_ = nullptr;
  status release_failure_;  ///< for the next synchronize(): release() itself returns nothing
};

}  // namespace adahop::hip
