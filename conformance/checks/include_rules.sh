#!/usr/bin/env bash
# Holds the arrows between folders: common <- reference <- conformance, common <- hip_backend, and nobody shares
# what rounds or chooses. Usage: include_rules.sh ROOT. Prints each breach as file:line and exits 1.
set -euo pipefail
cd "${1:?usage: include_rules.sh ROOT}"

breaches=0
checked=0

# forbid FOLDER PATTERN WHY: no file under FOLDER includes a path that matches PATTERN.
forbid() {
  local folder=$1 pattern=$2 why=$3 found
  [ -d "$folder" ] || { echo "include_rules: folder $folder is missing"; exit 2; }
  checked=$((checked + 1))
  found=$(grep -rnE --include='*.h' --include='*.cc' --include='*.hip' --include='*.def' \
    "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)" "$folder" || true)
  if [ -n "$found" ]; then
    printf '%s\n' "$found" | sed "s|\$|  <- $why|"
    breaches=$((breaches + $(printf '%s\n' "$found" | wc -l)))
  fi
}

up='(\.\./)*'
forbid common                  "${up}(reference|hip_backend|conformance|fuzz|bench)/" "common is included by all and includes none"
forbid common/adahop/formats   '(adahop/([^f/]|f[^o])|c(math|string|stdio|stdlib)|vector|string|fmt/|iostream)' "formats are freestanding: device code includes them"
forbid reference               "${up}(hip_backend|conformance|fuzz|bench)/" "the oracle knows no backend and no test"
for level in avx2 avx512; do
  other=avx2
  [ "$level" = avx512 ] || other=avx512
  forbid "reference/simd/$level" "adahop/|reference/([^s]|s[^i])|reference/simd/([^ak]|$other/)|omp|[a-z_]+>" \
    "an inline function compiled for $level could become the whole program's copy"
done
forbid hip_backend             "${up}(reference|conformance|fuzz|bench)/" "a backend that includes the oracle compares it with itself"
forbid hip_backend/kernels     'adahop/([^f/]|f[^o])' "device code may include adahop/formats only"
forbid hip_backend/arch        'adahop/([^f/]|f[^o])' "device code may include adahop/formats only"
forbid hip_backend/sim         "${up}(hip_backend/)?(arch/|pipeline/|adahop/formats/|kernels/([^ak]|k[^e]|a[^r]))" "the simulator's semantics are the ISA manual's"
forbid conformance/independent "${up}(adahop|reference|hip_backend)/" "the second implementation is written from SPEC alone"

if [ "$breaches" -ne 0 ]; then
  echo "include_rules: $breaches breaches"
  exit 1
fi
echo "include_rules: $checked rules hold"
