// HipDevice against fake_hip: what it calls, in which order; every call failing in turn; devices that are not there.
#include <cstdlib>
#include <functional>

#include "hip_runtime_support.h"
#include "kernels/cpu_kernels.h"
#include "device/cpu/cpu_device.h"
#include "pipeline/operations.h"

using namespace adahop;
using namespace adahop_test;
using adahop::hip::context;

namespace {

struct product {
  policy p = default_policy();
  matrix<bf16> a{70, 96}, b{40, 96};
  matrix<float> out{70, 40};
  product() {
    p.oe_k = 9;
    p.output = ADAHOP_F32;
    fill(a, 1);
    fill(b, 2);
  }
  adahop_matmul_args args(adahop_pattern left, adahop_pattern right) {
    return {&p, 1, left, right, ADAHOP_PATH_FORWARD, view_of(a), view_of(b), view_of(out)};
  }
};

// The scope of a changed environment variable.
class environment {
 public:
  environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name); before != nullptr) before_ = before;
    setenv(name, value, 1);
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

void refused(const std::string& line) {
  const auto device = open_device();
  REQUIRE(!device.ok());
  CHECK(device.why().code() == ADAHOP_DEVICE);
  CHECK(device.why().message() == line);
  CHECK(fake_hip_live() == 0);
}

std::vector<uint32_t> bits(const matrix<float>& m) {
  std::vector<uint32_t> all;
  for (const float v : m.data) all.push_back(bits_of(v));
  return all;
}

}  // namespace

TEST_CASE("a device that is not there, or not gfx950, is one line", "[hip][spec:13.6]") {
  const std::string library = std::getenv("ADAHOP_HIP_LIBRARY");
  {
    const environment none("ADAHOP_FAKE_HIP_DEVICES", "0");
    refused("hip: no device, " + library + " shows none (hipErrorNoDevice)");
  }
  {
    const environment older("ADAHOP_FAKE_HIP_ARCH", "gfx942:sramecc+:xnack-");
    refused("hip: device 0 is gfx942, these kernels are built for gfx950");
  }
  {
    const environment similar("ADAHOP_FAKE_HIP_ARCH", "gfx9500");
    refused("hip: device 0 is gfx9500, these kernels are built for gfx950");
  }
  {
    const environment missing("ADAHOP_HIP_LIBRARY", "/no/such/library.so");
    refused("hip: ADAHOP_HIP_LIBRARY: /no/such/library.so: cannot open shared object file: No such file or directory");
  }
  {
    const environment other("ADAHOP_HIP_LIBRARY", "libm.so.6");
    refused("hip: libm.so.6: expected a HIP runtime library, it lacks hipGetErrorName");
  }
  const auto empty = hip::HipDevice::open({}, {});
  REQUIRE(!empty.ok());
  CHECK(empty.why().message() == "hip: built without gfx950 code objects (it takes clang-22)");
}

TEST_CASE("opening asks for the device, then loads each code object and finds each kernel in it", "[hip][spec:13.6]") {
  fake_hip_reset();
  const auto device = open_device();
  INFO(device.why().message());
  REQUIRE(device.ok());
  CHECK(device.value()->wave_size() == 64);
  CHECK(device.value()->description().starts_with("fake MI350X (gfx950:sramecc+:xnack-) through "));
  const std::vector<std::string> expected{"hipInit(0)", "hipGetDeviceCount()", "hipSetDevice(0)", "hipDeviceGetName(0)",
                                          "hipGetDevicePropertiesR0600(0)", "hipDeviceGetAttribute(87, 0)", "hipModuleLoadData()"};
  const std::vector<std::string> calls = recorded_calls();
  REQUIRE(calls.size() > expected.size());
  CHECK(std::vector<std::string>(calls.begin(), calls.begin() + static_cast<ptrdiff_t>(expected.size())) == expected);
  CHECK(recorded_calls("hipModuleLoadData").size() == hip::gfx950_code_objects().size());
  CHECK(recorded_calls("hipModuleGetFunction").size() == hip::kKernels.size());
  require_no_misuse();
}

TEST_CASE("a code object that lacks a kernel of the table is named", "[hip][spec:13.6]") {
  auto shapes = kernel_shapes();
  shapes.push_back({"no_such_kernel", 64, 8});
  const auto device = hip::HipDevice::open(hip::gfx950_code_objects(), shapes);
  REQUIRE(!device.ok());
  CHECK(device.why().message().starts_with("hip: no kernel no_such_kernel among the "));
  CHECK(fake_hip_live() == 0);
}

TEST_CASE("a product makes the calls that it needs and no others", "[hip][spec:13.6]") {
  const auto device = open_device();
  REQUIRE(device.ok());
  product x;
  fake_hip_reset();
  const adahop_matmul_args args = x.args(ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE);
  const status s = run(context{*device.value()}, args);
  INFO(s.message());
  REQUIRE(s.ok());
  require_no_misuse();
  CHECK(recorded_calls("hipModuleLaunchKernel") ==
        std::vector<std::string>{"hipModuleLaunchKernel(hadamard_quantize_bf16, 3x1x1, 256x1x1)",
                                 "hipModuleLaunchKernel(hadamard_quantize_bf16, 2x1x1, 256x1x1)",
                                 "hipModuleLaunchKernel(mx_gemm_16x16x128, 2x1x1, 256x1x1)"});
  CHECK(recorded_calls("hipMemcpy") == std::vector<std::string>{"hipMemcpy(13440, to device)",
                                                                     "hipMemcpy(7680, to device)",
                                                                     "hipMemcpy(11200, to host)"});
  CHECK(recorded_calls("hipMalloc").size() == recorded_calls("hipFree").size());

  hip::CpuDevice cpu(hip::cpu_kernels());
  const std::vector<uint32_t> on_hip = bits(x.out);
  REQUIRE(run(context{cpu}, args).ok());
  CHECK(on_hip == bits(x.out));
}

