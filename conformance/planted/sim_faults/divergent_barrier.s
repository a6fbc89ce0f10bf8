// Half of each wave's lanes are switched off at a barrier.
// expect: divergent barrier PLACE \(0,0\), wave 0, lane 32: s_barrier with 32 lanes switched off; instruction: s_barrier
// unseen: uninitialized,pending,races,alignment,outputs
.include "copy_kernel.inc"
begin divergent_barrier
  load_word
  global_store_dword v1, v5, s[6:7]
.if FAULT
  s_mov_b32 exec_hi, 0
.endif
  s_barrier  // place
finish divergent_barrier
