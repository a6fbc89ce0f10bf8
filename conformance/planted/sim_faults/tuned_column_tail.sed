# One column past the end of the product is stored.
# file: arch/gfx950/mx_store.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: NN/mx-gemm.dW/uniform/65x288x33/*
# expect: mx-gemm.dW
# expect: gfx950-sim: (race on global memory|access outside device memory|store outside the outputs) in kernel tuned_mx_gemm, 0x[0-9a-f]+ \((elements|mx_store)\.h:[0-9]+, from tuned_mx_gemm\.hip:[0-9]+\), workgroup .*; instruction: global_store
s/if (column + c < args\.n) store/if (column + c <= args.n) store/
