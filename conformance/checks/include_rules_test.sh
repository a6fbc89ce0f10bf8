#!/usr/bin/env bash
# The include check must be able to fail: plant one forbidden include per rule in a copy and expect it to be named.
set -euo pipefail
root=${1:?usage: include_rules_test.sh ROOT}
check="$root/conformance/checks/include_rules.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

planted=0
plant() { # FILE INCLUDE
  planted=$((planted + 1))
  rm -rf "$work/tree"
  mkdir -p "$work/tree"/{common/adahop/formats,reference/simd/{avx2,avx512},hip_backend/{kernels,arch,sim},conformance/independent}
  "$check" "$work/tree" >/dev/null || { echo "an empty tree must pass"; exit 1; }
  printf '// a file\n#include %s\n' "$2" >"$work/tree/$1"
  local out
  if out=$("$check" "$work/tree"); then echo "not seen: $2 in $1"; exit 1; fi
  case $out in "$1:2:"*) ;; *) echo "not named: $2 in $1: $out"; exit 1 ;; esac
}

plant common/adahop/x.h '"reference/encode.h"'
plant common/adahop/formats/x.h '"adahop/status.h"'
plant common/adahop/formats/x.h '<cmath>'
plant reference/x.cc '"hip_backend/pipeline/pipeline.h"'
plant reference/simd/avx2/x.cc '"reference/encode.h"'
plant reference/simd/avx2/x.cc '"reference/scale.h"'
plant reference/simd/avx2/x.cc '"reference/simd/isa.h"'
plant reference/simd/avx2/x.cc '"reference/simd/avx512/prefetch.h"'
plant reference/simd/avx2/x.cc '<algorithm>'
plant reference/simd/avx512/x.h '"adahop/tensor.h"'
plant reference/simd/avx512/x.h '<omp.h>'
plant hip_backend/x.cc '"reference/encode.h"'
plant hip_backend/kernels/x.hip '"../../reference/encode.h"'
plant hip_backend/kernels/x.hip '"adahop/policy.h"'
plant hip_backend/arch/x.h '"adahop/plan.h"'
plant hip_backend/sim/x.cc '"arch/portable/fp4.h"'
plant hip_backend/sim/x.cc '"kernels/rounding.h"'
plant hip_backend/sim/x.cc '"adahop/formats/e2m1.h"'
plant conformance/independent/x.cc '"adahop/formats/e2m1.h"'
plant conformance/independent/x.cc '"reference/scale.h"'
echo "include_rules_test: $planted planted includes were named"
