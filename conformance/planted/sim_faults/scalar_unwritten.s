// Branches on a comparison with a scalar register that nobody has written.
// expect: read of a register never written PLACE \(0,0\), wave 0: scc has no value; instruction: s_cbranch_scc0 1
// unseen: pending,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin scalar_unwritten
  load_word
  global_store_dword v1, v5, s[6:7]
.if !FAULT
  s_mov_b32 s12, 1
.endif
  s_cmp_eq_u32 s12, 0
  s_cbranch_scc0 end  // place
  s_nop 0
end:
finish scalar_unwritten
