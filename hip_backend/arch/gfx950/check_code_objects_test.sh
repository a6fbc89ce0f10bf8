#!/usr/bin/env bash
# Checks the check: each change planted in the disassembly must be found. Arguments as check_code_objects.sh takes them.
set -euo pipefail
check=$(dirname "$0")/check_code_objects.sh
objdump=$1 def=$2
shift 2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for object in "$@"; do
  "$objdump" -d --mcpu=gfx950 "$object" >"$folder/-d_$(basename "$object")"
  "$objdump" -D -j .rodata --mcpu=gfx950 "$object" >"$folder/-D_$(basename "$object")"
done
# Stands in for objdump: the recorded disassembly of its last argument through the planted change.
cat >"$folder/objdump" <<'SCRIPT'
#!/usr/bin/env bash
folder=$(dirname "$0")
exec sed -E -f "$folder/change" "$folder/$1_$(basename "${!#}")"
SCRIPT
chmod +x "$folder/objdump"

# plant NAME SED_SCRIPT EXPECTED CODE_OBJECT...: the check must fail and say EXPECTED on the changed disassembly.
planted=0
plant() {
  local name=$1 expected=$3
  printf '%s' "$2" >"$folder/change"
  shift 3
  local said
  if said=$(bash "$check" "$folder/objdump" "$def" "$@" 2>&1); then
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
plant "missing kernel" 's/<scatter_add>:/<scatter>:/' 'scatter_add: expected once' "$@"
plant "FP8 operands" 's/cbsz:4 blgp:4//' 'no scaled FP4 matrix instruction' "$@"
plant "one odd matrix instruction" '/mfma_scale/{s/op_sel_hi:\[0,0,0\]/op_sel_hi:[1,0,0]/}' 'mx_gemm_16x16x128: another matrix instruction' "$@"
plant "constant scales" 's/, 0, v[0-9]+, v[0-9]+ op_sel_hi/, 0, 1.0, 1.0 op_sel_hi/' 'no scaled FP4 matrix instruction' "$@"
plant "software encode" 's/v_cvt_scalef32_pk_fp4_f32/v_cvt_something/' 'quantize_bf16: no FP4 conversion' "$@"
plant "software random rounding" 's/v_cvt_scalef32_sr_pk_fp4_f32/v_cvt_something/' 'hadamard_quantize_sr_bf16: no randomly rounding' "$@"
plant "one native instruction from C = 0" 's/(mfma_scale_f32_32x32x64_f8f6f4 [^,]*, [^,]*, [^,]*, )v\[[0-9:]+\]/\10/' 'mx_gemm_native_32x32x64: another matrix instruction' "$@"
plant "native scales of byte 1" '/mfma_scale_f32_16x16x128/{/, 0, v/!s/op_sel_hi:\[0,0,0\]/op_sel:[1,0,0] &/}' 'mx_gemm_native_16x16x128: no scaled FP4' "$@"
plant "software decode" 's/v_cvt_scalef32_pk_f32_fp4/v_cvt_something/' 'dequantize: no FP4 conversion' "$@"
plant "spill" 's/global_store_short/scratch_store_short/' 'registers are spilled' "$@"
plant "approximate reciprocal" 's/v_pk_mul_f32/v_rcp_f32/' 'an approximate instruction' "$@"
plant "approximate division" 's/v_div_fixup_f64/v_mov_b64/' 'line_variance_f32: no fixup step' "$@"
plant "contraction" 's/v_pk_add_f32/v_pk_fma_f32/' 'a fused multiply-add' "$@"
plant "flush to zero" 's/(denorm_mode_32) 3/\1 0/' 'have float_denorm_mode_32 3' "$@"
echo "gfx950: $planted planted changes found"
