#!/usr/bin/env bash
# Every mutant of the catalogue reads well and applies to the tree as it is, every public fault has one, and none has been
# dropped without a decision. Usage: mutants_apply.sh ROOT
set -euo pipefail
cd "${1:?usage: mutants_apply.sh ROOT}"

fuzz/mutants/run.sh . /nowhere --check

lacking=0
at_least() { # COUNT FOLDERS...
  local found
  found=$(cd fuzz/mutants && find "${@:2}" -name '*.patch' | wc -l)
  [ "$found" -ge "$1" ] || { echo "mutants_apply: ${*:2}: $found mutants, expected at least $1"; lacking=$((lacking + 1)); }
}
at_least 30 reference
at_least 40 kernels gfx950
at_least 10 files
at_least 30 simd
for i in {1..20}; do
  grep -rqE --include='*.patch' "^# kind:.*\bF$i\b" fuzz/mutants || { echo "mutants_apply: no mutant of kind F$i"; lacking=$((lacking + 1)); }
done
[ "$(grep -rlE '^# equivalent:' fuzz/mutants --include='*.patch' | wc -l)" -le 3 ] || { echo "mutants_apply: more than 3 mutants are argued to be equivalent"; lacking=$((lacking + 1)); }
[ "$lacking" -eq 0 ]
