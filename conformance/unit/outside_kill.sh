#!/usr/bin/env bash
# Killed before or after any of its calls on an output, half of a write done or not, a command leaves each output whole: the
# old file, none where none was, or the new one. What else it leaves behind does not disturb the next run. [spec:12.6]
#   outside_kill.sh PROGRAM SHIM FAULTY_BACKEND SOURCE_ROOT
source "$(dirname "$0")/outside_support.sh"

# is_new FILE: out/FILE is what an undisturbed run writes. A trace shows where the run's own memory lay.
is_new() {
  [ "$1" = trace.txt ] || { cmp -s "out/$1" "new/$1"; return; }
  cmp -s <(sed -E 's/[0-9a-f]{8} [0-9a-f]{8}$/ADDRESS/' "out/$1" 2>/dev/null) <(sed -E 's/[0-9a-f]{8} [0-9a-f]{8}$/ADDRESS/' "new/$1")
}

# killed_everywhere ACTION OLD|NONE FILES ARGUMENTS...: kills at the first call, the second, ... until the command gets through.
killed_everywhere() {
  local action=$1 start=$2 files=$3 n=0 file
  shift 3
  while :; do
    n=$((n + 1))
    find out -maxdepth 1 -type f ! -name '.adahop-*' -delete
    [ "$start" = NONE ] || for file in $files; do echo "old $file" >"out/$file"; done
    shimmed "$action:$n" out/ "$@"
    [ "$code" -eq 137 ] || break
    checks=$((checks + 1))
    for file in $files; do
      is_new "$file" && continue
      if [ "$start" = NONE ]; then [ ! -e "out/$file" ] && continue
      else [ "$(cat "out/$file")" = "old $file" ] && continue; fi
      complain "$action at call $n of '$*', $start before: $file is neither old nor new"
    done
    [ "$n" -lt 200 ] || { complain "'$*' has no end"; break; }
  done
  [ "$code" -eq "$expected" ] || complain "'$*' after $((n - 1)) kills: expected status $expected, found $code: $(cat stderr.txt)"
  # open, write, fsync, close, rename of each file at least, so no file was written past the shim.
  [ "$n" -gt $((5 * $(wc -w <<<"$files"))) ] || complain "'$*': only $((n - 1)) calls were seen"
  for file in $files; do is_new "$file" || complain "'$*' after kills: $file is not complete"; done
}

for writer in "${writers[@]}"; do
  files=${writer%%|*}
  read -ra arguments <<<"${writer#*|}"
  run "${arguments[@]}"
  expected=$code
  [ "$expected" -le 1 ] || complain "'${arguments[*]}' failed: $(cat stderr.txt)"
  rm -rf new && mv out new && mkdir out
  for file in $files; do [ -s "new/$file" ] || complain "'${arguments[*]}' wrote no $file"; done
  killed_everywhere kill OLD "$files" "${arguments[@]}"
  killed_everywhere tear NONE "$files" "${arguments[@]}"
  [ -n "$(find out -name '.adahop-*.tmp')" ] || complain "'${arguments[*]}': no kill left a temporary file, so none was hindered by one"
  # Interrupted and short transfers still give the whole file.
  find out -mindepth 1 -delete
  shimmed short / "${arguments[@]}"
  checks=$((checks + 1))
  [ "$code" -eq "$expected" ] || complain "'${arguments[*]}' in small steps: expected status $expected, found $code: $(cat stderr.txt)"
  for file in $files; do is_new "$file" || complain "'${arguments[*]}' in small steps: $file is not complete"; done
  [ "$(ls -A out | wc -l)" -eq "$(wc -w <<<"$files")" ] || complain "'${arguments[*]}': left behind: $(ls -A out)"
  find out -mindepth 1 -delete
done
finish
