// Lanes 2 n and 2 n + 1 write different values to one word of LDS, which nobody reads.
// expect: race between lanes of a store PLACE \([01],0\), wave [0-3], lane 0: lanes 0 and 1 write different values to byte [0-9]+ of LDS; instruction: ds_write_b32 v6, v0
// unseen: uninitialized,pending,alignment,outputs,divergence
.include "copy_kernel.inc"
begin store_lanes_disagree
  load_word
  v_and_b32 v6, 0xfffffffc, v2
.if FAULT
  v_and_b32 v6, 0xfffffff8, v2
.endif
  ds_write_b32 v6, v0  // place
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v5, s[6:7]
finish store_lanes_disagree
