// Adds to a word at an address that is no multiple of four.
// expect: misaligned atomic PLACE \(0,0\), wave 0, lane 0: .*; instruction: global_atomic_add v6, v7, s\[8:9\]
.include "copy_kernel.inc"
begin global_misaligned_atomic
  load_word
  global_store_dword v1, v5, s[6:7]
  v_mov_b32 v6, 2 * FAULT
  v_mov_b32 v7, 1
  global_atomic_add v6, v7, s[8:9]  // place
finish global_misaligned_atomic
