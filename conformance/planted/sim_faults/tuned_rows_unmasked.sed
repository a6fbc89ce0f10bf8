# Rows past the end of the product are stored too.
# file: arch/gfx950/mx_store.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: RC/mx-gemm.forward/spread/72x96x80/output=f32
# expect: mx-gemm.forward
# expect: gfx950-sim: (access outside device memory|store outside the outputs) in kernel tuned_mx_gemm, 0x[0-9a-f]+ \((elements|mx_store)\.h:[0-9]+, from tuned_mx_gemm\.hip:[0-9]+\), workgroup .*; instruction: global_store
s/if (row < args\.m \&\& column < args\.n) {/if (column < args.n) {/
