#!/usr/bin/env bash
# Runs the fuzz targets of a build with ADAHOP_ENABLE_FUZZ, and minimises what they find.
#
#   run.sh SOURCE BUILD [--minutes N | --total N] [--target NAME]... [--jobs N]
#
# Each target runs N minutes (default 1; 0.5 is legal), or all of them together take about --total N; --jobs of them at once,
# by default one a core. It starts from fuzz/corpus/NAME and from what earlier runs kept in BUILD/fuzz-corpus/NAME; flags of
# its own stand in fuzz/targets/NAME.options, words of its format in fuzz/dictionaries/NAME.dict. A finding is minimised into
# BUILD/fuzz-findings/NAME, with the case for `adahop explain` where a backend differs. Exit status 0: no finding; 1:
# findings; 2: usage.
set -euo pipefail

[ $# -ge 2 ] && [ -d "$2" ] || { echo "fuzz: usage: run.sh SOURCE BUILD [...]" >&2; exit 2; }
source=$(realpath "$1") build=$(realpath "$2")
shift 2
minutes=1 total='' jobs=$(nproc) targets=()
die() { echo "fuzz: $*" >&2; exit 2; }
value() { [ $# -ge 2 ] || die "$1: expected a value"; }
while [ $# -gt 0 ]; do
  value "$@"
  case $1 in
    --minutes | --total)
      [[ $2 =~ ^[0-9]{1,6}(\.[0-9])?$ ]] || die "$1 $2: expected minutes, as 10 or 0.5"
      if [ "$1" = --total ]; then total=$2; else minutes=$2; fi
      ;;
    --target) targets+=("$2") ;;
    --jobs) [[ $2 =~ ^[1-9][0-9]{0,2}$ ]] || die "--jobs $2: expected a count from 1"; jobs=$2 ;;
    *) die "$1: expected --minutes N, --total N, --target NAME or --jobs N" ;;
  esac
  shift 2
done
mapfile -t all < <(cd "$build/fuzz" && find . -maxdepth 1 -name 'libfuzzer_*' -type f -perm -u+x | sed 's,^\./libfuzzer_,,' | LC_ALL=C sort)
[ "${#all[@]}" -gt 0 ] || die "$build: expected programs fuzz/libfuzzer_*, found none"
for target in "${targets[@]}"; do [ -x "$build/fuzz/libfuzzer_$target" ] || die "--target $target: expected one of ${all[*]}"; done
[ "${#targets[@]}" -gt 0 ] || targets=("${all[@]}")
rounds=$(((${#targets[@]} + jobs - 1) / jobs))
seconds=$(awk -v m="$minutes" -v t="$total" -v r="$rounds" 'BEGIN { printf "%d", t == "" ? m * 60 : t * 60 / r }')
[ "$seconds" -gt 0 ] || die "expected more than 0 minutes"

# The smallest input that libFuzzer reaches in half a minute, the way to run it, and the case it saves.
minimise() { # TARGET FINDING FLAGS...
  local target=$1 finding=$2 small=$2.min
  shift 2
  "$build/fuzz/libfuzzer_$target" "$@" -minimize_crash=1 -max_total_time=30 -exact_artifact_path="$small" "$finding" >/dev/null 2>&1 || true
  [ -s "$small" ] || small=$finding
  ADAHOP_FUZZ_CASES=$(dirname "$finding") "$build/fuzz/libfuzzer_$target" "$small" >"$small.txt" 2>&1 || true
  echo "FINDING  $target: $small ($(wc -c <"$small") bytes)"
  grep -m1 -E 'ERROR|runtime error|differs|finding' "$small.txt" | sed 's/^/         /' || true
  echo "         again: $build/fuzz/libfuzzer_$target $small"
  find "$(dirname "$finding")" -name '*.json' -newer "$finding" | sed 's,^,         case:  adahop explain ,'
}

run_target() { # TARGET: one line, and what was found
  local target=$1 corpus=$build/fuzz-corpus/$1 findings=$build/fuzz-findings/$1 log=$build/fuzz-corpus/$1.log
  local flags=(-timeout=30 -rss_limit_mb=4096) code=0 executed edges inputs
  mkdir -p "$corpus" "$findings"
  [ ! -e "$source/fuzz/targets/$target.options" ] || mapfile -t -O 2 flags < <(grep -v '^#' "$source/fuzz/targets/$target.options")
  [ ! -e "$source/fuzz/dictionaries/$target.dict" ] || flags+=(-dict="$source/fuzz/dictionaries/$target.dict")
  "$build/fuzz/libfuzzer_$target" "${flags[@]}" -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$findings/" \
    "$corpus" "$source/fuzz/corpus/$target" >"$log" 2>&1 || code=$?
  executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  edges=$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$log" | tail -1)
  inputs=$(find "$corpus" -type f | wc -l)
  printf '%-14s %10s executions  %6s edges  %5s inputs kept  %s\n' "$target" "${executed:-?}" "${edges:-?}" "$inputs" \
    "$([ "$code" -eq 0 ] && echo 'no finding' || echo "a finding, status $code")"
  [ "$code" -ne 0 ] || return 0
  local finding
  # libFuzzer stops at its first finding; its name stands in the log.
  finding=$(sed -n 's/.*Test unit written to //p' "$log" | tail -1)
  if [ -n "$finding" ]; then minimise "$target" "$finding" "${flags[@]}"; else tail -5 "$log"; echo "FINDING  $target: see $log"; fi
  return 1
}

echo "fuzz: ${#targets[@]} targets, $seconds s each, $jobs at once"
export source build seconds
export -f run_target minimise
failed=0
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -euo pipefail -c 'run_target {}' || failed=1
exit "$failed"
