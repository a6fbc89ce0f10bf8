// Waves read words that others write, with no barrier between. The values read are not used.
// expect: LDS race PLACE \(0,0\), wave [0-3], lane [0-9]+: .* by wave [0-3] with no barrier between; instruction: ds_write_b32 v2, v5
// unseen: uninitialized,pending,alignment,outputs,divergence
.include "copy_kernel.inc"
begin lds_race
  load_word
  global_store_dword v1, v5, s[6:7]
  // Zeros first, so that every word has a value and only the order of the accesses is in question.
  v_mov_b32 v6, 0
  ds_write_b32 v3, v6
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_write_b32 v2, v5  // place
  s_waitcnt lgkmcnt(0)
.if !FAULT
  s_barrier
.endif
  ds_read_b32 v6, v3
finish lds_race
