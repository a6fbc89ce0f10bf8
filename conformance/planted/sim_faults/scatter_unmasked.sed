# Threads outside the product are not switched off.
# file: kernels/scatter_add.hip
# compile: kernels/scatter_add.hip
# option: mx_gemm=portable
# filter: RN/scatter-add.forward/spread/72x96x80/output=f32
# expect: scatter-add.forward
# expect: gfx950-sim: (access outside device memory|store outside the outputs|read of global memory never written|race on global memory) in kernel scatter_add, 0x[0-9a-f]+ \((elements\.h:[0-9]+, from )?scatter_add\.hip:[0-9]+\), workgroup
/if (row >= args\.m || column >= args\.n) return;/d
