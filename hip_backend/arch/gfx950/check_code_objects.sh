#!/usr/bin/env bash
# Checks the machine code of the kernels: usage check_code_objects.sh OBJDUMP KERNELS_DEF CODE_OBJECT...
# Every kernel of kernels.def is there once; the MX instructions are used and in the form meant; nothing approximate,
# nothing spilled, no fused multiply-add where SPEC 1.5 wants two roundings; subnormals are kept. [spec:1.3] [spec:1.5]
set -euo pipefail
objdump=$1 def=$2
shift 2

text=$(mktemp)
trap 'rm -f "$text"' EXIT
for object in "$@"; do
  "$objdump" -d --mcpu=gfx950 "$object"
done >"$text"

failures=0
fail() {
  echo "gfx950: $*"
  failures=$((failures + 1))
}

# The instructions of one kernel.
code_of() {
  awk -v label="<$1>:" '/^[0-9a-f]+ </ { on = $2 == label } on && /^\t/' "$text"
}
has() { grep -Eq "$2" <<<"$1"; }
must() { has "$2" "$3" || fail "$1: no $4"; }
must_not() {
  local found
  found=$(grep -Em1 "$3" <<<"$2" || true)
  [ -z "$found" ] || fail "$1: $4: $(sed 's/^[[:space:]]*//; s,[[:space:]]*//.*,,' <<<"$found")"
}

kernels=$(sed -nE 's/^ADAHOP_KERNEL_ENTRY\(([a-z0-9_]+),.*/\1/p' "$def")
[ -n "$kernels" ] || fail "no kernel found in $def"

for kernel in $kernels; do
  labels=$(grep -cE "^[0-9a-f]+ <$kernel>:" "$text" || true)
  [ "$labels" = 1 ] || fail "$kernel: expected once in the code objects, found $labels times"
  code=$(code_of "$kernel")

  must_not "$kernel" "$code" '\<scratch_' "registers are spilled"
  must_not "$kernel" "$code" '\<flat_' "an access whose address space is unknown"
  case $kernel in
    line_variance_*)
      # v_rcp_f64 starts the division sequence that div_scale, div_fmas and div_fixup make correctly rounded.
      must_not "$kernel" "$code" '\<v_(rsq|sqrt|exp|log|sin|cos)_|\<v_rcp_(f16|f32|iflag)' "an approximate instruction"
      must "$kernel" "$code" '\<v_div_scale_f64' "scaled step of an IEEE division"
      must "$kernel" "$code" '\<v_div_fmas_f64' "fma step of an IEEE division"
      must "$kernel" "$code" '\<v_div_fixup_f64' "fixup step of an IEEE division"
      ;;
    *) must_not "$kernel" "$code" '\<v_(rcp|rsq|sqrt|exp|log|sin|cos)_' "an approximate instruction" ;;
  esac
  case $kernel in
    hadamard_* | foid_score_* | scatter_add)
      must_not "$kernel" "$code" '\<v_(pk_)?(fma|fmac|mac|mad|fmaak|fmamk)_(mix_)?(f16|f32|legacy)' "a fused multiply-add" ;;
  esac
  case $kernel in
    *quantize_sr_*)
      must "$kernel" "$code" '\<v_cvt_scalef32_sr_pk_fp4_f32' "randomly rounding FP4 conversion instruction" ;;
    *quantize_stochastic_*)
      must_not "$kernel" "$code" '\<v_cvt_scalef32' "an FP4 conversion instruction where integers are wanted" ;;
    dequantize) must "$kernel" "$code" '\<v_cvt_scalef32_pk_f32_fp4' "FP4 conversion instruction" ;;
    *quantize_f32 | *quantize_bf16)
      must "$kernel" "$code" '\<v_cvt_scalef32_pk_fp4_f32' "FP4 conversion instruction" ;;
    mx_gemm_*)
      # FP4 x FP4 (cbsz = blgp = 4), C = 0 or, in native mode, D; scales in registers, byte 0 of them.
      shape=${kernel#mx_gemm_}
      shape=${shape#native_}
      operand='v\[[0-9:]+\]'
      c=0
      case $kernel in *_native_*) c='[av]\[\1\]' ;; esac
      form="\<v_mfma_scale_f32_${shape}_f8f6f4 [av]\[([0-9:]+)\], $operand, $operand, $c, v[0-9]+, v[0-9]+ op_sel_hi:\[0,0,0\] cbsz:4 blgp:4"
      must "$kernel" "$code" "$form" "scaled FP4 matrix instruction of the form meant"
      must_not "$kernel" "$(grep -E '\<v_mfma' <<<"$code" | grep -vE "$form" || true)" 'v_mfma' "another matrix instruction"
      ;;
  esac
done

# Kernel descriptors: subnormals of both widths in and out, IEEE rounding to nearest.
count=$(wc -w <<<"$kernels")
descriptors=$(for object in "$@"; do "$objdump" -D -j .rodata --mcpu=gfx950 "$object"; done)
for setting in 'float_denorm_mode_32 3' 'float_denorm_mode_16_64 3' 'float_round_mode_32 0' 'float_round_mode_16_64 0'; do
  found=$(grep -c "amdhsa_$setting" <<<"$descriptors" || true)
  [ "$found" = "$count" ] || fail "$found of $count kernel descriptors have $setting"
done

if [ "$failures" != 0 ]; then
  echo "gfx950: $failures of the checks failed"
  exit 1
fi
echo "gfx950: $count kernels checked"
