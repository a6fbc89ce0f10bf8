// Waves read words that others of their workgroup store, with no barrier between. The values read are not used.
// expect: race on global memory PLACE \(0,0\), wave [0-3], lane [0-9]+: .* by wave [0-3] with no barrier between; instruction: global_store_dword v1, v5, s\[6:7\]
// unseen: uninitialized,pending,alignment,outputs,divergence
.include "copy_kernel.inc"
begin global_race_waves
  load_word
  // Zeros first, so that every word has a value and only the order of the accesses is in question.
  v_mov_b32 v6, 0
  global_store_dword v4, v6, s[6:7]
  s_waitcnt vmcnt(0)
  s_barrier
  global_store_dword v1, v5, s[6:7]  // place
  s_waitcnt vmcnt(0)
.if !FAULT
  s_barrier
.endif
  global_load_dword v7, v4, s[6:7]
finish global_race_waves
