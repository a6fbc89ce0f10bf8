// A global load overwrites words of LDS that a read before it has not fetched yet: the two do not wait for each other.
// expect: load into LDS that is still in use PLACE \(0,0\), wave 0: .* 'ds_read_b32 v6, v2' of the same wave, .*; instruction: global_load_lds_dword v1, s\[4:5\]
// unseen: uninitialized,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin load_into_lds_in_use
  load_word
  ds_write_b32 v2, v5
  v_readfirstlane_b32 s10, v2
  s_mov_b32 m0, s10
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v6, v2
.if !FAULT
  s_waitcnt lgkmcnt(0)
.endif
  global_load_lds_dword v1, s[4:5]  // place
  s_waitcnt vmcnt(0) lgkmcnt(0)
  global_store_dword v1, v6, s[6:7]
finish load_into_lds_in_use
