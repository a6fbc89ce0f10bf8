# The rows that were extracted stay in the residual.
# file: kernels/hadamard_quantize.hip
# filter: RC/hadamard-quantize.right*
# expect: hadamard-quantize.right, pair RC, strategy OE-right
# expect: first +(scales|codes|clipped)
s/args\.positions\[at\.row\] != 0/args.positions[at.row] < 0/
