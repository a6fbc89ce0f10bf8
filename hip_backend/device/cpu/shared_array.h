// The checked accessor behind ADAHOP_SHARED: name.at(i) is read by conversion and written by assignment, and both are
// compared with the element's history. Implements SPEC 13.4.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/cpu/block_execution.h"

namespace adahop::hip::cpu {

/// The cold ends of the checks: each words its fault and stops the block.
[[noreturn]] void fail_shared_index(const shared_declaration& array, int64_t index, const source_site& site);
[[noreturn]] void fail_shared_unwritten(const shared_declaration& array, uint32_t index, const source_site& site);
[[noreturn]] void fail_shared_race(const shared_declaration& array, uint32_t index, const source_site& site,
                                   bool writes, uint16_t other, bool other_wrote, packed_site other_site);
/// The storage of a declaration in the running block.
shared_storage& declare_shared(const shared_declaration& declaration);

/// Element `index` of a shared array, at one place in the source. Not to be kept: `auto v = s.at(i)` does not read.
template <class T>
class shared_element {
 public:
  shared_element(T* data, shared_cell* cells, const shared_declaration* array, int64_t index, source_site site)
      : data_(data), cells_(cells), array_(array), index_(index), site_(site) {}
  shared_element(const shared_element&) = delete;

  operator T() && {
    block_execution& block = *running_block;
    const uint32_t i = checked_index();
    shared_cell& cell = cells_[i];
    const uint32_t epoch = block.shared.epoch();
    const auto me = static_cast<uint16_t>(block.thread);
    if (cell.write_epoch != epoch) {
      if (cell.write_epoch < block.shared.first_epoch()) fail_shared_unwritten(*array_, i, site_);
    } else if (cell.writer != me) {
      fail_shared_race(*array_, i, site_, false, cell.writer, true, cell.write_site);
    }
    if (cell.read_epoch != epoch) {
      cell.read_epoch = epoch;
      cell.reader = cell.other_reader = me;
      cell.read_site = block.shared.pack(site_);
    } else if (cell.reader != me && cell.other_reader == cell.reader) {
      cell.other_reader = me;
      cell.other_read_site = block.shared.pack(site_);
    }
    return data_[i];
  }

  void operator=(const T& value) && {
    block_execution& block = *running_block;
    const uint32_t i = checked_index();
    shared_cell& cell = cells_[i];
    const uint32_t epoch = block.shared.epoch();
    const auto me = static_cast<uint16_t>(block.thread);
    if (cell.write_epoch == epoch && cell.writer != me) {
      fail_shared_race(*array_, i, site_, true, cell.writer, true, cell.write_site);
    }
    if (cell.read_epoch == epoch) {
      if (cell.reader != me) fail_shared_race(*array_, i, site_, true, cell.reader, false, cell.read_site);
      if (cell.other_reader != me) {
        fail_shared_race(*array_, i, site_, true, cell.other_reader, false, cell.other_read_site);
      }
    }
    cell.write_epoch = epoch;
    cell.writer = me;
    cell.write_site = block.shared.pack(site_);
    data_[i] = value;
  }

  /// Copies another element: a read there, a write here.
  void operator=(shared_element&& other) && {
    static_cast<shared_element&&>(*this) = static_cast<T>(static_cast<shared_element&&>(other));
  }

 private:
  uint32_t checked_index() const {
    if (index_ < 0 || index_ >= array_->count) fail_shared_index(*array_, index_, site_);
    return static_cast<uint32_t>(index_);
  }

  T* data_;
  shared_cell* cells_;
  const shared_declaration* array_;
  int64_t index_;
  source_site site_;
};

template <class T>
class shared_array {
  static_assert(std::is_trivially_copyable_v<T>, "shared memory holds plain values");

 public:
  explicit shared_array(const shared_declaration& declaration) : array_(&declaration) {
    shared_storage& storage = declare_shared(declaration);
    data_ = reinterpret_cast<T*>(storage.data);
    cells_ = storage.cells.get();
  }

  shared_element<T> at(int64_t index, const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
    return {data_, cells_, array_, index, {file, static_cast<uint32_t>(line)}};
  }

 private:
  T* data_;
  shared_cell* cells_;
  const shared_declaration* array_;
};

}  // namespace adahop::hip::cpu
