#!/usr/bin/env bash
# Which lines of the oracle and of the kernels the suites, tests and fuzz corpora execute, by clang's own counters:
#   coverage.sh BUILD_DIR [all | mustpass | tests | corpora]
# Builds what it runs in BUILD_DIR and prints a line a file, then one for reference/ and one for the kernels under hip-cpu.
# `all`, the default, fails where either is below 95 %, where a line is not executed that coverage_gaps.txt does not
# explain, and where that file explains a line that is executed or gone. The other three show one source of inputs alone.
# Environment: JOBS (default: all cores), CXX (default clang++-22), LLVM_SUFFIX (of llvm-cov and llvm-profdata, default -22).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
build=$1
what=${2:-all}
jobs=${JOBS:-$(nproc)}
suffix=${LLVM_SUFFIX--22}
case $what in all | mustpass | tests | corpora) ;; *) echo "coverage.sh: '$what': expected all, mustpass, tests or corpora" >&2; exit 2 ;; esac
for tool in "llvm-cov$suffix" "llvm-profdata$suffix"; do
  command -v "$tool" >/dev/null || { echo "coverage.sh: $tool not found, it comes with llvm$suffix" >&2; exit 2; }
done

# Tests that reach what a suite of legal calls cannot: refusals, models by themselves, boundaries of each function.
tests=(reference_backend_test models_test models_bound_test backend_contract_test abi_hostile_test hip_kernels_policies_test
  property_test simd_kernels_test)
corpora=()
for folder in "$here"/corpus/*/; do
  name=$(basename "$folder")
  [ ! -f "$here/targets/$name.cc" ] || corpora+=("$name")
done

# Code objects are left out: what is asked is the kernels' source under hip-cpu.
configure_log=$(cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=${CXX:-clang++-22}" \
  -DADAHOP_COVERAGE=ON -DADAHOP_ENABLE_GFX950=OFF 2>&1) || { echo "$configure_log" >&2; exit 2; }
build=$(cd "$build" && pwd)
profiles=$build/coverage
rm -rf "$profiles"
mkdir -p "$profiles"
objects=()

compile() { cmake --build "$build" -j "$jobs" --target "$@" >"$profiles/build.log" 2>&1 || { tail -40 "$profiles/build.log" >&2; exit 2; }; }

# Runs a program of the build; its output is shown only where it fails.
run() { # NAME PROGRAM ARGS
  local name=$1
  shift
  [[ " ${objects[*]-} " == *" $1 "* ]] || objects+=("$1")
  LLVM_PROFILE_FILE="$profiles/$name.profraw" "$@" >"$profiles/$name.log" 2>&1 ||
    { tail -20 "$profiles/$name.log" >&2; echo "coverage.sh: $name failed" >&2; exit 1; }
}

if [ "$what" = all ] || [ "$what" = mustpass ]; then
  compile adahop
  run mustpass "$build/adahop" conform --backend hip-cpu --suite mustpass
  for isa in avx512 avx2; do
    # Without them their kernels would count as lines that nothing reaches.
    "$build/adahop" conform --backend simd --option isa=$isa --filter "*/72x96x80/*" --fail-fast >/dev/null 2>&1 ||
      { echo "coverage.sh: simd at isa=$isa does not run or pass here: expected a CPU with avx2 and avx512" >&2; exit 2; }
    run mustpass_$isa "$build/adahop" conform --backend simd --option isa=$isa --suite mustpass
  done
fi
if [ "$what" = all ] || [ "$what" = tests ]; then
  compile "${tests[@]}"
  export RC_PARAMS="seed=1 max_success=100"
  for name in "${tests[@]}"; do run "$name" "$(find "$build/conformance" -type f -name "$name" -perm -u+x | head -1)"; done
  # The variable is read once in a process.
  ADAHOP_ISA=sse9 run simd_refused "$(find "$build/conformance" -type f -name simd_kernels_test -perm -u+x | head -1)" "[.refused]"
fi
if [ "$what" = all ] || [ "$what" = corpora ]; then
  [ "${#corpora[@]}" -gt 0 ] || { echo "coverage.sh: no corpus" >&2; exit 2; }
  compile "${corpora[@]/#/fuzz_}"
  for name in "${corpora[@]}"; do run "fuzz_$name" "$build/fuzz/fuzz_$name" "$here/corpus/$name"; done
fi

"llvm-profdata$suffix" merge -sparse -o "$profiles/all.profdata" "$profiles"/*.profraw
arguments=("${objects[0]}")
for object in "${objects[@]:1}"; do arguments+=(-object "$object"); done
"llvm-cov$suffix" export -format=lcov -skip-functions -instr-profile="$profiles/all.profdata" "${arguments[@]}" \
  -sources "$root/reference" "$root/hip_backend/kernels" "$root/hip_backend/arch" >"$profiles/lines.info" 2>"$profiles/export.log" ||
  { cat "$profiles/export.log" >&2; exit 2; }

awk -v root="$root/" -v gaps="$here/coverage_gaps.txt" -v judged="$([ "$what" = all ] && echo 1 || echo 0)" \
  -f "$here/coverage.awk" "$profiles/lines.info"
