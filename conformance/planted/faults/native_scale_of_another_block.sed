# The native MX product scales every K block of an instruction of A by the byte of its first one, as a wrong op_sel would.
# file: kernels/mx_gemm_native.hip
# filter: RC/native*
# expect: stage +native-mx-gemm, pair RC
# expect: stage +native-matmul, pair RC
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]{8} = .*, got 0x[0-9A-F]{8} =
# expect: certified, SPEC 10\.22
s/a\[f\]\.scale_byte = tile.a_scales\.at(in_a)/a[f].scale_byte = tile.a_scales.at(in_a - lane_block + kb)/
