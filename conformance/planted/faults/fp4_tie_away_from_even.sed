# The tie at 2.5 goes away from the even code.
# file: arch/portable/fp4.h
# filter: CN/hadamard-quantize*
# expect: hadamard-quantize.left, pair CN
# expect: first +codes \(row [0-9]+, col [0-9]+\): expected 0x[4C] = -?2 x 2\^.*, got 0x[5D] = -?3 x
s/threshold_bits(10, scale_byte),/threshold_bits(10, scale_byte) - 1,/
