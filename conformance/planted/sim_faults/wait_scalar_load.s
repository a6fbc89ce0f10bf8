// Waits until one of two scalar loads is done; they may come back in any order, so that it need not be the first.
// expect: use of a load's result before its s_waitcnt PLACE \(0,0\), wave 0: s12 is read while 's_load_dword s12, s\[4:5\], 0x0' at 0x[0-9a-f]+ is still to write it; instruction: s_add_u32 s14, s12, 1
// unseen: uninitialized,races,alignment,outputs,divergence
.include "copy_kernel.inc"
begin wait_scalar_load
  load_word
  global_store_dword v1, v5, s[6:7]
  s_load_dword s12, s[4:5], 0x0
  s_load_dword s13, s[4:5], 0x4
  s_waitcnt lgkmcnt(FAULT)
  s_add_u32 s14, s12, 1  // place
finish wait_scalar_load
