# A lane takes the scales of the next row.
# file: arch/gfx950/native_tile.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: RC/native-mx-gemm.forward/*
# expect: stage +native-mx-gemm
# expect: first +out
s/staged_scale(wave_row + 32 \* g + lane() % 16,/staged_scale(wave_row + 32 * g + (lane() + 1) % 16,/
