// The reference behind the C ABI, as the backend "reference". Implements SPEC 13.1-13.3.
#pragma once
#include "adahop/backend.h"

/// The table, or null where the asked ABI version is another one.
extern "C" const adahop_backend* adahop_backend_reference(uint32_t abi_version);
