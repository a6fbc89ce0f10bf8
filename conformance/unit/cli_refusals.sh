# What the scripts of refusals share, sourced by them with their own arguments PROGRAM SOURCE_ROOT: a working folder with
# in/ and out/, `refused`, which runs the program on bad input, `complain`, and `finish`, which is the verdict.
set -uo pipefail
program=${1:?usage: $0 PROGRAM SOURCE_ROOT}
data=${2:?usage: $0 PROGRAM SOURCE_ROOT}/conformance/data
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir in out
name=$(basename "$0" .sh)
failures=0
checks=0

complain() {
  failures=$((failures + 1))
  echo "$name: $*"
}

# refused TEXT ARGUMENTS...: the program must refuse, saying TEXT, and leave out/ empty.
refused() {
  local text=$1 code lines
  shift
  checks=$((checks + 1))
  "$program" "$@" >stdout.txt 2>stderr.txt
  code=$?
  lines=$(wc -l <stderr.txt)
  [ "$code" -eq 2 ] || complain "$*: expected exit status 2, found $code"
  [ "$lines" -eq 1 ] || complain "$*: expected one line on stderr, found $lines: $(cat stderr.txt)"
  grep -qF -- "$text" stderr.txt || complain "$*: expected '$text', found: $(cat stderr.txt)"
  [ ! -s stdout.txt ] || complain "$*: expected nothing on stdout"
  [ -z "$(ls -A out)" ] || { complain "$*: left behind: $(ls -A out)"; rm -rf out; mkdir out; }
}

# The verdict of the script, its last command.
finish() {
  echo "$name: $checks checks, $failures failures"
  [ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]
}
