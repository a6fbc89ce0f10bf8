# The matrix instruction adds to the dots of the block before instead of to 0.
# file: arch/gfx950/mma.h kernels/mx_gemm.hip
# compile: kernels/mx_gemm.hip
# option: mx_gemm=portable
# filter: RC/mx-gemm.forward/spread/72x96x80/output=f32
# expect: mx-gemm.forward
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/, scale, results{});/, scale, __builtin_bit_cast(results, out));/
s/float acc\[kFragments\]\[kFragments\]\[Mma::kResults\] = {};/& float quarter_dots[Mma::kResults] = {};/
/^ *float quarter_dots\[Mma::kResults\];$/d
