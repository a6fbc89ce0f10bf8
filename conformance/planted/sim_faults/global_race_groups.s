// Both workgroups store to the same word; that it is the same value changes nothing.
// expect: race on global memory PLACE \([01],0\), wave 0, lane 0: .* by workgroup number [01] of the launch; instruction: global_store_dword v6, v7, s\[8:9\]
// unseen: uninitialized,pending,alignment,outputs,divergence
.include "copy_kernel.inc"
begin global_race_groups
  load_word
  global_store_dword v1, v5, s[6:7]
.if !FAULT
  s_cmp_lg_u32 s2, 0
  s_cbranch_scc1 end
.endif
  v_cmp_eq_u32 vcc, 0, v0
  s_and_saveexec_b64 s[10:11], vcc
  v_mov_b32 v6, 0
  v_mov_b32 v7, 1
  global_store_dword v6, v7, s[8:9]  // place
end:
finish global_race_groups
