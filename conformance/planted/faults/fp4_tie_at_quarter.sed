# The tie at 0.25 goes up to 0.5.
# file: arch/portable/fp4.h
# filter: NR/hadamard-quantize*
# expect: hadamard-quantize.right, pair NR
# expect: first +codes \(row [0-9]+, col [0-9]+\): expected 0x[08] = -?0 x .*, got 0x[19] = -?0.5 x
s/threshold_bits(1, scale_byte),/threshold_bits(1, scale_byte) - 1,/
