// Which devices have the tuned kernels: a device without them runs the portable ones, one with a kernel that cannot run says
// so and never runs another one in its place. [spec:1.7]
#include <array>
#include <string_view>

#include "abi_call.h"
#include "catch.h"
#include "device/device.h"

using namespace adahop;
using namespace adahop::hip;

namespace {

/// Knows every kernel by name; `odd` is not found, for a reason with the code `why`.
class named_kernels final : public device {
 public:
  named_kernels(std::string_view odd, adahop_status why) : odd_(odd), why_(why) {}

  result<kernel_handle> find_kernel(std::string_view name) override {
    if (name == odd_) return status{why_, "the odd one"};
    return kernel_handle{this};
  }

  std::string_view description() const override { return "names alone"; }
  int wave_size() const override { return 64; }
  result<void*> allocate(size_t) override { return none(); }
  void release(void*) override {}
  status copy_to_device(void*, const void*, size_t, void*) override { return none(); }
  status copy_to_host(void*, const void*, size_t, void*) override { return none(); }
  status fill_zero(void*, size_t, void*) override { return none(); }
  result<void*> create_stream() override { return none(); }
  status release_stream(void*) override { return none(); }
  status launch(kernel_handle, extent3, extent3, const void*, size_t, void*) override { return none(); }
  status synchronize(void*) override { return none(); }
  status start_timer(void*) override { return none(); }
  result<double> stop_timer(void*) override { return none(); }

 private:
  static status none() { return {ADAHOP_DEVICE, "this device runs nothing"}; }

  std::string_view odd_;
  adahop_status why_;
};

constexpr std::array kTuned = {"shuffle_scales", "tuned_mx_gemm", "tuned_mx_gemm_native", "tuned_outlier_gemm",
                               "tuned_outlier_gemm_native"};

}  // namespace

TEST_CASE("a device that lacks a tuned kernel runs the portable ones", "[spec:1.7]") {
  for (const char* name : kTuned) {
    INFO(name);
    named_kernels device(name, ADAHOP_INTERNAL);
    backend_state state;
    set_target(state, device);
    CHECK_FALSE(state.has_tuned);
    CHECK_FALSE(state.tuned);
  }
}

TEST_CASE("a tuned kernel that cannot run is not replaced by a portable one", "[spec:1.7]") {
  for (const char* name : kTuned)
    for (const adahop_status why : {ADAHOP_BAD_FILE, ADAHOP_UNSUPPORTED, ADAHOP_DEVICE, ADAHOP_OUT_OF_MEMORY}) {
      INFO(name << ", code " << why);
      named_kernels device(name, why);
      backend_state state;
      set_target(state, device);
      CHECK(state.has_tuned);
      CHECK(state.tuned);
    }
}

TEST_CASE("a device that has every kernel runs the tuned ones", "[spec:1.7]") {
  named_kernels device("", ADAHOP_INTERNAL);
  backend_state state;
  set_target(state, device);
  CHECK(state.tuned);
}
