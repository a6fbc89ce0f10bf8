# The main loop adds the dots of the instruction before instead of those that are due.
# file: arch/gfx950/exact_tile.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: any/mx-gemm/paths-narrow.f32/33x1312x20/default
# expect: stage +mx-gemm
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/acc_\[(kAt - kInFlight) % kFragments\] += dots\[kAt % kInFlight\];/acc_[(kAt - kInFlight) % kFragments] += dots[(kAt + 1) % kInFlight];/
