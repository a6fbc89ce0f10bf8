#!/usr/bin/env bash
# Plants one fault in a copy of the kernels and checks that `adahop conform` finds it: exit status 1, and a report that
# names stage, pair, and the first differing element or the race.
#
#   run_planted.sh setup SOURCE WORK ADAHOP CMAKE_ARGUMENTS...   make the working copy, build it, see it pass
#   run_planted.sh fault SOURCE WORK ADAHOP FAULT.sed            plant, build, run, check, restore
#
# A fault is a sed script whose comments say "file: PATHS" (below hip_backend/), "filter: GLOB" (cases to run) and
# "expect: REGEX" (any number; each must match a line of the report).
set -euo pipefail

mode=$1 source=$2 work=$3 adahop=$4

die() { echo "planted: $*" >&2; exit 1; }
field() { sed -n "s/^# $1: //p" "$fault"; }
build() { cmake --build "$work/build" --target adahop_plugin_hip_cpu >"$work/build.log" 2>&1 || { tail -30 "$work/build.log" >&2; die "the kernels do not build"; }; }
plugin() { find "$work/build" -name adahop_hip_cpu.so; }

case $mode in
setup)
  shift 4
  rm -rf "$work/source"
  mkdir -p "$work/source"
  cp -r "$source/common" "$source/hip_backend" "$source/cmake" "$work/source/"
  cp "$source/conformance/planted/CMakeLists.txt" "$work/source/"
  cmake -S "$work/source" -B "$work/build" "$@" >"$work/configure.log" 2>&1 || { tail -30 "$work/configure.log" >&2; die "the copy does not configure"; }
  build
  "$adahop" conform --backend "$(plugin)" --filter '*/72x96x80/*' || die "the kernels fail without a fault"
  ;;
fault)
  fault=$5
  restore() { for f in $(field file); do cp "$source/hip_backend/$f" "$work/source/hip_backend/$f"; done; }
  trap restore EXIT
  for f in $(field file); do
    sed -i -f "$fault" "$work/source/hip_backend/$f"
    ! cmp -s "$source/hip_backend/$f" "$work/source/hip_backend/$f" || die "$(basename "$fault") no longer changes $f"
  done
  build
  report=$work/report.txt
  code=0
  "$adahop" conform --backend "$(plugin)" --suite mustpass --filter "$(field filter)" --errors 100000 >"$report" 2>&1 || code=$?
  [ "$code" -eq 1 ] || { tail -5 "$report" >&2; die "conform ended with status $code, expected 1"; }
  field expect | while IFS= read -r regex; do
    grep -Eq -- "$regex" "$report" || { sed -n '/^FAILED/,$p' "$report" | head -20 >&2; die "no line of the report matches: $regex"; }
  done
  awk '/^FAILED/ { found = 1 } found { print } found && /^$/ { exit }' "$report"
  tail -1 "$report"
  ;;
*) die "unknown mode $mode" ;;
esac
