# A stage is filled again before the barrier behind its last reads.
# file: arch/gfx950/mx_stage.h
# compile: arch/gfx950/tuned_mx_gemm.hip
# option: mx_gemm=tuned
# filter: any/mx-gemm/paths-narrow.f32/33x1312x20/default
# expect: stage +mx-gemm
# expect: gfx950-sim: (LDS race|use of a load's result before its s_waitcnt|load into LDS that is still in use) in kernel tuned_mx_gemm, 0x[0-9a-f]+ \((exact_tile|mx_stage)\.h:[0-9]+, from tuned_mx_gemm\.hip:[0-9]+\), workgroup
s/tile\.multiply(stage_0);/& loader.load(step + 2, stage_0);/
/^ *loader\.load(step + 2, stage_0);$/d
