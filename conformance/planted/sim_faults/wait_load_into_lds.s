// Reads words of LDS while the global load that brings them is under way; lgkmcnt does not count it.
// expect: use of a load's result before its s_waitcnt PLACE \(0,0\), wave 0, lane 0: .*; instruction: ds_read_b32 v6, v2
// unseen: uninitialized,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin wait_load_into_lds
  v_readfirstlane_b32 s10, v2
  s_mov_b32 m0, s10
  s_nop 4
  global_load_lds_dword v1, s[4:5]
.if FAULT
  s_waitcnt lgkmcnt(0)
.else
  s_waitcnt vmcnt(0)
.endif
  ds_read_b32 v6, v2  // place
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v6, s[6:7]
finish wait_load_into_lds
