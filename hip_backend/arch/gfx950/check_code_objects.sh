#!/usr/bin/env bash
# Checks the machine code of the kernels: usage check_code_objects.sh OBJDUMP KERNELS_DEF CODE_OBJECT...
# Every kernel of kernels.def is there once, and nothing else; the MX instructions are used and in the form meant; nothing
# approximate, no scratch memory, no fused multiply-add where SPEC 1.5 wants two roundings; subnormals are kept.
# [spec:1.3] [spec:1.5] What is asked of which kernel is in code_rules.txt; spills are counted by resource_table.sh.
set -euo pipefail
objdump=$1 def=$2
shift 2

rules=$(cat "$(dirname "$0")/code_rules.txt")
rules=${rules//REG/'v\[[0-9:]+\]'}
rules=${rules//FP4$/'op_sel_hi:\[0,0,0\] cbsz:4 blgp:4$'}
rules=${rules//HALF$/'op_sel_hi:\[(0,0|1,1),0\] cbsz:4 blgp:4$'}

kernels=$(sed -nE 's/^ADAHOP_KERNEL_ENTRY\(([a-z0-9_]+),.*/\1/p' "$def")
[ -n "$kernels" ] || { echo "gfx950: no kernel found in $def"; exit 1; }

"$objdump" -D -j .text -j .rodata --mcpu=gfx950 "$@" | RULES=$rules KERNELS=$kernels awk '
  function fail(what) { print "gfx950: " what; ++failures }
  function trimmed(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
  function applies(rule, kernel) {
    return substr(on[rule], 1, 1) == "!" ? kernel !~ substr(on[rule], 2) : kernel ~ on[rule]
  }
  # Once a kernel and rule.
  function offence(rule, what) { if (!told[kernel, rule]++) fail(kernel ": " what ": " text) }

  BEGIN {
    count = split(ENVIRON["RULES"], lines, "\n")
    for (i = 1; i <= count; i++) {
      if (lines[i] ~ /^#|^ *$/) continue
      split(lines[i], column, ";")
      on[++rules] = trimmed(column[1])
      split(trimmed(column[2]), word, " ")
      kind[rules] = word[1]
      begin[rules] = word[2]
      regex[rules] = trimmed(column[3])
      message[rules] = trimmed(column[4])
    }
    kernels = split(ENVIRON["KERNELS"], name, "\n")
    for (i = 1; i <= kernels; i++) known[name[i]] = 1
    for (r = 1; r <= rules; r++) {
      used = 0
      for (i = 1; i <= kernels; i++) used += applies(r, name[i])
      if (!used) fail("no kernel is called " on[r] ", which rules are for")
    }
  }

  # A label: the rules of its kernel until the next one.
  /^[0-9a-f]+ <.*>:$/ {
    kernel = substr($2, 2, length($2) - 3)
    if (kernel ~ /\.kd$/) next
    if (!(kernel in known)) fail(kernel ": code that is no kernel of kernels.def")
    ++labels[kernel]
    active = 0
    for (r = 1; r <= rules; r++) if (kind[r] != "setting" && applies(r, kernel)) rule[++active] = r
    next
  }
  $1 == ".amdhsa_kernel" { kernel = $2 }
  /^\t\.amdhsa_/ { setting[kernel, $1 " " $2] = 1; next }
  !/^\t/ { next }
  {
    text = $0
    sub(/\/\/.*/, "", text)
    text = trimmed(text)
    if (text ~ /^v_mfma/) {
      count = split(text, operand, ", ")
      split(operand[1], result, " ")
      if (operand[4] == result[2]) operand[4] = "D"
      text = operand[1]
      for (i = 2; i <= count; i++) text = text ", " operand[i]
    }
    for (i = 1; i <= active; i++) {
      r = rule[i]
      matches = text ~ regex[r]
      if (kind[r] == "never") { if (matches) offence(r, message[r]) }
      else if (matches) met[kernel, r] = 1
      else if (kind[r] == "every" && index(text, begin[r]) == 1) offence(r, "another matrix instruction")
    }
  }

  END {
    for (i = 1; i <= kernels; i++) {
      kernel = name[i]
      if (labels[kernel] != 1) {
        fail(kernel ": expected once in the code objects, found " labels[kernel] + 0 " times")
        continue
      }
      for (r = 1; r <= rules; r++) {
        if (kind[r] == "never" || !applies(r, kernel)) continue
        if (kind[r] != "setting" && !met[kernel, r]) fail(kernel ": no " message[r])
        if (kind[r] == "setting" && !(setting[kernel, "." regex[r]])) fail(kernel ": its descriptor lacks " regex[r])
      }
    }
    if (failures) { print "gfx950: " failures " of the checks failed"; exit 1 }
    print "gfx950: " kernels " kernels checked"
  }'
