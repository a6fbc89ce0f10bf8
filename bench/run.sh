#!/usr/bin/env bash
# Runs every bench program and joins their rows; what `./bootstrap bench` calls.
#   run.sh check ARGS          whether ARGS are right: status 2 and one line if not
#   run.sh BUILD_DIR ARGS      ARGS: --json FILE [--quick] [--only ID,ID]
# The table goes to standard output, the rows to FILE, the curves of cost against size to FILE with .svg for .json. Status 1
# where bytes were not as expected, 2 where a program could not run.
set -euo pipefail

where=${1:?run.sh check|BUILD_DIR ARGS}
shift
subjects=(quantize hadamard dequantize mx_gemm bf16_gemm matmul scaling kernels)

usage() { echo "bench: $1: usage: ./bootstrap bench --json FILE [--quick] [--only ID,ID]" >&2; exit 2; }
known=" $(sed -nE 's/.*\{"([A-Z][0-9]*[a-z]?)", .*/\1/p' "$(dirname "$0")/goals.cc" | uniq | tr '\n' ' ')"
check_ids() { # ID,ID
  local id ids
  IFS=, read -ra ids <<<"$1"
  [ "${#ids[@]}" -gt 0 ] || usage "--only: ids are missing"
  for id in "${ids[@]}"; do
    [[ -n $id && $known == *" $id "* ]] || usage "--only: '$id' is not among$known"
  done
}

json=
args=()
while [ $# -gt 0 ]; do
  case $1 in
    --json) [ -n "${2:-}" ] || usage "--json: a file's name is missing"; json=$2; shift 2 ;;
    --only) check_ids "${2:-}"; args+=(--only "$2"); shift 2 ;;
    --quick) args+=(--quick); shift ;;
    *) usage "'$1' is no option" ;;
  esac
done
[ -n "$json" ] || usage "--json FILE is missing"
[ -w "$(dirname "$json")" ] || usage "--json: the folder of $json is not there or not writable"
[ ! -d "$json" ] || usage "--json: $json is a folder"
[ "$where" != check ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=()
for subject in "${subjects[@]}"; do
  echo "bench: $subject" >&2
  code=0
  "$where/bench/bench_$subject" --json "$work/$subject.json" --plot "$work/plot.svg" "${args[@]}" >"$work/log" || code=$?
  if [ "$code" -gt 1 ]; then echo "bench: bench_$subject stopped with status $code" >&2; exit 2; fi
  rows+=("$work/$subject.json")
done
[ ! -f "$work/plot.svg" ] || { cp "$work/plot.svg" "$json.svg.part" && mv "$json.svg.part" "${json%.json}.svg"; }
"$where/bench/bench_table" "$json" "${rows[@]}"
