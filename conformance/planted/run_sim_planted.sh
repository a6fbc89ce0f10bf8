#!/usr/bin/env bash
# Plants one fault in gfx950 machine code and checks that gfx950-sim finds it and names the place.
#
#   run_sim_planted.sh FAULT SOURCE WORK ADAHOP LAUNCH_COPY COMPILER FLAGS...
#
# FAULT.sed changes a copy of some kernel sources; what is compiled of them replaces kernels of `adahop conform --backend
# gfx950-sim`, which must end with status 1. Its comments say "file: PATHS" (below hip_backend/, those it changes), "compile:
# PATH" (the kernel file), "filter: GLOB" (cases to run), "option: KEY=VALUE" (any number).
#
# FAULT.s is a kernel that copies words, right with FAULT=0 and wrong with FAULT=1 (launch_copy.cc runs it). The right one
# must pass. The wrong one must be stopped or its copy differ, and where a comment says "unseen: CHECKS" all goes well with
# those checks alone: no other check finds it.
#
# In both, "expect: REGEX" (any number) must each match a line of the report; of a .s, PLACE there stands for the kernel and
# the line that has the comment "place".
set -euo pipefail

fault=$1 source=$2 work=$3/$(basename "$1") adahop=$4 launch_copy=$5
shift 5
compiler=("$@")
name=$(basename "$fault")
name=${name%.*}
object=$work/$name.co
report=$work/report.txt

die() { echo "planted: $*" >&2; exit 1; }
field() { sed -nE "s,^(#|//) $1: ,,p" "$fault"; }
# status EXPECTED COMMAND...: runs it, its output in the report.
status() {
  local expected=$1 code=0
  shift
  "$@" >"$report" 2>&1 || code=$?
  [ "$code" -eq "$expected" ] || { tail -5 "$report" >&2; die "$name: status $code, expected $expected, of: $*"; }
}

rm -rf "$work"
mkdir -p "$work"
case $fault in
*.sed)
  for f in $(field file); do
    mkdir -p "$work/$(dirname "$f")"
    sed -f "$fault" "$source/hip_backend/$f" >"$work/$f"
    ! cmp -s "$source/hip_backend/$f" "$work/$f" || die "$name.sed no longer changes $f"
  done
  # Changed files go before those of the tree.
  kernels=$source/hip_backend/$(field compile)
  [ ! -e "$work/$(field compile)" ] || kernels=$work/$(field compile)
  "${compiler[@]}" -w "-fdebug-prefix-map=$work/=" -O3 "-I$work" "-I$source/hip_backend" "-I$source/common" "$kernels" -o "$object"
  options=()
  for option in $(field option); do options+=(--option "$option"); done
  status 1 "$adahop" conform --backend gfx950-sim --suite mustpass --filter "$(field filter)" --errors 100000 \
    --option "code_object=$object" "${options[@]}"
  ;;
*.s)
  assemble() { # FAULT
    "${compiler[0]}" --target=amdgcn-amd-amdhsa -mcpu=gfx950 -g "-fdebug-prefix-map=$source/=" "-Wa,-defsym,FAULT=$1" \
      "-Wa,-I,$(dirname "$fault")" -nostdlib "$fault" -o "$object"
  }
  assemble 0
  status 0 "$launch_copy" "$object" "$name"
  assemble 1
  for checks in $(field unseen); do status 0 "$launch_copy" "$object" "$name" "checks=$checks"; done
  status 1 "$launch_copy" "$object" "$name"
  ;;
*) die "$fault: expected a .sed or a .s file" ;;
esac

[ -n "$(field expect)" ] || die "$name expects nothing"
place="in kernel $name, 0x[0-9a-f]+ \\($name\\.s:$(sed -n '\,// place$,=' "$fault")\\), workgroup"
field expect | while IFS= read -r regex; do
  regex=${regex//PLACE/$place}
  grep -Eq -- "$regex" "$report" || { head -30 "$report" >&2; die "$name: no line of the report matches: $regex"; }
done
grep -m2 -E 'gfx950-sim: .* in kernel |^FAILED|^ +first |: word ' "$report"
