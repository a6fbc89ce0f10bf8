# The native MX product gives each lane the scale of its neighbour's row of B.
# file: kernels/mx_gemm_native.hip
# filter: RC/native*
# expect: stage +native-mx-gemm, pair RC
# expect: stage +native-matmul, pair RC
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]{8} = .*, got 0x[0-9A-F]{8} =
# expect: certified, SPEC 10\.22
s/b\[f\]\.scale_byte = tile.b_scales\.at(in_b)/b[f].scale_byte = tile.b_scales.at(in_b ^ kTileBlocks)/
