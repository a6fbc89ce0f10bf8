#!/usr/bin/env bash
# Every SPEC clause is cited by a test tag [spec:N.M], and every tag names a clause. Usage: spec_tags.sh ROOT.
set -euo pipefail
cd "${1:?usage: spec_tags.sh ROOT}"

clauses=$(grep -oE '^- \*\*[0-9]+\.[0-9]+\*\*' SPEC.md | tr -d -- '-* ' | sort -V)
repeated=$(printf '%s\n' "$clauses" | uniq -d)
withdrawn=$(grep -E '^- \*\*[0-9]+\.[0-9]+\*\* \(withdrawn\)' SPEC.md | grep -oE '[0-9]+\.[0-9]+' | sort -V -u || true)
tagged=(conformance)
[ ! -d fuzz ] || tagged+=(fuzz)
tags=$(grep -rhoE '\[spec:[0-9]+\.[0-9]+\]' "${tagged[@]}" --include='*.cc' --include='*.sh' |
  grep -oE '[0-9]+\.[0-9]+' | sort -V -u || true)
[ -n "$clauses" ] || { echo "spec_tags: SPEC.md has no clauses"; exit 1; }

bad=0
say() { # LIST TEXT
  [ -n "$1" ] || return 0
  printf '%s\n' "$1" | sed "s|^|spec_tags: |; s|\$| $2|"
  bad=1
}
only_left() { comm -23 <(printf '%s\n' "$1" | sort -u) <(printf '%s\n' "$2" | sort -u) | sed '/^$/d' | sort -V; }

say "$repeated" "is numbered twice in SPEC.md"
say "$(only_left "$clauses" "$(printf '%s\n%s' "$tags" "$withdrawn")")" "has no test tagged with it"
say "$(only_left "$tags" "$clauses")" "is a test's tag but not a clause of SPEC.md"
[ "$bad" -eq 0 ] || exit 1
echo "spec_tags: $(printf '%s\n' "$clauses" | wc -l) clauses, each with a test"
