# Scatter-add takes the line before the one that belongs to an index.
# file: kernels/scatter_add.hip
# filter: RN/scatter-add*
# expect: scatter-add, pair RN
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/const int64_t line = place - 1;/const int64_t line = place > 1 ? place - 2 : 0;/
