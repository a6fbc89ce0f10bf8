// The last work-item reads one word past the end of its input.
// expect: access outside device memory PLACE \(1,0\), wave 3, lane 63: .*; instruction: global_load_dword v5, v6, s\[4:5\]
.include "copy_kernel.inc"
begin global_bounds
  load_word
  global_store_dword v1, v5, s[6:7]
  v_mov_b32 v6, v1
.if FAULT
  v_add_u32 v6, 4, v1
.endif
  global_load_dword v5, v6, s[4:5]  // place
finish global_bounds
