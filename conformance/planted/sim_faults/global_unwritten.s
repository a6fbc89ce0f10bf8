// Reads a word of its output before anybody has written it.
// expect: read of global memory never written PLACE \(0,0\), wave 0, lane 0: .*; instruction: global_load_dword v6, v1, s\[6:7\]
// unseen: pending,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin global_unwritten
  load_word
.if !FAULT
  global_store_dword v1, v5, s[6:7]
  s_waitcnt vmcnt(0)
.endif
  global_load_dword v6, v1, s[6:7]  // place
  global_store_dword v1, v5, s[6:7]
finish global_unwritten
