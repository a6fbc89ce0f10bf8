// The plug-in form of gfx950-sim: the one exported symbol of the C ABI.
#include "backend_gfx950_sim.h"

extern "C" __attribute__((visibility("default"))) const adahop_backend* adahop_backend_entry(uint32_t abi_version) {
  return adahop_backend_gfx950_sim(abi_version);
}
