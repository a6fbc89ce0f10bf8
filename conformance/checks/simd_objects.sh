#!/usr/bin/env bash
# The objects that are compiled for an instruction set define their kernels and nothing else that others could link: an inline
# function in one would be weak, and the linker might take that copy for the whole program, which must run on any CPU.
# Usage: simd_objects.sh NM KERNELS_DEF OBJECT...
set -euo pipefail
nm=${1:?usage: simd_objects.sh NM KERNELS_DEF OBJECT...} kernels_def=${2:?}
shift 2
[ $# -gt 0 ] || { echo "simd_objects: no objects"; exit 1; }

bad=0
say() {
  echo "simd_objects: $*"
  bad=1
}

kernels=$(sed -nE 's/^ADAHOP_SIMD_KERNEL\(([a-z0-9_]+),.*/\1/p' "$kernels_def" | sort)
[ -n "$kernels" ] || { echo "simd_objects: $kernels_def lists no kernels"; exit 1; }
for level in avx512 avx2; do
  objects=()
  for object in "$@"; do [[ $object != */$level/* ]] || objects+=("$object"); done
  [ ${#objects[@]} -gt 0 ] || { say "no objects of $level"; continue; }
  symbols=$("$nm" -A -C "${objects[@]}")
  # Local ones are lower-case letters; T is a function that others call; weak and unique ones are W, w, V, v and u.
  outside=$(grep -vE ': *[0-9a-f]* [a-tT] |: +U ' <<<"$symbols" || true)
  [ -z "$outside" ] || say "$level: neither local nor a kernel:"$'\n'"$outside"
  defined=$(sed -nE "s/.* T adahop::reference::simd::([a-z0-9_]+)__$level\(.*/\1/p" <<<"$symbols" | sort)
  functions=$(grep -cE ' T ' <<<"$symbols" || true)
  [ "$functions" -eq "$(wc -l <<<"$defined")" ] || say "$level: functions that are no kernels of it: $(grep -E ' T ' <<<"$symbols" | grep -v "__$level(")"
  [ "$defined" = "$kernels" ] || say "$level: not the kernels of kernels.def:"$'\n'"$(diff <(echo "$kernels") <(echo "$defined"))"
  # They call nothing but the C library's copies and each other.
  called=$(sed -nE 's/.*: +U //p' <<<"$symbols" | grep -vE "^(memcpy|memset|memmove|_GLOBAL_OFFSET_TABLE_|adahop::reference::simd::[a-z0-9_]+__$level\(.*)$" | sort -u || true)
  [ -z "$called" ] || say "$level: calls: $called"
done
[ "$bad" -eq 0 ] || exit 1
echo "simd_objects: $# objects, $(wc -l <<<"$kernels") kernels for each instruction set, no other symbols"
