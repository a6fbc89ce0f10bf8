#!/usr/bin/env bash
# --trace of conform and explain, --coverage of conform, adahop sim listing and coverage; what they refuse. [spec:13.11]
#   sim_trace_cli.sh ADAHOP FAULTY.so WORK
set -uo pipefail
adahop=$1 faulty=$2 work=$3
rm -rf "$work" && mkdir -p "$work"
failures=0
fail() { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
expect() { grep -Eq -- "$2" "$work/$1" || fail "$1 has no line that matches: $2"; }
one_case='any/dequantize/all-codes-and-bytes.f32.axis1/256x32/default'
conform() { "$adahop" conform --backend gfx950-sim --filter "$one_case" "$@"; }

# refused TEXT COMMAND...: status 2 and one line on stderr that has TEXT.
refused() {
  local text=$1 code
  shift
  "$@" >"$work/out" 2>"$work/err"
  code=$?
  [ "$code" -eq 2 ] || fail "$*: status $code, expected 2"
  [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$*: expected one line on stderr, got: $(cat "$work/err")"
  grep -qF -- "$text" "$work/err" || fail "$*: expected '$text', got: $(cat "$work/err")"
}

# A trace: values before and after, memory, EXEC, source lines.
conform --trace dequantize:0.0:0,8 --trace-limit 100000 >"$work/trace" || fail "conform --trace failed"
expect trace '^kernel dequantize of dequantize, [0-9]+x1x1 workgroups of [0-9]+ waves, workgroup \(0,0,0\), wave 0, lanes 0 8$'
expect trace '^            exec     ffffffffffffffff \(64 lanes\)$'
expect trace '^ +[0-9a-f]+  s_load_dword.*$'
expect trace '^            scalar load: [0-9]+ bytes at byte offset \+[0-9]+ of the kernel'\''s arguments .*: [0-9a-f]{8}'
expect trace '^            global load, lane 8: [0-9]+ bytes at byte offset \+[0-9]+ of allocation [0-9]+'
expect trace '^            global store, lane 0: [0-9]+ bytes at byte offset '
expect trace '^ +[0-9a-f]+  v_cvt_scalef32_pk_f32_fp4 .*; [a-z0-9_.]+:[0-9]+$'
expect trace '^          > v[0-9]+ +[0-9a-f]{8} [0-9a-f]{8}  = -?[0-9.e+-]+, -?[0-9.e+-]+$'
expect trace '^ +[0-9a-f]+  s_endpgm'
expect trace '1 passed, 0 failed'

# In a file, with a limit; nothing of it on stdout.
conform --trace dequantize:0.0 --trace-file "$work/file" --trace-limit 3 >"$work/out" || fail "--trace-file failed"
[ "$(grep -cE '^ +[0-9a-f]+  [sv]_' "$work/file")" -eq 3 ] || fail "--trace-limit 3: $(cat "$work/file")"
expect file '^[0-9]+ more instructions of this wave left out \(trace_limit 3\)$'
! grep -q '^kernel dequantize of' "$work/out" || fail "--trace-file: the trace is on stdout too"
conform --trace dequantize:0.0 --trace-file "$work/file" --json >"$work/json" || fail "--trace-file --json failed"
expect json '"backend": "gfx950-sim"'

refused 'no kernel dequantise; there are: ' conform --trace dequantise:0.0
grep -q 'hadamard_bf16, ' "$work/err" || fail "an unknown kernel: the others are not named"
refused "trace 'dequantize': expected KERNEL:WORKGROUP.WAVE[:LANES]" conform --trace dequantize
refused 'with lanes below 64' conform --trace dequantize:0.0:64
refused 'trace: kernel bf16_gemm was not launched; launched were: dequantize' conform --trace bf16_gemm:0.0
refused 'never with workgroup (999,0,0) wave 0; its largest launch has' conform --trace dequantize:999.0
refused 'trace_limit=0: expected an integer from 1' conform --trace dequantize:0.0 --trace-limit 0
refused 'expected with --trace' conform --trace-limit 5
refused 'expected --trace-file' conform --trace dequantize:0.0 --json
refused 'backend hip-cpu: ' "$adahop" conform --backend hip-cpu --filter "$one_case" --trace dequantize:0.0
refused "$work/no/such/file: " conform --trace dequantize:0.0 --trace-file "$work/no/such/file"

# Coverage: one file over two runs, a report, and what is no coverage.
conform --coverage "$work/c.json" >/dev/null || fail "--coverage failed"
"$adahop" sim coverage "$work/c.json" >"$work/once"
[ $? -eq 1 ] || fail "sim coverage of one case: expected status 1, since most kernels were not launched"
expect once '^O3 +dequantize +[1-9][0-9]*/[0-9]+ +[1-9][0-9]*/[0-9]+ +[1-9][0-9]*/[0-9]+$'
expect once '^O3 +hadamard_bf16 +0/[0-9]+ '
expect once '^Basic blocks never executed:$'
expect once '^O3 hadamard_bf16: never launched$'
expect once '^O3 dequantize, [0-9a-f]+-[0-9a-f]+ \([a-z_0-9.]+:[0-9]+\)$'
conform --coverage "$work/c.json" --option level=O2 >/dev/null || fail "a second run into the file failed"
"$adahop" sim coverage "$work/c.json" >"$work/twice"
expect twice '^O2 +dequantize +[1-9]'
diff <(grep '^O3 ' "$work/once") <(grep '^O3 ' "$work/twice") >/dev/null || fail "O3 changed by a run of O2"
conform --coverage "$work/c.txt" >/dev/null || fail "--coverage to a report failed"
expect c.txt '^O3 +dequantize +[1-9]'
"$adahop" sim coverage "$work/c.json" --json >"$work/merged.json"
diff <("$adahop" sim coverage "$work/merged.json") "$work/twice" >/dev/null || fail "sim coverage --json is not what it read"
sed 's/"object_hash":"[0-9a-f]*"/"object_hash":"0000000000000000"/g' "$work/c.json" >"$work/old.json"
refused 'another build of code object' conform --coverage "$work/old.json"
refused 'another build of code object' "$adahop" sim coverage "$work/c.json" "$work/old.json"
echo '{}' >"$work/none.json"
refused 'none.json: no coverage of gfx950-sim' conform --coverage "$work/none.json"
refused 'none.json: no coverage of gfx950-sim' "$adahop" sim coverage "$work/none.json"
refused 'missing.json' "$adahop" sim coverage "$work/missing.json"

# A saved case, explained and traced.
"$adahop" conform --backend "$faulty" --filter 'any/quantize/spread.f32.axis1/37x96/even.byte0' --report "$work/report" >/dev/null
case_file=$(find "$work/report" -name 'any_quantize*.json' | head -1)
"$adahop" explain "$case_file" --backend gfx950-sim --trace quantize_f32:0.0 >"$work/explained" || fail "explain --trace failed"
expect explained '^kernel quantize_f32 of quantize, '
expect explained '^now      gfx950-sim: .*, as expected$'
refused 'expected one --backend' "$adahop" explain "$case_file" --trace quantize_f32:0.0
refused 'no kernel other; there are: ' "$adahop" explain "$case_file" --backend gfx950-sim --trace other:0.0

# Listings.
"$adahop" sim listing scatter_add --level O2 >"$work/listing" || fail "sim listing failed"
expect listing '^scatter_add of scatter_add: [0-9]+ instructions, [0-9]+ VGPRs '
expect listing '^block 1:$'
expect listing '^ +[0-9a-f]+  s_cbranch_[a-z0-9]+ .* -> [0-9a-f]+'
expect listing '^ +[0-9a-f]+  .*; scatter_add.hip:[0-9]+$'
refused 'no kernel other; there are: ' "$adahop" sim listing other
refused 'O1 not in {O3,O2}' "$adahop" sim listing scatter_add --level O1

[ "$failures" -eq 0 ] && echo "sim_trace_cli: all as expected"
exit $((failures != 0))
