# The accumulators of a native tile begin with what the registers hold.
# file: arch/gfx950/native_tile.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: RC/native-mx-gemm.forward/*
# expect: stage +native-mx-gemm
# expect: gfx950-sim: read of a register never written in kernel tuned_mx_gemm_native, 0x[0-9a-f]+ \(.*from tuned_mx_gemm\.hip:[0-9]+\), workgroup .*; instruction: v_mfma
s/acc_\[kFragments\]\[kFragments\] = {};/acc_[kFragments][kFragments];/
