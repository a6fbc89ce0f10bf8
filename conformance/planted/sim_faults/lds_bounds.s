// The last work-item reads past the workgroup's LDS.
// expect: access outside LDS PLACE \(0,0\), wave 3, lane 63: .*; instruction: ds_read_b32 v6, v7
.include "copy_kernel.inc"
begin lds_bounds
  load_word
  global_store_dword v1, v5, s[6:7]
  ds_write_b32 v2, v5
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_add_u32 v7, 4 * FAULT, v2
  ds_read_b32 v6, v7  // place
finish lds_bounds
