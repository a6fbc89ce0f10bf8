# Among equal scores the higher index wins.
# file: kernels/select_rank.hip
# filter: any/foid/*
# expect: stage +foid
# expect: first +indices \(row 0, col [0-9]+\): expected 0x[0-9A-F]{8} = [0-9]+, got 0x[0-9A-F]{8} = [0-9]+
s/first + i < row/first + i > row/
