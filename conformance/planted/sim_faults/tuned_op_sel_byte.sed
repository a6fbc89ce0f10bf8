# op_sel takes the scale byte of the other 16 rows of B.
# file: arch/gfx950/exact_tile.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: RC/mx-gemm.forward/spread/72x96x80/output=f32
# expect: mx-gemm.forward
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/mfma_scaled<2 \* kHalf + F % 2, 2 \* kHalf>/mfma_scaled<2 * kHalf + 1 - F % 2, 2 * kHalf>/
