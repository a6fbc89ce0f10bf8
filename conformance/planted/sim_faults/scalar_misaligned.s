// A scalar load from an address that is no multiple of four.
// expect: misaligned scalar load PLACE \(0,0\), wave 0: .*; instruction: s_load_dword s10, s\[4:5\], 0x2
// unseen: uninitialized,pending,races,outputs,divergence
.include "copy_kernel.inc"
begin scalar_misaligned
  load_word
  global_store_dword v1, v5, s[6:7]
  s_load_dword s10, s[4:5], 2 * FAULT  // place
finish scalar_misaligned
