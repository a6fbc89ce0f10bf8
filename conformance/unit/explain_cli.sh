#!/usr/bin/env bash
# `adahop explain` on cases that a faulty plug-in failed, and on files that are not what they should be. [spec:13.1]
#   explain_cli.sh ADAHOP FAULTY.so WORK
set -uo pipefail
adahop=$1 faulty=$2 work=$3
rm -rf "$work" && mkdir -p "$work"
failures=0
fail() { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
expect() { grep -Eq -- "$2" "$work/$1" || fail "$1 has no line that matches: $2"; }

# A block left out of an MX product: named as such.
"$adahop" conform --backend "$faulty" --filter 'RC/mx-gemm.*/72x96x80/ocp' --report "$work/report" >/dev/null
case_file=$(find "$work/report" -name 'RC_mx-gemm*.json' | head -1)
[ -n "$case_file" ] || { fail "no case was saved"; exit 1; }
"$adahop" explain "$case_file" --backend "$faulty" >"$work/gemm"
[ $? -eq 1 ] || fail "explain of a backend that still differs: expected status 1"
expect gemm '^  block   1: S = +-?[0-9]+, bytes [0-9]+ and [0-9]+, term S x 2\^-?[0-9]+ = .*, accumulator 0x[0-9A-F]{8} = '
expect gemm '^  got is what comes out without block 1$'
expect gemm '^now      reference: 0x[0-9A-F]{8} = .*, as expected$'
expect gemm '^now      .*: 0x[0-9A-F]{8} = .*, differs$'
expect gemm 'SPEC 10\.1-10\.8'
"$adahop" explain "$case_file" >"$work/alone" || fail "explain without another backend: expected status 0"
"$adahop" explain "$case_file" --json >"$work/json" || fail "explain --json: expected status 0"
expect json '"title": "MX product of row [0-9]+ of A and row [0-9]+ of B, gemm_model=block_rne"'

# A code of a quantized block: the element is marked.
"$adahop" conform --backend "$faulty" --filter 'any/quantize/spread.f32.axis1/37x96/even.byte0' --report "$work/report" >/dev/null
"$adahop" explain "$work/report/any_quantize_spread.f32.axis1_37x96_even.byte0.json" >"$work/quantize" || fail "explain of quantize"
expect quantize '^  amax   0x[0-9A-F]{8} = .* \(SPEC 5\.1\)$'
expect quantize 'rule even: b = \(\(0x[0-9A-F]{8} \+ 0x200000\) >> 23\) - 2 \(SPEC 5\.4\)'
expect quantize '^    31  0x[0-9A-F]{8} = .*, \|v\| / scale = .*, code [0-9]+ \(.*\)  <-- got code 0 \(0\)$'

# Hostile files: one line, status 2.
usage() {
  local message=$1
  shift
  "$adahop" explain "$@" >"$work/out" 2>"$work/err"
  local code=$?
  [ "$code" -eq 2 ] || fail "explain $*: status $code, expected 2"
  [ "$(wc -l <"$work/err")" -eq 1 ] || fail "explain $*: expected one line on stderr, got: $(cat "$work/err")"
  grep -Eq -- "$message" "$work/err" || fail "explain $*: '$(cat "$work/err")' does not match $message"
}
stem=${case_file%.json}
spoil() { sed "$2" "$case_file" >"$work/$1.json"; cp "$stem.safetensors" "$work/$1.safetensors"; }
usage 'missing.json' "$work/missing.json"
echo '{}' >"$work/empty.json" && cp "$stem.safetensors" "$work/empty.safetensors"
usage 'case' "$work/empty.json"
echo 'no json' >"$work/text.json" && cp "$stem.safetensors" "$work/text.safetensors"
usage 'text.json' "$work/text.json"
spoil operation 's/"operation": "mx_gemm"/"operation": "launch"/'
usage 'operation' "$work/operation.json"
spoil policy 's/scale_rule=[a-z]*/scale_rule=nearest/'
usage 'scale_rule' "$work/policy.json"
spoil row 's/"row": [0-9]*/"row": 99999/'
usage 'row 99999' "$work/row.json"
spoil negative 's/"col": [0-9]*/"col": -1/'
usage 'col -1' "$work/negative.json"
spoil tensor 's/"tensor": "input.1.codes"/"tensor": "input.7.codes"/'
usage 'input.7.codes' "$work/tensor.json"
spoil other 's/"operation": "mx_gemm"/"operation": "matmul"/'
usage 'input.0' "$work/other.json"
spoil cut 's/^//' && head -c 40 "$stem.safetensors" >"$work/cut.safetensors"
usage 'cut.safetensors' "$work/cut.json"
spoil alone 's/^//' && rm "$work/alone.safetensors"
usage 'alone.safetensors' "$work/alone.json"
usage 'backend' "$case_file" --backend no-such-backend
[ "$failures" -eq 0 ] && echo "explain_cli: all checks passed"
exit "$((failures > 0))"
