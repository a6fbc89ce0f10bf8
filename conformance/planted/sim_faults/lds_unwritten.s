// Reads words of LDS of which half have been written.
// expect: read of LDS never written PLACE \(0,0\), wave 2, lane 0: .*; instruction: ds_read_b32 v6, v2
// unseen: pending,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin lds_unwritten
  load_word
  global_store_dword v1, v5, s[6:7]
  v_cmp_gt_u32 vcc, 256 - 128 * FAULT, v0
  s_and_saveexec_b64 s[10:11], vcc
  ds_write_b32 v2, v5
  s_mov_b64 exec, s[10:11]
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v6, v2  // place
finish lds_unwritten
