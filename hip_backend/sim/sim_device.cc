// Code objects by level, memory, and launches with their reports. Implements SPEC 13.8-13.10.
#include "sim/sim_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/grid.h"
#include "sim/launch.h"
#include "sim/llvm_decoder.h"
#include "sim/report_place.h"

namespace adahop::hip {
namespace {

using sim::program;

result<std::shared_ptr<const program>> checked_program(std::string_view name, std::span<const std::byte> image) {
  ADAHOP_ASSIGN(loaded, sim::load_program(name, image));
  ADAHOP_TRY(sim::check_register_counts(loaded));
  return std::make_shared<const program>(std::move(loaded));
}

std::string fault_line(const program& code, const sim::sim_kernel& kernel, const sim::fault& f) {
  const sim::instruction& i = code.code[f.instruction];
  const std::string place = sim::source_place(code.image, i.address);
  return fmt::format("gfx950-sim: {} in kernel {}, {:#x}{}, workgroup ({},{}{}), wave {}{}: {}; instruction: {}", f.kind,
                     kernel.name, i.address, place.empty() ? "" : " (" + place + ")", f.group_x, f.group_y,
                     f.group_z == 0 ? "" : fmt::format(",{}", f.group_z), f.wave_number,
                     f.lane < 0 ? "" : fmt::format(", lane {}", f.lane), f.detail, i.text);
}

}  // namespace

result<std::unique_ptr<SimDevice>> SimDevice::open(std::span<const sim_level> levels) {
  for (const sim_level& level : levels)
    if (level.objects.empty()) return status{ADAHOP_DEVICE, "gfx950-sim: built without gfx950 code objects (it takes clang-22)"};
  ADAHOP_TRY(sim::llvm_decoder::open().why());
  std::unique_ptr<SimDevice> device(new SimDevice);
  for (const sim_level& level : levels) {
    loaded_level& made = device->levels_.emplace_back();
    made.name = level.name;
    for (const code_object& object : level.objects) made.programs.push_back({&object, nullptr});
  }
  return device;
}

status SimDevice::replace_kernels(std::string_view name, std::span<const std::byte> image) {
  std::shared_ptr<const program> code;
  if (!image.empty()) {
    ADAHOP_ASSIGN(made, checked_program(name, image));
    code = std::move(made);
  }
  const std::lock_guard lock(mutex_);
  if (code != nullptr) ADAHOP_TRY(check_replaces(*code));
  replacement_ = std::move(code);
  return {};
}

// A file that replaces nothing would leave the build's own kernels to be judged in its place.
status SimDevice::check_replaces(const program& code) const {
  std::string names;
  for (const sim::sim_kernel& k : code.kernels) {
    for (const loaded_level& level : levels_)
      for (const lazy_program& lazy : level.programs)
        if (std::ranges::find(lazy.object->kernels, k.name) != lazy.object->kernels.end()) return {};
    names += fmt::format("{}{}", names.empty() ? "" : ", ", k.name);
  }
  return bad_file(fmt::format("{}: its kernels ({}) have the name of no kernel of the build", code.name, names));
}

sim_statistics SimDevice::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

result<void*> SimDevice::allocate(size_t bytes) {
  void* const memory = memory_.allocate(bytes);
  if (memory == nullptr) return status{ADAHOP_OUT_OF_MEMORY, fmt::format("gfx950-sim: no memory for {} bytes", bytes)};
  return memory;
}

void SimDevice::release(void* memory) {
  if (memory == nullptr || memory_.release(memory)) return;
  const std::lock_guard lock(mutex_);
  release_failure_ = {ADAHOP_DEVICE, "gfx950-sim: release of a pointer that allocate() did not give"};
}

status SimDevice::copy_to_device(void* target, const void* source, size_t bytes, void*) {
  return memory_.copy_in(target, source, bytes);
}

status SimDevice::copy_to_host(void* target, const void* source, size_t bytes, void*) {
  return memory_.copy_out(target, source, bytes);
}

status SimDevice::fill_zero(void* target, size_t bytes, void*) { return memory_.fill_zero(target, bytes); }

// A handle that nobody looks behind, since streams are ignored.
result<void*> SimDevice::create_stream() { return static_cast<void*>(this); }

status SimDevice::release_stream(void*) { return {}; }

result<std::shared_ptr<const program>> SimDevice::decoded(lazy_program& lazy) {
  if (lazy.code == nullptr) {
    ADAHOP_ASSIGN(made, checked_program(lazy.object->name, std::as_bytes(lazy.object->image)));
    lazy.code = std::move(made);
  }
  return lazy.code;
}

result<kernel_handle> SimDevice::find_kernel(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto known = [&](const std::deque<loaded_kernel>& kernels, const program* code) -> const loaded_kernel* {
    for (const loaded_kernel& k : kernels)
      if (k.kernel->name == name && (code == nullptr || k.code.get() == code)) return &k;
    return nullptr;
  };
  if (replacement_ != nullptr) {
    if (const loaded_kernel* k = known(replaced_, replacement_.get())) return kernel_handle{k};
    if (const sim::sim_kernel* found = replacement_->find(name))
      return kernel_handle{&replaced_.emplace_back(loaded_kernel{replacement_, found, replacement_->name})};
  }
  loaded_level& level = levels_[level_];
  if (const loaded_kernel* k = known(level.kernels, nullptr)) return kernel_handle{k};
  for (lazy_program& lazy : level.programs) {
    if (std::ranges::find(lazy.object->kernels, name) == lazy.object->kernels.end()) continue;
    ADAHOP_ASSIGN(code, decoded(lazy));
    if (const sim::sim_kernel* found = code->find(name))
      return kernel_handle{&level.kernels.emplace_back(loaded_kernel{code, found, std::string(level.name)})};
  }
  return status{ADAHOP_INTERNAL, fmt::format("gfx950-sim: no kernel {} in the code objects of level {}", name, level.name)};
}

status SimDevice::launch(kernel_handle handle, extent3 grid, extent3 block, const void* args, size_t args_bytes, void*) {
  const auto& kernel = *static_cast<const loaded_kernel*>(handle.token);
  const sim::grid_launch what{kernel.code.get(), kernel.kernel, grid, block};
  ADAHOP_TRY(sim::check_launch(what));
  ADAHOP_ASSIGN(arguments, sim::make_arguments(what, {static_cast<const std::byte*>(args), args_bytes}));
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return {};
  sim::options settings;
  std::shared_ptr<sim::trace_session> trace;
  std::shared_ptr<sim::coverage_recorder> coverage;
  {
    const std::lock_guard lock(mutex_);
    settings = settings_;
    trace = trace_;
    coverage = coverage_;
  }
  const auto traced_wave = trace ? trace->begin(*kernel.code, *kernel.kernel, grid, block) : nullptr;
  sim::execution_counts counts;
  if (coverage) counts = sim::execution_counts(*kernel.kernel);
  const auto begin = std::chrono::steady_clock::now();
  const sim::grid_outcome outcome =
      sim::run_grid(what, arguments, settings, memory_, {traced_wave.get(), coverage ? &counts : nullptr});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  {
    const std::lock_guard lock(mutex_);
    statistics_.launches += 1;
    statistics_.wave_instructions += outcome.wave_instructions;
    statistics_.seconds += seconds.count();
  }
  if (coverage) coverage->add(kernel.level, kernel.code, *kernel.kernel, counts);
  if (traced_wave) trace->end(*kernel.code, *kernel.kernel, grid, block, *traced_wave);
  if (!outcome.refused.ok()) return outcome.refused;
  if (outcome.stopped) return {ADAHOP_DEVICE, fault_line(*kernel.code, *kernel.kernel, *outcome.stopped)};
  return {};
}

status SimDevice::synchronize(void*) {
  const std::lock_guard lock(mutex_);
  return std::exchange(release_failure_, {});
}

status SimDevice::start_timer(void*) {
  const std::lock_guard lock(mutex_);
  timer_start_ = std::chrono::steady_clock::now();
  return {};
}

result<double> SimDevice::stop_timer(void*) {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - timer_start_).count();
}

}  // namespace adahop::hip
