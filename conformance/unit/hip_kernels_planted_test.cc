// The checkers of hip-cpu on our own kernels: the same sources with their barriers taken out must be stopped at the first
// shared access out of order, with the kernel, its file and the shared array named.
#include <string>
#include <vector>

#include "catch.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/lang.h"

#undef ADAHOP_BARRIER
#define ADAHOP_BARRIER() static_cast<void>(0)
#include "kernels/bf16_gemm.hip"
#include "kernels/mx_gemm.hip"
#include "kernels/quantize_report.hip"
#include "kernels/select_rank.hip"

using namespace adahop;
using namespace adahop::hip;

namespace {

// Launches one block of a kernel and returns the fault line.
template <class Args>
std::string fault_of(const cpu_kernel& kernel, const Args& args) {
  CpuDevice target(std::span(&kernel, 1));
  target.set_threads(1);
  const result<kernel_handle> handle = target.find_kernel(kernel.name);
  REQUIRE(handle.ok());
  const status launched = target.launch(handle.value(), {}, {kernel.threads, 1, 1}, &args, sizeof args, nullptr);
  const status s = launched.ok() ? target.synchronize(nullptr) : launched;
  REQUIRE(s.code() == ADAHOP_DEVICE);
  return s.message();
}

void require_named(const std::string& line, std::initializer_list<const char*> parts) {
  INFO(line);
  for (const char* part : parts) REQUIRE(line.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("kernels without their barriers are stopped", "[hip-kernels][spec:13.4]") {
  std::vector<uint16_t> x(64 * 32, 0x3F80);
  std::vector<uint8_t> codes(64 * 64, 0x22), scales(64 * 4, 127);
  std::vector<float> out(64 * 64);
  std::vector<int32_t> selected(64);
  std::vector<quantize_partial> partials(300);
  quantize_partial total{};
  const matrix_in a{x.data(), 32, 1};
  const matrix_out c{out.data(), 64, 1, 0, 0};
  const mx_in q{codes.data(), scales.data(), 64, 4, 0};

  const std::string bf16_line = fault_of(ADAHOP_CPU_KERNEL(bf16_gemm), bf16_gemm_args{a, a, c, 64, 64, 32});
  const std::string mx_line = fault_of(ADAHOP_CPU_KERNEL(mx_gemm_16x16x128), mx_gemm_args{q, q, c, 64, 64, 4});
  const std::string report_line = fault_of(ADAHOP_CPU_KERNEL(quantize_report), quantize_report_args{partials.data(), 300, &total});
  const std::string rank_line = fault_of(ADAHOP_CPU_KERNEL(select_rank), select_rank_args{out.data(), selected.data(), 64, 8});
  require_named(bf16_line, {"kernel bf16_gemm", "kernels/bf16_gemm.hip:", "_tile"});
  require_named(mx_line, {"kernel mx_gemm_16x16x128", "kernels/mx_gemm.hip:", "a_codes"});
  require_named(report_line, {"kernel quantize_report", "kernels/quantize_partials.h:", "clipped"});
  require_named(rank_line, {"kernel select_rank", "kernels/select_rank.hip:", "keys"});
}
