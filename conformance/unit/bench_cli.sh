#!/usr/bin/env bash
# The command of the benches: usage errors are one line and status 2, a whole quick run writes every ratio, void rows and
# programs that fail show in the status.   bench_cli.sh BUILD_DIR SOURCE_DIR
set -uo pipefail
build=$1 bench=$2/bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fault() { echo "bench_cli: $*"; failures=$((failures + 1)); }

# refused COMMAND...: status 2 and exactly one line, on standard error.
refused() {
  local code=0
  "$@" >"$work/out" 2>"$work/err" || code=$?
  [ "$code" -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] && return
  fault "$*: expected one line and status 2, got status $code: $(cat "$work/out" "$work/err")"
}

refused "$bench/run.sh" check
refused "$bench/run.sh" check --json
refused "$bench/run.sh" check --json "$work/missing/rows.json"
refused "$bench/run.sh" check --json "$work"
refused "$bench/run.sh" check --json "$work/r.json" --only R99
refused "$bench/run.sh" check --json "$work/r.json" --only R1,,R2
refused "$bench/run.sh" check --json "$work/r.json" --only
refused "$bench/run.sh" check --json "$work/r.json" --slow
refused "$build/bench/bench_quantize" --only R99
refused "$build/bench/bench_quantize" --json
refused "$build/bench/bench_quantize" --sloow
refused "$build/bench/bench_quantize" --quick --only R99
refused "$build/bench/bench_table" "$work/out.json"
refused "$build/bench/bench_table" "$work/out.json" "$work/none.json"

"$bench/run.sh" "$build" --quick --json "$work/all.json" >"$work/table" 2>"$work/err" || fault "a quick run: $(cat "$work/err")"
for id in R{1..13} C{1..5}; do
  grep -q "\"id\": \"$id\"," "$work/all.json" || fault "no row $id"
  grep -qE "^$id +" "$work/table" || fault "no line $id in the table"
done
kernels=$(grep -c '^ADAHOP_SIMD_KERNEL(' "$2/reference/simd/kernels.def")
rows=$(grep -c '"id": "K"' "$work/all.json")
[ "$rows" -eq "$kernels" ] || ! { grep -q avx512_vbmi2 /proc/cpuinfo && grep -q avx512_bf16 /proc/cpuinfo; } ||
  fault "$kernels kernels, but $rows rows of K"
rows=$(grep -c '"id": "Ks"' "$work/all.json")
[ "$rows" -eq "$kernels" ] || grep -q '"isa": "scalar"' "$work/all.json" || fault "$kernels kernels, but $rows rows of Ks"
grep -q '"hash_equal": false' "$work/all.json" && fault "a row is void"
[ "$(grep -c 'slope' "$work/all.svg")" -eq 5 ] || fault "expected five curves in the plot"
[ "$(find "$work" -name '*.part' -o -name 'all.json?*' | wc -l)" -eq 0 ] || fault "a temporary file was left"

"$bench/run.sh" "$build" --quick --only R6 --json "$work/one.json" >/dev/null 2>&1 || fault "--only R6 failed"
[ "$(grep -o '"id": "[^"]*"' "$work/one.json" | sort -u)" = '"id": "R6"' ] || fault "--only R6 gave other rows"

# The same programs, of which one gives a void row, or stops.
mkdir -p "$work/build/bench"
for program in "$build"/bench/bench_*; do ln -s "$program" "$work/build/bench/" 2>/dev/null; done
rm "$work/build/bench/bench_dequantize"
sed 's/"hash_equal": true/"hash_equal": false/; s/"ratio": [0-9.e+-]*/"ratio": null/' "$work/one.json" >"$work/void.json"
printf '#!/bin/sh\ncp "%s" "$2"\nexit 1\n' "$work/void.json" >"$work/build/bench/bench_dequantize"
chmod +x "$work/build/bench/bench_dequantize"
code=0
"$bench/run.sh" "$work/build" --quick --only R6 --json "$work/void_out.json" >/dev/null 2>&1 || code=$?
[ "$code" -eq 1 ] || fault "a void row: expected status 1, got $code"
printf '#!/bin/sh\nkill -SEGV $$\n' >"$work/build/bench/bench_dequantize"
code=0
"$bench/run.sh" "$work/build" --quick --only R6 --json "$work/stopped.json" >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ] || fault "a program that stops: expected status 2, got $code"
[ ! -e "$work/stopped.json" ] || fault "rows were written although a program stopped"

[ "$failures" -eq 0 ] || exit 1
echo "bench_cli: all as expected"
