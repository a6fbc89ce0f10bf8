#!/usr/bin/env bash
# The backend gfx950-sim as users meet it: without LLVM's library, with options and files that are no good, and its speed.
# [spec:13.8]
#   sim_backend_cli.sh ADAHOP PLUGIN CODE_OBJECT WORK
set -uo pipefail
adahop=$1 plugin=$2 code_object=$3 work=$4
rm -rf "$work" && mkdir -p "$work"
failures=0
fail() { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
one_case='NN/*/33x64x40/*'

# refused TEXT ARGUMENTS...: conform on gfx950-sim ends with status 2 and one line that has TEXT.
refused() {
  local text=$1 code
  shift
  "$adahop" conform --backend gfx950-sim --filter "$one_case" "$@" >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq 2 ] || fail "$*: status $code, expected 2"
  [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$*: expected one line on stderr, got: $(cat "$work/err")"
  grep -qF -- "$text" "$work/err" || fail "$*: expected '$text', got: $(cat "$work/err")"
  [ ! -s "$work/out" ] || fail "$*: expected nothing on stdout"
}
# passes ARGUMENTS...: conform on gfx950-sim passes.
passes() {
  "$adahop" conform --backend gfx950-sim --filter "$one_case" "$@" >"$work/out" 2>"$work/err" ||
    fail "$*: $(cat "$work/err") $(tail -1 "$work/out")"
}

# Where LLVM is missing: one line each.
export ADAHOP_LLVM_LIBRARY=/no/such/libLLVM.so
refused '/no/such/libLLVM.so'
"$adahop" backends >"$work/out" 2>"$work/err" || fail "backends without LLVM failed"
grep -E '^gfx950-sim +not available: ' "$work/out" | grep -qF /no/such/libLLVM.so ||
  fail "backends does not say why: $(grep gfx950-sim "$work/out")"
"$adahop" conform --backend "$plugin" --filter "$one_case" >"$work/out" 2>&1
grep -qF /no/such/libLLVM.so "$work/out" || fail "the plug-in does not say why: $(head -5 "$work/out")"
unset ADAHOP_LLVM_LIBRARY

refused "unknown key 'lane_seed'" --option lane_seed=3
refused 'level=O1: expected O3 or O2' --option level=O1
refused 'mx_gemm=fast' --option mx_gemm=fast
refused 'mx_tile=8x8x8' --option mx_tile=8x8x8
refused 'checks=some: expected all, none, or a list' --option checks=some
refused 'code_object=/no/such.co was refused' --option code_object=/no/such.co
head -c 3000 "$code_object" >"$work/short.co"
refused "$work/short.co: " --option "code_object=$work/short.co"
head -c 3000 /dev/zero >"$work/zero.co"
refused "$work/zero.co: " --option "code_object=$work/zero.co"

truncate -s 2G "$work/large.co"
refused "$work/large.co: a code object of 2147483648 bytes" --option "code_object=$work/large.co"
rm "$work/large.co"
# Kernels that nobody asks for, which would leave the build's own to be judged.
sed 's/hadamard_quantize/hadamard_quantise/g' "$code_object" >"$work/other.co"
refused "$work/other.co: its kernels (hadamard_quantise" --option "code_object=$work/other.co"

# What is good: the plug-in, another code object with the same kernels, every check by itself.
"$adahop" conform --backend "$plugin" --filter "$one_case" >"$work/out" 2>&1 || fail "the plug-in: $(tail -1 "$work/out")"
passes --option "code_object=$code_object"
grep -qE '^executed [0-9.]+ M wave instructions in [0-9.]+ s of one thread, [0-9.]+ M/s$' "$work/out" ||
  fail "conform does not say what was executed: $(tail -5 "$work/out")"
for checks in uninitialized pending races alignment outputs divergence none; do
  passes --option "checks=$checks"
done

"$adahop" sim-speed --repeat 1 --json >"$work/out" 2>"$work/err" || fail "sim-speed: $(cat "$work/err")"
[ "$(grep -c '"equal": true' "$work/out")" -eq 6 ] || fail "sim-speed: $(cat "$work/out")"

[ "$failures" -eq 0 ] || exit 1
echo "sim_backend_cli: all as expected"
