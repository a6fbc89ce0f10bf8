#!/usr/bin/env bash
# The test of bootstrap's counting: logs of ctest, and the closing line and status that belong to them.
#   bootstrap_count_test.sh SOURCE_DIR
set -uo pipefail
bootstrap=$1/bootstrap
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect STATUS LINE LOGS...
expect() {
  local status=$1 line=$2 said code=0
  shift 2
  said=$("$bootstrap" count "$@" 2>/dev/null) || code=$?
  [ "$code" -eq "$status" ] && [ "$said" = "$line" ] && return
  echo "bootstrap count ${*##*/}: expected '$line' and status $status, got '$said' and status $code"
  failures=$((failures + 1))
}

cat >"$work/skip" <<'LOG'
      Start  1: one
 1/12 Test  #1: one ..............................   Passed    0.02 sec
      Start  2: library
 2/12 Test  #2: library ..........................***Skipped   0.01 sec
12/12 Test #12: last .............................   Passed    1.00 sec

100% tests passed, 0 tests failed out of 12

The following tests did not run:
	  2 - library (Skipped)
LOG
cat >"$work/fail" <<'LOG'
 9/77 Test  #9: wrong ............................***Failed    0.10 sec
a test that prints Test #3: x ***Skipped is not one that was skipped

97% tests passed, 2 tests failed out of 77
LOG
cat >"$work/pass" <<'LOG'
1/1 Test #1: one .................................   Passed    0.02 sec

100% tests passed, 0 tests failed out of 1
LOG
cat >"$work/only_skipped" <<'LOG'
1/1 Test #1: one .................................***Skipped   0.02 sec

100% tests passed, 0 tests failed out of 1
LOG
echo 'No tests were found!!!' >"$work/none"

expect 0 '1 passed, 0 failed' "$work/pass"
expect 0 '11 passed, 0 failed, 1 skipped' "$work/skip"
expect 1 '75 passed, 2 failed' "$work/fail"
expect 0 '12 passed, 0 failed, 1 skipped' "$work/skip" "$work/pass"
expect 1 '86 passed, 2 failed, 1 skipped' "$work/fail" "$work/skip"
expect 1 '1 passed, 1 failed' "$work/pass" "$work/none"
expect 1 '0 passed, 0 failed, 1 skipped' "$work/only_skipped"

[ "$failures" -eq 0 ] || exit 1
echo "bootstrap_count_test: all as expected"
