# Rows and columns of a fragment's results are exchanged.
# file: kernels/mx_tile.h
# compile: kernels/mx_gemm.hip
# option: mx_gemm=portable
# filter: RC/mx-gemm.forward/spread/72x96x80/output=f32
# expect: mx-gemm.forward
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/j \* Mma::kRows + Mma::result_column(lane());/j * Mma::kRows;/
s/i \* Mma::kRows + Mma::result_row(lane(), r);/i * Mma::kRows + Mma::result_column(lane());/
s/if (row < args\.m \&\& column < args\.n) store(args\.out, row, column,/if (row < args.m \&\& column + Mma::result_row(lane(), r) < args.n) store(args.out, row, column + Mma::result_row(lane(), r),/
