# An element of exactly 6 scales counts as clipped.
# file: kernels/quantize_block.h
# filter: CR/hadamard-quantize*
# expect: hadamard-quantize.left, pair CR
# expect: first +clipped
s/0x7FFFFFFFu) > six_bits/0x7FFFFFFFu) >= six_bits/
