// A matrix instruction adds to accumulation registers that nobody has written.
// expect: read of a register never written PLACE \(0,0\), wave 0, lane 0: a0 has no value; instruction: v_mfma_f32_16x16x32_bf16 a\[0:3\], v\[8:11\], v\[12:15\], a\[0:3\]
// unseen: pending,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin accumulator_unwritten
  load_word
  global_store_dword v1, v5, s[6:7]
.irp n, 8, 9, 10, 11, 12, 13, 14, 15
  v_mov_b32 v\n, 0
.endr
.if !FAULT
.irp n, 0, 1, 2, 3
  v_accvgpr_write_b32 a\n, 0
.endr
.endif
  s_nop 4
  v_mfma_f32_16x16x32_bf16 a[0:3], v[8:11], v[12:15], a[0:3]  // place
finish accumulator_unwritten
