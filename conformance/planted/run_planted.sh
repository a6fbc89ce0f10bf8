#!/usr/bin/env bash
# Plants one fault in a copy of the kernels and checks that `adahop conform` finds it: exit status 1, and a report that
# names stage, pair, and the first differing element or the race.
#
#   run_planted.sh setup SOURCE WORK ADAHOP CMAKE_ARGUMENTS...   make the working copy, build it, see it pass
#   run_planted.sh fault SOURCE WORK ADAHOP FAULT.sed            plant, build, restore; run, check
#
# A fault is a sed script whose comments say "file: PATHS" (below hip_backend/), "filter: GLOB" (cases to run) and
# "expect: REGEX" (any number; each must match a line of the report). One working copy serves all faults: it is locked
# while a fault is built, so that only this part waits for another test. WORK/pristine is the build without a fault.
set -euo pipefail

mode=$1 source=$2 work=$3 adahop=$4

die() { echo "planted: $*" >&2; exit 1; }
field() { sed -n "s/^# $1: //p" "$fault"; }
build() { cmake --build "$work/build" --target adahop_plugin_hip_cpu >"$work/build.log" 2>&1 || { tail -30 "$work/build.log" >&2; die "the kernels do not build"; }; }
plugin() { find "$work/build" -name adahop_hip_cpu.so; }
# Objects and sources get their old times back, so that the next build compiles its own fault only.
pristine_build() { rm -rf "$work/build" && cp -a "$work/pristine" "$work/build"; }

case $mode in
setup)
  shift 4
  rm -rf "$work/source" "$work/pristine" "$work/build"
  mkdir -p "$work/source"
  cp -a "$source/common" "$source/hip_backend" "$source/cmake" "$work/source/"
  cp "$source/conformance/planted/CMakeLists.txt" "$work/source/"
  cmake -S "$work/source" -B "$work/build" "$@" >"$work/configure.log" 2>&1 || { tail -30 "$work/configure.log" >&2; die "the copy does not configure"; }
  build
  "$adahop" conform --backend "$(plugin)" --filter '*/72x96x80/*' || die "the kernels fail without a fault"
  cp -a "$work/build" "$work/pristine"
  ;;
fault)
  fault=$5
  name=$(basename "$fault" .sed)
  faulty=$work/$name.so
  restore() {
    for f in $(field file); do
      [ ! -e "$work/source/hip_backend/$f.kept" ] || mv "$work/source/hip_backend/$f.kept" "$work/source/hip_backend/$f"
    done
    pristine_build
  }
  (
    flock 9
    trap restore EXIT
    for f in $(field file); do
      cp -a "$work/source/hip_backend/$f" "$work/source/hip_backend/$f.kept"
      sed -i -f "$fault" "$work/source/hip_backend/$f"
      ! cmp -s "$source/hip_backend/$f" "$work/source/hip_backend/$f" || die "$name.sed no longer changes $f"
    done
    build
    cp "$(plugin)" "$faulty"
  ) 9>"$work/lock"
  report=$work/$name.txt
  code=0
  "$adahop" conform --backend "$faulty" --suite mustpass --filter "$(field filter)" --errors 100000 >"$report" 2>&1 || code=$?
  [ "$code" -eq 1 ] || { tail -5 "$report" >&2; die "conform ended with status $code, expected 1"; }
  field expect | while IFS= read -r regex; do
    grep -Eq -- "$regex" "$report" || { sed -n '/^FAILED/,$p' "$report" | head -20 >&2; die "no line of the report matches: $regex"; }
  done
  awk '/^FAILED/ { found = 1 } found { print } found && /^$/ { exit }' "$report"
  tail -1 "$report"
  ;;
*) die "unknown mode $mode" ;;
esac
