// Moving a call's arrays to the candidate's device and back. Implements the judge's side of SPEC 13.7.
#include "conformance/judge/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "adahop/formats/scale_layout.h"
#include "adahop/tensor.h"

namespace adahop::conformance {

int64_t view_bytes(const adahop_view& x) {
  if (x.dtype != ADAHOP_F32 && x.dtype != ADAHOP_BF16) return 0;  // a call that is wrong on purpose
  if (x.data == nullptr || x.rows < 1 || x.cols < 1 || x.row_stride < 0 || x.col_stride < 0) return 0;
  const int64_t last = (x.rows - 1) * x.row_stride + (x.cols - 1) * x.col_stride;
  return (last + 1) * dtype_size(x.dtype);
}

int64_t code_bytes(const adahop_mx& x) {
  return x.outer < 1 || x.inner < kBlockSize ? 0 : (x.outer - 1) * x.codes_stride + x.inner / 2;
}

int64_t scale_bytes(const adahop_mx& x, int32_t scale_layout) {
  if (x.outer < 1 || x.inner < kBlockSize) return 0;
  const int64_t blocks = x.inner / kBlockSize;
  return scale_layout == ADAHOP_LAYOUT_LINEAR ? (x.outer - 1) * x.scales_stride + blocks
                                              : shuffled_scale_bytes(x.outer, blocks);
}

bool device_memory::failed(int32_t code) {
  if (code == ADAHOP_OK) return false;
  if (code_ == ADAHOP_OK) keep_error(code);
  return true;
}

void device_memory::keep_error(int32_t code) {
  code_ = code;
  error_ = backend_.last_error();
}

int32_t device_memory::open(bool default_stream) {
  if (!default_stream && !failed(backend_.stream_create(&stream_)) && stream_ == nullptr) {
    code_ = ADAHOP_DEVICE;
    error_ = "stream_create gave null";
  }
  return code_;
}

void* device_memory::scratch(uint64_t bytes) {
  void* memory = nullptr;
  // The ABI has no empty allocations.
  if (failed(backend_.device_allocate(std::max<uint64_t>(bytes, 1), &memory))) return nullptr;
  allocated_.push_back(memory);
  return memory;
}

uint8_t* device_memory::upload(std::span<uint8_t> host, bool output) {
  auto* const device = static_cast<uint8_t*>(scratch(host.size()));
  if (device == nullptr) return nullptr;
  if (!host.empty() && failed(backend_.copy_to_device(device, host.data(), host.size(), stream_))) return nullptr;
  regions_.push_back({host, device, output});
  return device;
}

void* device_memory::on_device(const void* host, int64_t bytes) {
  if (host == nullptr || code_ != ADAHOP_OK) return nullptr;
  auto* const begin = const_cast<uint8_t*>(static_cast<const uint8_t*>(host));
  const auto inside = [&](std::span<uint8_t> whole) {
    return begin >= whole.data() && begin < whole.data() + whole.size();
  };
  for (const region& r : regions_)
    if (r.output && inside(r.host)) return r.device + (begin - r.host.data());
  for (const std::span<uint8_t> whole : outputs_)
    if (inside(whole)) {
      uint8_t* const device = upload(whole, true);
      return device == nullptr ? nullptr : device + (begin - whole.data());
    }
  return upload({begin, static_cast<size_t>(bytes)}, false);
}

int32_t device_memory::fetch() {
  for (const region& r : regions_) {
    std::vector<uint8_t> now(r.host.size());
    if (now.empty()) continue;
    if (failed(backend_.copy_to_host(now.data(), r.device, now.size(), stream_))) return code_;
    if (r.output) {
      std::ranges::copy(now, r.host.begin());
      continue;
    }
    for (size_t i = 0; i < now.size() && violation_.empty(); ++i)
      if (now[i] != r.host[i])
        violation_ = fmt::format("byte {} of an input of {} bytes was changed in device memory", i, now.size());
  }
  return code_;
}

int32_t device_memory::release() {
  for (void* memory : std::exchange(allocated_, {})) failed(backend_.device_release(memory));
  regions_.clear();
  if (void* const stream = std::exchange(stream_, nullptr); stream != nullptr) failed(backend_.stream_release(stream));
  return code_;
}

void device_memory::move_mx(adahop_mx& x, const adahop_policy* p) {
  const int64_t codes = code_bytes(x), scales = scale_bytes(x, p->scale_layout);
  move_array(x.codes, codes);
  move_array(x.scales, scales);
}

void device_memory::move_fields(adahop_quantize_args& a) {
  move_view(a.x);
  move_mx(a.out, a.policy);
}
void device_memory::move_fields(adahop_dequantize_args& a) {
  move_mx(a.x, a.policy);
  move_view(a.out);
}
void device_memory::move_fields(adahop_hadamard_args& a) {
  move_view(a.x);
  move_view(a.out);
}
void device_memory::move_fields(adahop_hadamard_quantize_args& a) {
  move_view(a.x);
  move_array(a.zeroed, a.zeroed_count * 4);
  move_mx(a.out, a.policy);
}
void device_memory::move_fields(adahop_pattern_args& a) {
  move_view(a.x);
  move_array(a.row_variance, a.x.rows * 8);
  move_array(a.col_variance, a.x.cols * 8);
}
void device_memory::move_fields(adahop_select_outliers_args& a) {
  move_view(a.x);
  move_array(a.scores, a.x.rows * 4);
  move_array(a.indices, std::min<int64_t>(a.policy->oe_k, a.x.rows) * 4);
}
void device_memory::move_fields(adahop_extract_outliers_args& a) {
  move_view(a.x);
  move_array(a.indices, a.count * 4);
  move_view(a.out);
}
void device_memory::move_fields(adahop_mx_gemm_args& a) {
  move_mx(a.a, a.policy);
  move_mx(a.b, a.policy);
  move_view(a.out);
}
void device_memory::move_fields(adahop_bf16_gemm_args& a) {
  move_view(a.a);
  move_view(a.b);
  move_view(a.out);
}
void device_memory::move_fields(adahop_scatter_add_args& a) {
  move_view(a.c);
  move_view(a.outlier);
  move_array(a.indices, a.count * 4);
  move_view(a.out);
}
void device_memory::move_fields(adahop_matmul_args& a) {
  move_view(a.a);
  move_view(a.b);
  move_view(a.out);
}

}  // namespace adahop::conformance
