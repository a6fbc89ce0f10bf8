# Rows beyond M are stored.
# file: kernels/mx_tile.h
# filter: NC/mx-gemm*
# expect: mx-gemm, pair NC
# expect: out of bounds|past the end|was changed|first +out
s/if (row < args.m \&\& column < args.n) store/if (column < args.n) store/
