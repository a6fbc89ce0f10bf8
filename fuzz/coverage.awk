# Judges the line counts of an lcov file: coverage by file and part, and uncovered lines against coverage_gaps.txt.
# Variables: root (with a final /), gaps (that file), judged (1: fail where something is missing).

function trimmed(text) { sub(/^[ \t]+/, "", text); sub(/[ \t\r]+$/, "", text); return text }

function part_of(file) { return file ~ /^reference\// ? "reference/" : "hip_backend/kernels and arch under hip-cpu" }

function percent(hit, all) { return all == 0 ? 100 : 100 * hit / all }

function read_gaps(   line, at, file, text) {
  while ((getline line < gaps) > 0) {
    if (line ~ /^#/ || line ~ /^[ \t]*$/) continue
    if (line ~ /^- /) { reason = substr(line, 3); continue }
    at = index(line, ": ")
    if (at == 0 || reason == "") { printf "coverage_gaps.txt: expected FILE: LINE below a reason, found %s\n", line; wrong++; continue }
    file = substr(line, 1, at - 1); text = trimmed(substr(line, at + 2))
    explained[file, text] = reason
    order[++listed] = file SUBSEP text
  }
  close(gaps)
}

# The texts of a file's lines, read once.
function read_source(file,   n, line) {
  n = 0
  split("", source)
  while ((getline line < (root file)) > 0) source[++n] = trimmed(line)
  close(root file)
}

BEGIN { read_gaps() }

/^SF:/ { file = substr($0, 4); file = substr(file, length(root) + 1); hit = all = 0; read_source(file); next }

/^DA:/ {
  split(substr($0, 4), count, ",")
  all++
  if (count[2] + 0 > 0) { hit++; next }
  text = source[count[1] + 0]
  if (text ~ /^[][(){};,]*$/) next  # ends of what is uncovered already
  missed[file, text] = 1
  if (!((file, text) in explained)) { unexplained[++open_lines] = file ":" count[1] ": " text }
  next
}

/^end_of_record/ {
  if (all == 0) next
  lines[++files] = sprintf("%6.1f %%  %5d of %5d  %s", percent(hit, all), hit, all, file)
  part = part_of(file); hits[part] += hit; alls[part] += all
}

END {
  for (i = 1; i <= files; i++) print lines[i]
  print ""
  for (part in alls) {
    printf "%6.1f %%  %5d of %5d  all of %s\n", percent(hits[part], alls[part]), hits[part], alls[part], part
    if (percent(hits[part], alls[part]) < 95) low++
  }
  printf "%d lines not executed and not explained in coverage_gaps.txt\n", open_lines
  for (i = 1; i <= open_lines; i++) print "  " unexplained[i]
  if (judged != 1) exit 0
  for (i = 1; i <= listed; i++)
    if (!(order[i] in missed)) { split(order[i], entry, SUBSEP); printf "explained, but executed or gone: %s: %s\n", entry[1], entry[2]; stale++ }
  if (low > 0) print "below 95 %"
  exit low + open_lines + stale + wrong > 0 ? 1 : 0
}
