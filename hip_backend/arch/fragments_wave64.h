// Where a lane of a 64-lane wave finds its part of a scaled matrix tile, as V_MFMA_SCALE_F32_*_F8F6F4 lays FP4 out:
// one lane holds one 32-element block of A and of B, and kResults elements of the product.
#pragma once
#include "arch/lang.h"

namespace adahop::hip {

struct fragments_16x16x128 {
  static constexpr uint32_t kRows = 16;    ///< rows of A and of B (columns of the product) in a tile
  static constexpr uint32_t kBlocks = 4;   ///< 32-element blocks of K in a tile
  static constexpr uint32_t kResults = 4;  ///< product elements in a lane
  ADAHOP_DEVICE_FN static uint32_t input_row(uint32_t lane) { return lane % 16; }
  ADAHOP_DEVICE_FN static uint32_t input_block(uint32_t lane) { return lane / 16; }
  ADAHOP_DEVICE_FN static uint32_t result_row(uint32_t lane, uint32_t r) { return 4 * (lane / 16) + r; }
  ADAHOP_DEVICE_FN static uint32_t result_column(uint32_t lane) { return lane % 16; }
};

struct fragments_32x32x64 {
  static constexpr uint32_t kRows = 32;
  static constexpr uint32_t kBlocks = 2;
  static constexpr uint32_t kResults = 16;
  ADAHOP_DEVICE_FN static uint32_t input_row(uint32_t lane) { return lane % 32; }
  ADAHOP_DEVICE_FN static uint32_t input_block(uint32_t lane) { return lane / 32; }
  ADAHOP_DEVICE_FN static uint32_t result_row(uint32_t lane, uint32_t r) {
    return 8 * (r / 4) + 4 * (lane / 32) + r % 4;
  }
  ADAHOP_DEVICE_FN static uint32_t result_column(uint32_t lane) { return lane % 32; }
};

}  // namespace adahop::hip
