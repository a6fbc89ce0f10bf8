# The scales of B are staged where those of A are.
# file: kernels/mx_tile.h
# compile: kernels/mx_gemm.hip
# option: mx_gemm=portable
# filter: RC/mx-gemm.forward/spread/72x96x80/output=f32
# expect: mx-gemm.forward
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/return {a_codes, b_codes, a_scales, b_scales}/return {a_codes, b_codes, a_scales, a_scales}/
