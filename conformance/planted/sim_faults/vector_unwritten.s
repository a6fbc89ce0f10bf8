// Uses a sum with a vector register that nobody has written as a store's data.
// expect: read of a register never written PLACE \(0,0\), wave 0, lane 0: v6 has no value; instruction: global_store_dword v1, v6, s\[6:7\]
.include "copy_kernel.inc"
begin vector_unwritten
  load_word
.if !FAULT
  v_mov_b32 v9, 0
.endif
  v_add_u32 v6, v5, v9
  global_store_dword v1, v6, s[6:7]  // place
finish vector_unwritten
