# The scale of B is read from the neighbouring lane's column.
# file: kernels/mx_gemm.hip
# filter: RC/m*
# expect: mx-gemm, pair RC
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]{8} = .*, got 0x[0-9A-F]{8} =
# expect: matmul.forward, pair RC
s/b_scales\.at(column \* kTileBlocks + kb)/b_scales.at((column ^ 1) * kTileBlocks + kb)/
