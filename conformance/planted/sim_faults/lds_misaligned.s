// Reads eight bytes of LDS at an address that is no multiple of eight.
// expect: misaligned LDS access PLACE \(0,0\), wave 0, lane 0: .*; instruction: ds_read_b64 v\[6:7\], v8
// unseen: uninitialized,pending,races,outputs,divergence
.include "copy_kernel.inc"
begin lds_misaligned
  load_word
  global_store_dword v1, v5, s[6:7]
  ds_write_b32 v2, v5
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_and_b32 v8, 0x1f8, v2
  v_add_u32 v8, 4 * FAULT, v8
  ds_read_b64 v[6:7], v8  // place
finish lds_misaligned
