// A transposing read of LDS exchanges data between lanes; half of them are switched off.
// expect: transposing read with lanes switched off PLACE \(0,0\), wave 0, lane 32: .*; instruction: ds_read_b64_tr_b16 v\[6:7\], v8
.include "copy_kernel.inc"
begin transposing_read_lanes_off
  load_word
  global_store_dword v1, v5, s[6:7]
  ds_write_b32 v2, v5
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_and_b32 v8, 63, v0
  v_lshlrev_b32 v8, 3, v8
.if FAULT
  s_mov_b32 exec_hi, 0
.endif
  ds_read_b64_tr_b16 v[6:7], v8  // place
finish transposing_read_lanes_off
