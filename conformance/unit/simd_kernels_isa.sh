#!/usr/bin/env bash
# ADAHOP_ISA and the option isa of the backend simd, through the program: each instruction set of this CPU writes the same
# bytes and is named; any other is refused.
# Usage: simd_kernels_isa.sh PROGRAM SOURCE_ROOT. Covers [spec:13.13], [spec:12.3].
source "$(dirname "$0")/cli_refusals.sh"
unset ADAHOP_ISA
layer=$data/minilm_l6.layer0.attention_query.safetensors

written() { # ISA FILE: quantizes under ADAHOP_ISA
  ADAHOP_ISA=$1 "$program" quantize "$layer" "$2" --tensor x --axis 1 >stdout.txt 2>stderr.txt || complain "ADAHOP_ISA=$1: $(cat stderr.txt)"
  checks=$((checks + 1))
}

written scalar in/scalar.safetensors
grep -qE '^backend +reference$' stdout.txt || complain "ADAHOP_ISA=scalar: expected the reference, found: $(grep ^backend stdout.txt)"
best=scalar
for isa in avx2 avx512; do
  if ! ADAHOP_ISA=$isa "$program" backends | grep -qE "^simd .*now: $isa\$"; then
    echo "$name: $isa: this CPU or build does not have it, only that it is refused is tested"
    ADAHOP_ISA=$isa refused "ADAHOP_ISA=$isa: this CPU or build does not have it" quantize "$layer" out/q.safetensors --tensor x --axis 1
    refused "$isa: this CPU or build does not have it" conform --backend simd --option "isa=$isa"
    continue
  fi
  best=$isa
  written "$isa" "in/$isa.safetensors"
  grep -qE "^backend +simd \($isa\)\$" stdout.txt || complain "$isa is not named: $(grep ^backend stdout.txt)"
  cmp in/scalar.safetensors "in/$isa.safetensors" || complain "$isa: other bytes than scalar"
done

# Unset and empty are the best of the CPU.
for isa in '' unset; do
  [ "$isa" = unset ] || export ADAHOP_ISA=
  "$program" backends | grep -qE "^simd .*now: $best\$" || complain "the default is not $best: $("$program" backends | grep ^simd)"
  checks=$((checks + 1))
  unset ADAHOP_ISA
done

for isa in avx avx9 AVX2 ' avx2' 'avx2,avx512' $'sse\n2' "$(printf '%0300d' 0)"; do
  ADAHOP_ISA=$isa refused 'expected scalar, avx2 or avx512' quantize "$layer" out/q.safetensors --tensor x --axis 1
  ADAHOP_ISA=$isa refused 'expected scalar, avx2 or avx512' dequantize in/scalar.safetensors out/v.npy
  ADAHOP_ISA=$isa refused 'expected scalar, avx2 or avx512' conform --backend simd
  refused 'expected scalar, avx2 or avx512' conform --backend simd --option "isa=$isa"
done
# Other backends do not look at it.
ADAHOP_ISA=avx9 "$program" quantize "$layer" in/other.safetensors --tensor x --axis 1 --backend reference >/dev/null || complain "the reference asks for ADAHOP_ISA"
cmp in/scalar.safetensors in/other.safetensors || complain "the reference under ADAHOP_ISA: other bytes"
finish
