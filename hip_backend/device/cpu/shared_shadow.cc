// Declaring shared arrays and numbering epochs and files. Implements SPEC 13.4.
#include "device/cpu/shared_shadow.h"

#include <cstring>
#include <limits>

#include "device/cpu/wave.h"

namespace adahop::hip::cpu {
namespace {

constexpr size_t kAlignment = 64;
constexpr int kGarbage = 0xFF;

}  // namespace

void shared_shadow::begin_kernel() {
  arrays_.clear();
  declared_bytes_ = 0;
}

void shared_shadow::begin_block() {
  if (epoch_ > std::numeric_limits<uint32_t>::max() / 2) {
    // The numbers run out only after 2^31 barriers: start again with fresh arrays.
    begin_kernel();
    epoch_ = 0;
  }
  first_epoch_ = ++epoch_;
}

shared_storage* shared_shadow::declare(const shared_declaration& declaration) {
  shared_storage* array = nullptr;
  for (const auto& known : arrays_) {
    if (known->declaration == &declaration) array = known.get();
  }
  const size_t bytes = size_t{declaration.element_bytes} * declaration.count;
  if (array == nullptr) {
    if (declared_bytes_ + bytes > kMaxSharedBytes) return nullptr;
    declared_bytes_ += bytes;
    auto made = std::make_unique<shared_storage>();
    made->declaration = &declaration;
    made->memory = std::make_unique<std::byte[]>(bytes + kAlignment);
    const auto address = reinterpret_cast<uintptr_t>(made->memory.get());
    made->data = made->memory.get() + (kAlignment - address % kAlignment);
    made->cells = std::make_unique<shared_cell[]>(declaration.count);
    array = arrays_.emplace_back(std::move(made)).get();
  }
  if (array->filled_epoch < first_epoch_) {
    std::memset(array->data, kGarbage, bytes);
    array->filled_epoch = epoch_;
  }
  return array;
}

void shared_shadow::find_file(const char* file) {
  uint32_t number = 0;
  for (uint32_t i = 1; i < files_.size(); i++) {
    if (files_[i] == file) number = i;
  }
  if (number == 0 && files_.size() < 256) {
    number = static_cast<uint32_t>(files_.size());
    files_.push_back(file);
  }
  last_file_ = file;
  last_number_ = number;
}

}  // namespace adahop::hip::cpu
