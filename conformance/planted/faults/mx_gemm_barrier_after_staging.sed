# The barrier between staging a tile and multiplying it is gone.
# file: kernels/mx_gemm.hip
# filter: RC/mx-gemm*
# expect: mx-gemm, pair RC
# expect: (race|read of unwritten shared memory).* in kernel mx_gemm.*mx_gemm\.hip:[0-9]+
0,/^ *ADAHOP_BARRIER();$/{/^ *ADAHOP_BARRIER();$/d}
