// Stores the result of the second of two loads when only the first has been waited for.
// expect: use of a load's result before its s_waitcnt PLACE \(0,0\), wave 0: v5 is read while 'global_load_dword v5, v1, s\[4:5\]' at 0x[0-9a-f]+ is still to write it; instruction: global_store_dword v1, v5, s\[6:7\]
// unseen: uninitialized,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin wait_global_load
  global_load_dword v6, v4, s[4:5]
  global_load_dword v5, v1, s[4:5]
  s_waitcnt vmcnt(FAULT)
  global_store_dword v1, v5, s[6:7]  // place
finish wait_global_load
