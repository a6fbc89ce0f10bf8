# The last block of a K that ends within a stage is left out.
# file: arch/gfx950/mx_stage.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: RC/mx-gemm.forward/spread/72x96x80/output=f32
# expect: mx-gemm.forward
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/left < kStageBlocks ? static_cast<uint32_t>(left)/left < kStageBlocks ? static_cast<uint32_t>(left) - 1/
