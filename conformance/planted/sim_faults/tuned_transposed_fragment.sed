# The 16 x 16 results of a wave are laid out with rows and columns of fragments exchanged.
# file: arch/gfx950/native_tile.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: RC/native-mx-gemm.forward/*
# expect: stage +native-mx-gemm
# expect: first +out
s/to\.at(16 \* i + lane() % 16, 4 \* j + lane() \/ 16)/to.at(16 * j + lane() % 16, 4 * i + lane() \/ 16)/
