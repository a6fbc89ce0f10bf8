# The second stage begins 1024 bytes before the first one ends, where that has the scales of B.
# file: arch/gfx950/tuned_kernel.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: NN/mx-gemm.dW/uniform/65x288x33/*
# expect: mx-gemm.dW
# expect: gfx950-sim: (LDS race|use of a load's result before its s_waitcnt|load into LDS that is still in use) in kernel tuned_mx_gemm, 0x[0-9a-f]+ \((exact_tile|mx_stage)\.h:[0-9]+, from tuned_mx_gemm\.hip:[0-9]+\), workgroup
s/mx_stage stage_0, stage_1;/mx_stage stages[2]; mx_stage\& stage_0 = stages[0]; mx_stage\& stage_1 = *reinterpret_cast<mx_stage*>(reinterpret_cast<char*>(stages + 1) - 1024);/
