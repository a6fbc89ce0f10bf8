# A tie between two BF16 values goes away from zero.
# file: kernels/elements.h
# filter: any/hadamard/bf16-ties*
# expect: stage +hadamard;
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]{4} = .*, got 0x[0-9A-F]{4} =
s/bits + 0x7FFFu + ((bits >> 16) \& 1u)/bits + 0x8000u/
