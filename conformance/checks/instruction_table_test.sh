#!/usr/bin/env bash
# The check of the instruction table must be able to fail, in each of its ways.
set -euo pipefail
check="${1:?usage: instruction_table_test.sh ROOT}/conformance/checks/instruction_table.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{hip_backend/sim,conformance/unit}

cases=0
expect() { # PASS|FAIL MODE TEXT
  local out code=0
  cases=$((cases + 1))
  out=$(bash "$check" "$work/list" "$2" "$work" 2>&1) || code=$?
  case "$1:$code" in PASS:0 | FAIL:1) ;; *) echo "expected $1, exit status $code: $out"; exit 1 ;; esac
  case $out in *"$3"*) ;; *) echo "expected '$3' in: $out"; exit 1 ;; esac
}
list() { # COMPILER LINE...: what the program lists
  printf '#!/usr/bin/env bash\ncat <<END\ncompiler %s\n%s\nEND\n' "$1" "$(printf '%s\n' "${@:2}")" >"$work/list"
  chmod +x "$work/list"
}
test_file() { printf '%s\n' "${@:2}" >"$work/conformance/unit/$1"; }

echo '    {"s_add_u32", "M1 m1 m1", add}, {"s_nop", "i", nop},' >"$work/hip_backend/sim/opcodes_scalar.cc"
add='s_add_u32;M1 m1 m1;A;yes' nop='s_nop;i;A;no'
list 'clang 22.1' "$add" "$nop"
test_file sim_scalar_test.cc '  {"s_add_u32", "s0, s1, s2", {}},' '  run("s_nop 3");'
expect FAIL check 'is not there'
expect PASS write ''
expect PASS check '2, each with a test'
grep -qF '| `s_add_u32` | `M1 m1 m1` | A | sim_scalar | yes |' "$work/hip_backend/sim/INSTRUCTIONS.md"

# A mention in a longer name, in a comment or in a test of the loader is no test.
test_file sim_scalar_test.cc '  {"s_add_u32", "s0, s1, s2", {}},  // s_nop' '  run("s_nop_more 3");'
test_file sim_load_test.cc '  parse("s_nop 3");'
expect FAIL check 's_nop has no test'
test_file sim_flow_test.cc '  run("s_nop 3");'
expect FAIL check 'the table differs'
expect PASS write ''
list 'clang 22.1' "$add" "$nop" 's_new;;B;no'
expect FAIL check 's_new is in no table'
list 'clang 22.1' "$add" 's_nop;i;B;no'
expect FAIL check 'the table differs'
list 'clang 22.1' "$add" 's_nop;i;A;yes'
expect FAIL check 'the table differs'
list 'clang 23.0' "$add" 's_nop;i;A;yes'
expect PASS check 'NOT COMPARED'
list 'clang 23.0' "$add" 's_nop;i;B;yes'
expect FAIL check 'the table differs'
echo "instruction_table_test: $cases cases"
