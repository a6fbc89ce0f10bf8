# The blocks of a tile are added in descending k.
# file: kernels/mx_gemm.hip
# compile: kernels/mx_gemm.hip
# option: mx_gemm=portable
# filter: any/mx-gemm/mixed-exponents.f32/40x160x24/default
# expect: stage +mx-gemm
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/for (uint32_t kb = 0; kb < here; ++kb)/for (uint32_t kb = here; kb-- > 0;)/
