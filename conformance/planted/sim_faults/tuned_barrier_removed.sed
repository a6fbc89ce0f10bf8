# The barrier between the loads of a stage and its use is gone.
# file: arch/gfx950/mx_stage.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: NN/mx-gemm.dW/uniform/65x288x33/*
# expect: mx-gemm.dW
# expect: gfx950-sim: (LDS race|use of a load's result before its s_waitcnt|read of LDS never written) in kernel tuned_mx_gemm, 0x[0-9a-f]+ \((exact_tile|mx_stage)\.h:[0-9]+, from tuned_mx_gemm\.hip:[0-9]+\), workgroup .*; instruction: ds_read
/s_waitcnt(kVmcnt0);/{n;d}
