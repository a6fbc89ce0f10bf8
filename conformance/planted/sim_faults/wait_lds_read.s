// Stores the result of a read of LDS before it is waited for.
// expect: use of a load's result before its s_waitcnt PLACE \(0,0\), wave 0: v6 is read while 'ds_read_b32 v6, v2' at 0x[0-9a-f]+ is still to write it; instruction: global_store_dword v1, v6, s\[6:7\]
// unseen: uninitialized,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin wait_lds_read
  load_word
  ds_write_b32 v2, v5
  s_waitcnt lgkmcnt(0)
  ds_read_b32 v6, v2
.if !FAULT
  s_waitcnt lgkmcnt(0)
.endif
  global_store_dword v1, v6, s[6:7]  // place
finish wait_lds_read
