# The barrier between multiplying a tile and staging the next is gone.
# file: kernels/mx_gemm.hip
# filter: CC/mx-gemm*
# expect: mx-gemm, pair CC
# expect: (race|read of unwritten shared memory).* in kernel mx_gemm.*mx_gemm\.hip:[0-9]+
/^ *ADAHOP_BARRIER();$/{x;s/^/x/;/^xx$/{x;d};x}
