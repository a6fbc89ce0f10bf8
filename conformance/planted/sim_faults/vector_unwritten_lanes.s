// Uses an address in lanes that were switched off when it was made.
// expect: read of a register never written PLACE \(0,0\), wave 0, lane 32: v9 has no value; instruction: global_store_dword v9, v5, s\[6:7\]
.include "copy_kernel.inc"
begin vector_unwritten_lanes
  load_word
.if FAULT
  s_mov_b32 exec_hi, 0
.endif
  v_mov_b32 v9, v1
  s_mov_b32 exec_hi, -1
  global_store_dword v9, v5, s[6:7]  // place
finish vector_unwritten_lanes