TEST_CASE("a kernel is launched with its own block and argument sizes only", "[hip][spec:13.6]") {
  const auto opened = open_device();
  REQUIRE(opened.ok());
  hip::HipDevice& device = *opened.value();
  const auto kernel = device.find_kernel("mark_positions");
  REQUIRE(kernel.ok());
  const hip::mark_positions_args args{};
  fake_hip_reset();
  CHECK(device.launch(kernel.value(), {1, 1, 1}, {128, 1, 1}, &args, sizeof args, nullptr).code() == ADAHOP_INTERNAL);
  CHECK(device.launch(kernel.value(), {1, 1, 1}, {64, 1, 1}, &args, sizeof args - 8, nullptr).code() == ADAHOP_INTERNAL);
  CHECK(device.launch(kernel.value(), {0, 1, 1}, {64, 1, 1}, &args, sizeof args, nullptr).ok());
  CHECK(fake_hip_call_count() == 0);
  CHECK(device.find_kernel("unknown").why().code() == ADAHOP_INTERNAL);
  CHECK(device.stop_timer(nullptr).why().message() == "hip: stop_timer() without start_timer()");
}

TEST_CASE("a fault on the device comes back from the next synchronize", "[hip][spec:13.6]") {
  const auto opened = open_device();
  REQUIRE(opened.ok());
  hip::HipDevice& device = *opened.value();
  const auto kernel = device.find_kernel("mark_positions");
  auto memory = device.allocate(256);
  REQUIRE(memory.ok());
  // Index 0 is 1 GiB past the positions, as the memory holds it.
  const std::vector<int32_t> far{1 << 28};
  REQUIRE(device.copy_to_device(memory.value(), far.data(), 4, nullptr).ok());
  auto positions = device.allocate(4);
  REQUIRE(positions.ok());
  const hip::mark_positions_args args{static_cast<const int32_t*>(memory.value()), static_cast<int32_t*>(positions.value()), 1};
  REQUIRE(device.launch(kernel.value(), {1, 1, 1}, {64, 1, 1}, &args, sizeof args, nullptr).ok());
  const status s = device.synchronize(nullptr);
  CHECK(s.code() == ADAHOP_DEVICE);
  CHECK(s.message() == "hip: hipStreamSynchronize(): hipErrorLaunchFailure (719): unspecified launch failure");
  device.release(memory.value());
  device.release(positions.value());
  fake_hip_reset();
}

TEST_CASE("every call that fails is reported, and nothing is left behind", "[hip][spec:13.6]") {
  product x;
  const adahop_matmul_args args = x.args(ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN);
  adahop_quantize_result report{};
  mx_matrix q(70, 96);
  const adahop_quantize_args quantize{&x.p, view_of(x.a), view_of(q), &report};
  // A device's whole life; the last synchronize() also says what release() could not.
  const auto life = [&]() -> status {
    auto device = open_device();
    if (!device.ok()) return device.why();
    const context on{*device.value()};
    ADAHOP_TRY(device.value()->start_timer(nullptr));
    ADAHOP_TRY(run(on, args));
    ADAHOP_TRY(run(on, quantize));
    if (const auto time = device.value()->stop_timer(nullptr); !time.ok()) return time.why();
    return device.value()->synchronize(nullptr);
  };
  fake_hip_reset();
  REQUIRE(life().ok());
  require_no_misuse();
  REQUIRE(fake_hip_live() == 0);
  const std::vector<std::string> calls = recorded_calls();
  const auto teardown = static_cast<int64_t>(recorded_calls("hipModuleUnload").size() + recorded_calls("hipEventDestroy").size());
  REQUIRE(calls.size() > 150);
  const auto total = static_cast<int64_t>(calls.size());
  for (const auto& [code, name, status_code] : {std::tuple{2, "hipErrorOutOfMemory (2): out of memory", ADAHOP_OUT_OF_MEMORY},
                                               {719, "hipErrorLaunchFailure (719): unspecified launch failure", ADAHOP_DEVICE}}) {
    for (int64_t n = 1; n <= total; ++n) {
      fake_hip_reset();
      fake_hip_fail_at(n, code);
      const status s = life();
      const std::string failed = calls[static_cast<size_t>(n - 1)];
      INFO("call " << n << ", " << failed << ": " << s.message());
      REQUIRE(fake_hip_live() == 0);
      REQUIRE(fake_hip_misuse_count() == 0);
      if (n > total - teardown) {
        REQUIRE(s.ok());  // the work was done; there is nobody to tell
        continue;
      }
      REQUIRE(s.code() == status_code);
      REQUIRE(s.message().find('\n') == std::string::npos);
      const std::string function = s.message().substr(5, s.message().find('(') - 5);
      REQUIRE(s.message().starts_with("hip: hip"));
      REQUIRE(failed.starts_with(function));
      REQUIRE(s.message().ends_with(name));
    }
  }
  fake_hip_reset();
}
