// Runs a kernel that copies words on SimDevice, for faults planted in assembly: 2 workgroups of 256 work-items, arguments
// {const uint32_t* in, uint32_t* out, uint32_t* counter}; the kernel copies 512 words and may add to the counter, which is 0.
//   sim_launch_copy CODE_OBJECT KERNEL [KEY=VALUE...]
// Status 0: the copy is right; 1: the launch was stopped or the copy is wrong, a line on stdout says where; 2: anything else.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/io/file.h"
#include "sim/sim_device.h"

namespace {

using namespace adahop;
using namespace adahop::hip;

constexpr uint32_t kGroups = 2, kThreads = 256, kWords = kGroups * kThreads;
constexpr int kCopied = 0, kFound = 1, kBroken = 2;

struct copy_args {
  const void* in;
  void* out;
  void* counter;
};

// The program's status; an error is what should not happen.
result<int> run(const char* file, std::string_view kernel, const std::vector<std::string_view>& settings) {
  ADAHOP_ASSIGN(bytes, io::read_file(file));
  const std::span image(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  const code_object object{file, image, {&kernel, 1}};
  const sim_level level{"only", {&object, 1}};
  ADAHOP_ASSIGN(device, SimDevice::open({&level, 1}));
  for (const std::string_view setting : settings) {
    const size_t equals = setting.find('=');
    if (equals == setting.npos) return invalid_argument(std::string(setting) + ": expected KEY=VALUE");
    ADAHOP_TRY(device->set_option(setting.substr(0, equals), setting.substr(equals + 1)));
  }
  std::array<uint32_t, kWords> in, out;
  for (uint32_t i = 0; i < kWords; ++i) in[i] = 0x01000193u * (i + 1);
  ADAHOP_ASSIGN(in_memory, device->allocate(sizeof in));
  ADAHOP_ASSIGN(out_memory, device->allocate(sizeof out));
  ADAHOP_ASSIGN(counter_memory, device->allocate(sizeof(uint32_t)));
  ADAHOP_TRY(device->copy_to_device(in_memory, in.data(), sizeof in, nullptr));
  ADAHOP_TRY(device->fill_zero(counter_memory, sizeof(uint32_t), nullptr));
  ADAHOP_ASSIGN(found, device->find_kernel(kernel));
  const copy_args args{in_memory, out_memory, counter_memory};
  const status launched = device->launch(found, {kGroups}, {kThreads}, &args, sizeof args, nullptr);
  if (!launched.ok()) {
    std::printf("%s\n", launched.message().c_str());
    return kFound;
  }
  ADAHOP_TRY(device->copy_to_host(out.data(), out_memory, sizeof out, nullptr));
  const auto [wrong, expected] = std::ranges::mismatch(out, in);
  if (wrong == out.end()) return kCopied;
  std::printf("%.*s: word %td is 0x%08X, expected 0x%08X\n", static_cast<int>(kernel.size()), kernel.data(), wrong - out.begin(),
              *wrong, *expected);
  return kFound;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: sim_launch_copy CODE_OBJECT KERNEL [KEY=VALUE...]\n");
    return kBroken;
  }
  const auto outcome = run(arguments[1], arguments[2], {arguments + 3, arguments + count});
  if (outcome.ok()) return outcome.value();
  std::fprintf(stderr, "%s\n", outcome.why().message().c_str());
  return kBroken;
}
