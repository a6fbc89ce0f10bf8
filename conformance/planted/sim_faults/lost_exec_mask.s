// EXEC is not restored behind a branch that only some lanes take, so that the others store nothing.
// expect: lost_exec_mask: word 32 is 0x[0-9A-F]{8}, expected 0x[0-9A-F]{8}
.include "copy_kernel.inc"
begin lost_exec_mask
  load_word
  v_and_b32 v6, 63, v0
  v_cmp_gt_u32 vcc, 32, v6
  s_and_saveexec_b64 s[10:11], vcc
  v_mov_b32 v7, 0
.if !FAULT
  s_mov_b64 exec, s[10:11]
.endif
  global_store_dword v1, v5, s[6:7]
finish lost_exec_mask
