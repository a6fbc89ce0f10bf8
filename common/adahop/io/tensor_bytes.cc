// Memory of tensors.
#include "adahop/io/tensor_bytes.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace adahop::io {
namespace {

constexpr size_t kAlignment = 64;
// Memory of a large tensor is touched once, so that half of the time goes into page faults; pages of 2 MiB make few.
constexpr size_t kLargePage = size_t{1} << 21;
constexpr size_t kLarge = 4 * kLargePage;

}  // namespace

tensor_buffer::tensor_buffer(size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const size_t alignment = bytes < kLarge ? kAlignment : kLargePage;
  void* const memory = ::operator new(bytes, std::align_val_t(alignment));
  data_ = {static_cast<uint8_t*>(memory), aligned_delete{alignment}};
  // Advice: without it the same bytes come out.
  if (bytes >= kLarge) ::madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
}

void aligned_delete::operator()(uint8_t* memory) const {
  ::operator delete(memory, std::align_val_t(alignment));
}

tensor_bytes::tensor_bytes(std::vector<uint8_t> bytes) {
  const auto kept = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  *this = tensor_bytes(kept, *kept);
}

tensor_bytes::tensor_bytes(tensor_buffer bytes) {
  const auto kept = std::make_shared<const tensor_buffer>(std::move(bytes));
  *this = tensor_bytes(kept, {kept->data(), kept->size()});
}

bool operator==(const tensor_bytes& a, const tensor_bytes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace adahop::io
