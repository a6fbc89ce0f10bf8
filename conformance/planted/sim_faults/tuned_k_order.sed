# The blocks of a stage are added in descending k.
# file: arch/gfx950/exact_tile.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: any/mx-gemm/mixed-exponents.f32/40x160x24/default
# expect: stage +mx-gemm
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
/void multiply_rest/,/^  }/s/\[&\]<uint32_t Block>() ADAHOP_STATIC_LAMBDA {/[\&]<uint32_t Step>() ADAHOP_STATIC_LAMBDA { constexpr uint32_t Block = kStageBlocks - 1 - Step;/
