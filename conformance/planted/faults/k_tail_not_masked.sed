# A tile that reaches beyond K multiplies what lies there.
# file: kernels/mx_tile.h kernels/mx_gemm.hip
# filter: RR/mx-gemm*
# expect: mx-gemm, pair RR
# expect: first +out \(row [0-9]+, col [0-9]+\): expected|out of bounds
s/row < rows \&\& block < blocks/row < rows/
s/const uint32_t here = .*/const uint32_t here = kTileBlocks;/
