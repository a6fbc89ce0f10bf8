// A wave reaches the barrier while its store is still under way, and another one loads the word behind it.
// expect: race on global memory PLACE \([01],0\), wave [0-3], lane [0-9]+: .* by wave [0-3] with no barrier between; instruction: global_load_dword v6, v4, s\[6:7\]
// unseen: uninitialized,pending,alignment,outputs,divergence
.include "copy_kernel.inc"
begin store_not_waited
  load_word
  global_store_dword v1, v5, s[6:7]
.if !FAULT
  s_waitcnt vmcnt(0)
.endif
  s_barrier
  global_load_dword v6, v4, s[6:7]  // place
finish store_not_waited
