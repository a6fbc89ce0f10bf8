// A shared library that is almost a backend; FAULT says what is wrong with it.
#include "adahop/backend.h"

namespace {

const char* last_error() { return "planted"; }

adahop_backend make() {
  adahop_backend b{};
  b.abi_version = ADAHOP_ABI_VERSION;
  b.struct_size = sizeof(adahop_backend);
  b.name = "faulty";
  b.device = "none";
  b.capabilities.struct_size = sizeof(adahop_capabilities);
  b.last_error = last_error;
#if FAULT == 1
  b.abi_version = ADAHOP_ABI_VERSION + 1;
#elif FAULT == 2
  b.struct_size -= 8;
#elif FAULT == 3
  b.capabilities.ops = 1u << ADAHOP_OP_MX_GEMM;
#elif FAULT == 4
  b.last_error = nullptr;
#elif FAULT == 5
  b.capabilities.ops = 1u << ADAHOP_OP_COUNT;
#elif FAULT == 6
  b.capabilities.struct_size = 0;
#elif FAULT == 7
  b.name = nullptr;
#elif FAULT == 11
  b.capabilities.memories = 1u << ADAHOP_MEMORY_HOST | 1u << ADAHOP_MEMORY_DEVICE;
  b.device_allocate = [](uint64_t, void**) -> int32_t { return ADAHOP_DEVICE; };
#elif FAULT == 10
  b.capabilities.ops = 1u << ADAHOP_OP_QUANTIZE | 1u << ADAHOP_OP_DEQUANTIZE;
  b.quantize = [](const adahop_exec*, const adahop_quantize_args*) -> int32_t { return ADAHOP_DEVICE; };
  b.dequantize = [](const adahop_exec*, const adahop_dequantize_args*) -> int32_t { return 77; };
#endif
  return b;
}

}  // namespace

#if FAULT == 9
extern "C" const adahop_backend* another_name(uint32_t) {
#else
extern "C" const adahop_backend* adahop_backend_entry(uint32_t) {
#endif
  static const adahop_backend table = make();
  return FAULT == 8 ? nullptr : &table;
}
