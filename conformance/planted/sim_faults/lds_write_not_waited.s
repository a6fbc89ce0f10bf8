// A wave reaches the barrier while its write to LDS is still under way, and another one reads the word behind it.
// expect: LDS race PLACE \(0,0\), wave [0-3], lane [0-9]+: .* by wave [0-3] with no barrier between; instruction: ds_read_b32 v6, v3
// unseen: uninitialized,pending,alignment,outputs,divergence
.include "copy_kernel.inc"
begin lds_write_not_waited
  load_word
  ds_write_b32 v2, v5
.if !FAULT
  s_waitcnt lgkmcnt(0)
.endif
  s_barrier
  ds_read_b32 v6, v3  // place
  s_waitcnt lgkmcnt(0)
  global_store_dword v4, v6, s[6:7]
finish lds_write_not_waited
