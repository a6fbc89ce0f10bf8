#!/usr/bin/env bash
# `adahop conform` as its users meet it: exit status, last line, report files, one line of error. [spec:13.1]
#   conform_cli.sh ADAHOP WORK
set -uo pipefail
adahop=$1 work=$2
rm -rf "$work" && mkdir -p "$work"
failures=0
fail() { echo "FAIL: $*" >&2; failures=$((failures + 1)); }
run() { "$adahop" conform "$@" >"$work/out" 2>"$work/err"; code=$?; }
# expect STATUS REGEX-OF-LAST-LINE ARGUMENTS...
expect() {
  local status=$1 last=$2
  shift 2
  run "$@"
  [ "$code" -eq "$status" ] || fail "conform $*: status $code, expected $status"
  tail -1 "$work/out" | grep -Eq -- "$last" || fail "conform $*: last line '$(tail -1 "$work/out")' does not match $last"
}
# usage REGEX ARGUMENTS...: status 2 and one line on stderr.
usage() {
  local message=$1
  shift
  run "$@"
  [ "$code" -eq 2 ] || fail "conform $*: status $code, expected 2"
  [ "$(wc -l <"$work/err")" -eq 1 ] || fail "conform $*: expected one line on stderr, got: $(cat "$work/err")"
  grep -Eq -- "$message" "$work/err" || fail "conform $*: '$(cat "$work/err")' does not match $message"
}

small='RC/*/33x64x40/*'
expect 0 '^[0-9]+ passed, 0 failed$' --filter "$small"
expect 0 '^[0-9]+ passed, 0 failed$' --backend reference --filter "$small" --seed 5 --threads 1
expect 0 '^[0-9]+ passed, 0 failed$' --filter "$small" --compare values --lane-seed 3
expect 0 '^[0-9]+ passed, 0 failed$' --filter "$small" --option mx_tile=32x32x64
expect 0 '^[0-9]+ passed, 0 failed$' --filter "$small" --preset ocp
expect 0 '^[0-9]+ passed, 0 failed$' --filter '*/33x64x40/*' --pairs RC,NN --shard 2/3
grep -q '^RC ' "$work/out" || fail "no row for pair RC"

# Three shards count what the whole counts.
total=0
for i in 1 2 3; do
  run --filter '*/33x64x40/*' --shard "$i/3"
  total=$((total + $(tail -1 "$work/out" | cut -d' ' -f1)))
done
run --filter '*/33x64x40/*'
[ "$total" -eq "$(tail -1 "$work/out" | cut -d' ' -f1)" ] || fail "shards count $total, the whole $(tail -1 "$work/out")"

# The same report from one thread and from two.
run --filter "$small" --threads 1 --json && cp "$work/out" "$work/one"
run --filter "$small" --threads 2 --json
cmp -s "$work/one" "$work/out" || fail "--threads 1 and 2 differ"

run --filter "$small" --report "$work/report"
grep -q '"failed": 0' "$work/report/conform.json" || fail "conform.json lacks the counts"

run --list
head -1 "$work/out" | grep -q '^# adahop suite mustpass, version' || fail "--list has no version line"

usage 'pairs' --pairs RX
usage "pairs ''" --pairs ''
usage "pairs 'RC,'" --pairs RC,
usage "pairs ',RC'" --pairs ,RC
usage "filter ''" --filter ''
usage "seed.*'-1'.*18446744073709551615" --seed -1
usage 'seed.*expected a whole number' --seed 18446744073709551616
usage 'seed.*expected a whole number' --seed 1x
usage 'errors.*expected a whole number' --errors -1
usage "option 'threads': expected KEY=VALUE" --option threads --filter "$small"
usage "option '=1': expected KEY=VALUE" --option =1 --filter "$small"
usage 'oe_k=99999999999: is out of range' --policy oe_k=99999999999
usage 'shard' --shard 99999999999/99999999999
usage 'shard' --shard 4/3
usage 'shard' --shard 0/3
usage 'suite' --suite most
usage 'no-such-backend' --backend no-such-backend
usage 'missing.so' --backend ./missing.so
usage 'no case' --filter 'nothing/at/all'
usage 'scale_rule' --policy scale_rule=nearest
usage 'lane_seed' --backend reference --filter "$small" --lane-seed 1
usage "$work/empty" --filter "$small" --data "$work/empty"
[ "$failures" -eq 0 ] && echo "conform_cli: all checks passed"
exit "$((failures > 0))"
