# The FP4 conversion writes two pairs of elements to each other's byte.
# file: arch/gfx950/fp4.h
# compile: kernels/hadamard_quantize.hip
# filter: RC/hadamard-quantize.left.forward/spread/72x96x80/output=f32
# expect: hadamard-quantize.left.forward
# expect: first +codes \(row 0, col 4\): expected
s/\(v\[8 \* w + 5\], scale, \)2/\13/
s/\(v\[8 \* w + 7\], scale, \)3/\12/
