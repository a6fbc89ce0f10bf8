# Sums of the pattern statistics run straight through instead of in chunks of 64.
# file: kernels/two_level_sum.h
# filter: N?/pattern*
# expect: pattern, pair N[RCN]
# expect: first +(cv_row|cv_col|row_variance|col_variance) \(row 0, col [0-9]+\): expected 0x[0-9A-F]{16} = .*, got 0x[0-9A-F]{16} =
s/kChunk = 64;/kChunk = 1 << 30;/
