#!/usr/bin/env bash
# The tag check must be able to fail, in each of its three ways.
set -euo pipefail
root=${1:?usage: spec_tags_test.sh ROOT}
check="$root/conformance/checks/spec_tags.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{conformance,fuzz}
tag() { printf '[%s:%s]' spec "$1"; } # spelled apart, so that this file carries no tag itself

expect() { # PASS|FAIL TEXT
  local out code=0
  out=$("$check" "$work") || code=$?
  case "$1:$code" in PASS:0 | FAIL:1) ;; *) echo "expected $1, exit status $code: $out"; exit 1 ;; esac
  case $out in *"$2"*) ;; *) echo "expected '$2' in: $out"; exit 1 ;; esac
}

printf -- '- **1.1** One.\n- **1.2** Two.\n- **1.3** (withdrawn)\n' >"$work/SPEC.md"
printf 'TEST_CASE("a", "%s%s")\n' "$(tag 1.1)" "$(tag 1.2)" >"$work/conformance/a.cc"
expect PASS '3 clauses'
printf 'TEST_CASE("a", "%s")\n' "$(tag 1.1)" >"$work/conformance/a.cc"
expect FAIL '1.2 has no test'
printf 'TEST_CASE("a", "%s%s%s")\n' "$(tag 1.1)" "$(tag 1.2)" "$(tag 9.9)" >"$work/conformance/a.cc"
expect FAIL "9.9 is a test's tag but not a clause"
printf -- '- **1.1** One.\n- **1.1** Two.\n- **1.2** Two.\n' >"$work/SPEC.md"
expect FAIL '1.1 is numbered twice'
echo "spec_tags_test: 4 cases"
