// The arrays of one judged call in the candidate's device memory, made and copied by the backend's own table: inputs as
// they are, outputs with their garbage and guards. Implements the judge's side of SPEC 13.7 and, there, 1.6.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "adahop/backend.h"

namespace adahop::conformance {

/// Bytes from element (0, 0) to the end of the last one; 0 for a view without elements or of no known dtype.
int64_t view_bytes(const adahop_view& x);
/// The same of the codes and of the scales.
int64_t code_bytes(const adahop_mx& x);
int64_t scale_bytes(const adahop_mx& x, int32_t scale_layout);

/// Every function returns an adahop_status as the table gave it; after a failure error() has the backend's words.
class device_memory {
 public:
  explicit device_memory(const adahop_backend& backend) : backend_(backend) {}
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  ~device_memory() { release(); }

  /// Creates the stream of the call, unless that is the default one.
  int32_t open(bool default_stream);
  void* stream() const { return stream_; }

  /// Host memory that is one output, guards included: it goes to the device, and comes back, as a whole.
  void add_output(std::span<uint8_t> whole) { outputs_.push_back(whole); }

  /// Puts device addresses into an argument struct. What the ABI keeps in host memory stays: results and counts.
  template <class Args>
  int32_t move(Args& args) {
    move_fields(args);
    return code_;
  }
  /// `bytes` of device memory for the call; null after a failure.
  void* scratch(uint64_t bytes);

  /// Brings the outputs back and looks whether the inputs are what they were; waits for the stream.
  int32_t fetch();
  /// An input that was changed in device memory, in words; empty when there is none.
  const std::string& violation() const { return violation_; }

  /// Keeps what last_error() says, for a call that returned `code`.
  void keep_error(int32_t code);
  const std::string& error() const { return error_; }

  /// Frees everything; the first failure.
  int32_t release();

 private:
  struct region {
    std::span<uint8_t> host;  ///< read only unless `output`
    uint8_t* device;
    bool output;
  };

  void* on_device(const void* host, int64_t bytes);
  uint8_t* upload(std::span<uint8_t> host, bool output);
  bool failed(int32_t code);

  template <class T>
  void move_array(T*& array, int64_t bytes) {
    array = static_cast<T*>(on_device(array, bytes));
  }
  void move_view(adahop_view& x) { move_array(x.data, view_bytes(x)); }
  void move_mx(adahop_mx& x, const adahop_policy* p);
  void move_fields(adahop_quantize_args& a);
  void move_fields(adahop_dequantize_args& a);
  void move_fields(adahop_hadamard_args& a);
  void move_fields(adahop_hadamard_quantize_args& a);
  void move_fields(adahop_pattern_args& a);
  void move_fields(adahop_select_outliers_args& a);
  void move_fields(adahop_extract_outliers_args& a);
  void move_fields(adahop_mx_gemm_args& a);
  void move_fields(adahop_bf16_gemm_args& a);
  void move_fields(adahop_scatter_add_args& a);
  void move_fields(adahop_matmul_args& a);

  const adahop_backend& backend_;
  void* stream_ = nullptr;
  std::vector<std::span<uint8_t>> outputs_;
  std::vector<region> regions_;
  std::vector<void*> allocated_;
  int32_t code_ = ADAHOP_OK;
  std::string error_, violation_;
};

}  // namespace adahop::conformance
