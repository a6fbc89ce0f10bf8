// How a product runs, from level, patterns and path: this backend's own table (SPEC 8.4-8.6, 13.2).
#pragma once
#include "adahop/backend.h"

namespace adahop::hip {

enum class route { iht, oe_left, oe_right, bf16 };

/// kRoutes[level - 1][left][right], indexed by adahop_pattern: none, row, column.
inline constexpr route kRoutes[2][3][3] = {
    {{route::iht, route::iht, route::oe_right},
     {route::oe_left, route::iht, route::oe_right},
     {route::iht, route::iht, route::oe_right}},
    {{route::iht, route::iht, route::oe_right},
     {route::oe_left, route::iht, route::oe_right},
     {route::iht, route::iht, route::bf16}},
};

/// `level` is 1 or 2, patterns and path are enumerators of the C ABI.
constexpr route route_of(int32_t level, int32_t left, int32_t right, int32_t path, int32_t left_oe_on_dw) {
  const route listed = kRoutes[level - 1][left][right];
  const bool port_dw = path == ADAHOP_PATH_DW && left_oe_on_dw == ADAHOP_LEFT_OE_PORT;
  return listed == route::oe_left && port_dw ? route::iht : listed;
}

}  // namespace adahop::hip
