# The wait for the direct loads is gone, and the barrier orders nothing that the compiler knows of.
# file: arch/gfx950/mx_stage.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: NN/mx-gemm.dW/uniform/65x288x33/*
# expect: mx-gemm.dW
# expect: gfx950-sim: use of a load's result before its s_waitcnt in kernel tuned_mx_gemm, 0x[0-9a-f]+ \((exact_tile|mx_stage)\.h:[0-9]+, from tuned_mx_gemm\.hip:[0-9]+\), workgroup .* is still to come from a global load into LDS; instruction: ds_read
/s_waitcnt(kVmcnt0);/{N;s/.*/  __builtin_amdgcn_s_barrier();/}
