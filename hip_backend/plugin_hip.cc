// The plug-in form of hip: the one exported symbol of the C ABI.
#include "backend_hip.h"

extern "C" __attribute__((visibility("default"))) const adahop_backend* adahop_backend_entry(uint32_t abi_version) {
  return adahop_backend_hip(abi_version);
}
