#!/usr/bin/env bash
# The backend hip as users meet it where it cannot work: one line, status 2; a call that fails later is a failed case.
# [spec:13.6]
#   hip_runtime_cli.sh ADAHOP FAKE_LIBRARY PLUGIN WORK
set -uo pipefail
adahop=$1 fake=$2 plugin=$3 work=$4
rm -rf "$work" && mkdir -p "$work"
failures=0
fail() { echo "FAIL: $*" >&2; failures=$((failures + 1)); }

# unavailable TEXT ENVIRONMENT...: conform refuses in one line, backends lists the reason and goes on.
unavailable() {
  local text=$1 code
  shift
  env "$@" "$adahop" conform --backend hip >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq 2 ] || fail "$*: status $code, expected 2"
  [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$*: expected one line on stderr, got: $(cat "$work/err")"
  grep -qF -- "$text" "$work/err" || fail "$*: expected '$text', got: $(cat "$work/err")"
  [ ! -s "$work/out" ] || fail "$*: expected nothing on stdout"
  env "$@" "$adahop" backends >"$work/out" 2>"$work/err" || fail "$*: backends failed"
  grep -E '^hip +not available: hip: ' "$work/out" | grep -qF -- "$text" || fail "$*: backends says $(grep -E '^hip ' "$work/out")"
}
unavailable 'hip: ADAHOP_HIP_LIBRARY: /no/such.so: cannot open' ADAHOP_HIP_LIBRARY=/no/such.so
unavailable 'hip: libm.so.6: expected a HIP runtime library, it lacks hipGetErrorName' ADAHOP_HIP_LIBRARY=libm.so.6
unavailable 'hip: no device' ADAHOP_HIP_LIBRARY="$fake" ADAHOP_FAKE_HIP_DEVICES=0
unavailable 'hip: device 0 is gfx90a, these kernels are built for gfx950' ADAHOP_HIP_LIBRARY="$fake" ADAHOP_FAKE_HIP_ARCH=gfx90a
for call in 2 3 5 7 20; do
  unavailable 'hipErrorNotFound (500): named symbol not found' ADAHOP_HIP_LIBRARY="$fake" ADAHOP_FAKE_HIP_FAIL=$call:500
done

ADAHOP_HIP_LIBRARY=$fake "$adahop" backends >"$work/out" || fail "backends with a device"
grep -E '^hip ' "$work/out" | grep -qF 'fake MI350X (gfx950' || fail "backends does not name the device: $(grep -E '^hip ' "$work/out")"

# As a plug-in it loads without a device, and its calls say why they fail.
env ADAHOP_HIP_LIBRARY=/no/such.so "$adahop" conform --backend "$plugin" --filter 'NN/*/33x64x40/*' >"$work/out" 2>"$work/err"
grep -q 'ADAHOP_HIP_LIBRARY: /no/such.so' "$work/out" || fail "the plug-in does not say why: $(head -5 "$work/out")"

# One lost launch fails one case; the others pass.
ADAHOP_HIP_LIBRARY=$fake "$adahop" conform --backend hip --threads 1 --filter 'NN/*/33x64x40/*' >"$work/out" 2>&1 || fail "conform: $(tail -1 "$work/out")"
passed=$(tail -1 "$work/out" | cut -d' ' -f1)
ADAHOP_HIP_LIBRARY=$fake ADAHOP_FAKE_HIP_FAIL=100:719 \
  "$adahop" conform --backend hip --threads 1 --filter 'NN/*/33x64x40/*' >"$work/out" 2>&1
code=$?
[ "$code" -eq 1 ] || fail "a failed call: status $code, expected 1"
grep -q 'hipErrorLaunchFailure (719)' "$work/out" || fail "a failed call is not named: $(head -20 "$work/out")"
[ "$(tail -1 "$work/out")" = "$((passed - 1)) passed, 1 failed" ] || fail "a failed call: $(tail -1 "$work/out"), expected $((passed - 1)) passed, 1 failed"

[ "$failures" -eq 0 ] || exit 1
echo "hip_runtime_cli: all as expected"
