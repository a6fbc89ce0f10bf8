#!/usr/bin/env bash
# Checks the check: each change planted in the disassembly must be found. Arguments as check_code_objects.sh takes them.
set -euo pipefail
check=$(dirname "$0")/check_code_objects.sh
objdump=$1 def=$2
shift 2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$objdump" -D -j .text -j .rodata --mcpu=gfx950 "$@" >"$folder/disassembly"
# Stands in for objdump: the recorded disassembly through the planted change.
cat >"$folder/objdump" <<'SCRIPT'
#!/usr/bin/env bash
folder=$(dirname "$0")
exec sed -E -f "$folder/change" "$folder/disassembly"
SCRIPT
chmod +x "$folder/objdump"

# plant NAME SED_SCRIPT EXPECTED: the check must fail and say EXPECTED on the changed disassembly.
planted=0
plant() {
  local name=$1 expected=$3 said
  printf '%s' "$2" >"$folder/change"
  if said=$(bash "$check" "$folder/objdump" "$def" 2>&1); then
    echo "planted $name: not found"
    exit 1
  fi
  if ! grep -qF "$expected" <<<"$said"; then
    echo "planted $name: expected '$expected', got: $said"
    exit 1
  fi
  planted=$((planted + 1))
}

bash "$check" "$objdump" "$def" "$@"
plant "missing kernel" 's/<scatter_add>:/<scatter>:/' 'scatter_add: expected once'
plant "FP8 operands" 's/cbsz:4 blgp:4//' 'no scaled FP4 matrix instruction'
plant "one odd matrix instruction" '/mfma_scale/{s/op_sel_hi:\[0,0,0\]/op_sel_hi:[1,0,0]/}' 'mx_gemm_16x16x128: another matrix instruction'
plant "constant scales" 's/, 0, v[0-9]+, v[0-9]+ op_sel_hi/, 0, 1.0, 1.0 op_sel_hi/' 'no scaled FP4 matrix instruction'
plant "software encode" 's/v_cvt_scalef32_pk_fp4_f32/v_cvt_something/' 'quantize_bf16: no FP4 conversion'
plant "software random rounding" 's/v_cvt_scalef32_sr_pk_fp4_f32/v_cvt_something/' 'hadamard_quantize_sr_bf16: no randomly rounding'
plant "one native instruction from C = 0" 's/(mfma_scale_f32_32x32x64_f8f6f4 [^,]*, [^,]*, [^,]*, )v\[[0-9:]+\]/\10/' 'mx_gemm_native_32x32x64: another matrix instruction'
plant "native scales of byte 1" '/mfma_scale_f32_16x16x128/{/, 0, v/!s/op_sel_hi:\[0,0,0\]/op_sel:[1,0,0] &/}' 'mx_gemm_native_16x16x128: no scaled FP4'
plant "the tuned product from D" 's/(mfma_scale_f32_32x32x64_f8f6f4 (v\[[0-9:]+\]), [^,]*, [^,]*, )0, (v[0-9]+, v[0-9]+ op_sel:)/\1\2, \3/' 'tuned_mx_gemm: another matrix instruction'
plant "bytes of different halves" 's/op_sel_hi:\[1,1,0\]/op_sel_hi:[1,0,0]/' 'tuned_mx_gemm_native: another matrix instruction'
plant "a byte of A's scales that bitexact does not use" '/32x32x64/s/op_sel:\[1,0,0\] op_sel_hi:\[1,1,0\]/op_sel:[1,1,0] op_sel_hi:[1,1,0]/' 'tuned_mx_gemm: another matrix instruction'
plant "a byte that is never used" '/32x32x64/s/op_sel:\[1,0,0\] (op_sel_hi:\[1,1,0\])/\1/' 'tuned_mx_gemm: no bytes 3 and 2 of the scales'
plant "staging through registers" 's/global_load_lds_dwordx4/global_load_dwordx4/' 'tuned_mx_gemm: no load of 16 bytes into shared memory'
plant "software decode" 's/v_cvt_scalef32_pk_f32_fp4/v_cvt_something/' 'dequantize: no FP4 conversion'
plant "code that no one knows" 's/<scatter_add>:/&\n0000000000009999 <helper>:/' 'helper: code that is no kernel'
plant "scratch memory" 's/global_store_short/scratch_store_short/' 'scratch memory'
plant "accumulation register" 's/v_mov_b32_e32 v/v_accvgpr_write_b32 a/' 'a vector register kept in an accumulation register'
plant "unknown address space" 's/global_load_ushort/flat_load_ushort/' 'an access whose address space is unknown'
plant "integers wanted" '/<quantize_stochastic_bf16>:/a\\tv_cvt_scalef32_pk_fp4_f32 v1, v2, v3, v4' 'quantize_stochastic_bf16: an FP4 conversion'
plant "approximate reciprocal" 's/v_pk_mul_f32/v_rcp_f32/' 'an approximate instruction'
plant "approximate division" 's/v_div_fixup_f64/v_mov_b64/' 'line_variance_f32: no fixup step'
plant "contraction" 's/v_pk_add_f32/v_pk_fma_f32/' 'a fused multiply-add'
plant "flush to zero" 's/(denorm_mode_32) 3/\1 0/' 'quantize_f32: its descriptor lacks amdhsa_float_denorm_mode_32 3'
echo "gfx950: $planted planted changes found"
