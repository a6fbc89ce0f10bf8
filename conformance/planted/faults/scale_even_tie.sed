# Rule even keeps the smaller scale where amax / 2^e is exactly 1.75.
# file: kernels/quantize_block.h
# filter: NN/hadamard-quantize*
# expect: hadamard-quantize.left, pair NN
# expect: first +scales \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]{2} = 2\^.*, got 0x[0-9A-F]{2} = 2\^
s/amax_bits + 0x00200000u/amax_bits + 0x001FFFFFu/
