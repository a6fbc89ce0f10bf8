# The barrier between using a tile of the BF16 product and staging the next is gone.
# file: kernels/bf16_gemm.hip
# filter: CC/bf16-product*
# expect: bf16-product, pair CC
# expect: (race|read of unwritten shared memory).* in kernel bf16_gemm.*bf16_gemm\.hip:[0-9]+
/^ *ADAHOP_BARRIER();$/{x;s/^/x/;/^xx$/{x;d};x}
