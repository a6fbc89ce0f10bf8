#!/usr/bin/env bash
# simd_objects.sh passes objects that define their kernels alone and finds each way of doing otherwise.
# Usage: simd_objects_test.sh ROOT CXX NM
set -euo pipefail
check=$(realpath "${1:?usage: simd_objects_test.sh ROOT CXX NM}")/conformance/checks/simd_objects.sh cxx=${2:?} nm=${3:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir avx2 avx512
echo 'ADAHOP_SIMD_KERNEL(twice, int, (int x))' >kernels.def

object() { # LEVEL NAME CODE
  printf '%s\n' "$3" >"$1/$2.cc"
  "$cxx" -O0 -c "$1/$2.cc" -o "$1/$2.o"
}
kernel() { # LEVEL [CODE BEFORE [BODY]]
  object "$1" kernel "${2:-} namespace adahop::reference::simd { int twice__$1(int x) { ${3:-return 2 * x;} } }"
}
shopt -s nullglob
failures=0
expect() { # STATUS TEXT
  local code=0
  "$check" "$nm" kernels.def "$PWD"/avx2/*.o "$PWD"/avx512/*.o >found.txt 2>&1 || code=$?
  [ "$code" -eq "$1" ] && grep -qF -- "$2" found.txt && return
  failures=$((failures + 1))
  echo "simd_objects_test: expected status $1 and '$2', found $code: $(cat found.txt)"
}

kernel avx2
kernel avx512 'namespace { int helper(int x) { return x + x; } }' 'return helper(x);'
expect 0 '2 objects, 1 kernels'
kernel avx2 'inline int helper(int x) { return x + x; }' 'return helper(x);'
expect 1 'avx2: neither local nor a kernel'
kernel avx2 'template <class T> T helper(T x) { return x + x; }' 'return helper(x);'
expect 1 'avx2: neither local nor a kernel'
kernel avx2 'int helper(int x) { return x + x; }' 'return helper(x);'
expect 1 'avx2: functions that are no kernels of it'
kernel avx2 'int helper(int x);' 'return helper(x);'
expect 1 'avx2: calls: helper(int)'
kernel avx2 'int total = 0;' 'return total += x;'
expect 1 'avx2: neither local nor a kernel'
kernel avx2
object avx512 kernel 'namespace adahop::reference::simd { int twice__avx2(int x) { return x; } }'
expect 1 'avx512: not the kernels of kernels.def'
rm avx512/*.o
object avx2 other 'static int unused = 0; int* const other_address = &unused;'
expect 1 'no objects of avx512'
echo "simd_objects_test: 8 cases, $failures failures"
[ "$failures" -eq 0 ]
