#!/usr/bin/env bash
# The table hip_backend/sim/INSTRUCTIONS.md: every instruction that the simulator implements, with its test and certainty.
#   instruction_table.sh SIM_OPCODES print|check|write ROOT
# SIM_OPCODES is the program of sim_opcodes.cc. check: a difference from the committed table is an error; of the column that
# depends on the compiler only where that is the table's. In every mode it is one that an instruction has no test: that no
# test of the handlers has its name at the start of a string.
set -euo pipefail
export LC_ALL=C
sim_opcodes=$1 mode=$2 root=$3
table=$root/hip_backend/sim/INSTRUCTIONS.md
# Tests of loading, recording and checking name instructions too, but are not about what they compute.
not_semantics='sim_(load|trace|coverage|device|global_check|lds_check|footprint|numerics)'

die() { echo "instructions: $*" >&2; exit 1; }

listed=$("$sim_opcodes") || die "$sim_opcodes failed"
compiler=$(sed -n 's/^compiler //p' <<<"$listed")

# Lines "FILE:WORD" of words that begin a string in these files, with their encoding suffix taken away; WORD" where the
# word is the whole string.
words() { grep -oHE '"[a-z][a-z0-9_]*"?' "$@" | sed -E 's/^.*\/([^/]*):"/\1:/; s/(_e32|_e64|_dpp|_sdwa)("?)$/\2/' | sort -u; }

tests=()
for t in "$root"/conformance/unit/sim_*_test.cc; do
  [[ $(basename "$t") =~ ^$not_semantics ]] || tests+=("$t")
done

head_of_table() {
  cat <<HEAD
# Instructions of the simulator

Written by \`conformance/checks/instruction_table.sh\`, compared by the test \`sim_instructions\`; a change that is meant:
\`cmake --build build --target sim_instruction_table\`. Kernels compiled by: $compiler

- **operands**: the form that the disassembler's text must have; \`sim/opcode.h\` explains the letters. Modifiers are in the
  source's tables.
- **known**: how certain the semantics are, by their least certain part. **A**: the ISA manual's pseudocode or prose, or plain
  IEEE arithmetic that it names. **B**: AMD's software models, or what LLVM counts on for gfx950. **C**: numbers as A; which
  NaN comes out, or what denormals do, is our inference. **?**: part of it is not public; an option of
  \`sim/numerics/options.h\` chooses.
- **test**: in \`conformance/unit/\`, on values worked out by hand, with lanes switched off; whole products and quantized blocks
  are compared with the reference by \`adahop conform --backend gfx950-sim\`.
- **ours**: whether a kernel of this repository has it, at -O3 or -O2. Those that none has were never met by \`conform\`.

Anything else stops the loading of a kernel with the instruction's address and text: approximate instructions but v_rcp
(v_exp_f32, v_log_f32, v_rsq_f32, v_sqrt_f32, v_sin_f32: exp2f, sqrtf and the like of other people's kernels), scratch memory,
structured buffers, flat addressing, matrix instructions but on FP4 and BF16 (FP8 and FP6 in those on FP4 stop the launch).
HEAD
}

body() {
  awk -F'[:;]' '
    FILENAME == ARGV[1] { if (sub(/"$/, "", $2)) source[$2] = $1; next }
    FILENAME == ARGV[2] {
      file = $1; sub(/_test[.]cc$/, "", file)
      if (sub(/"$/, "", $2)) row[$2] = row[$2] (row[$2] == "" ? "" : ", ") file
      else mention[$2] = mention[$2] (mention[$2] == "" ? "" : ", ") file
      next
    }
    /^compiler / { next }
    {
      if (!($1 in source)) { print "? " $1 " is in no table of hip_backend/sim/opcodes_*.cc"; next }
      test = $1 in row ? row[$1] : mention[$1]
      if (test == "") print "? " $1 " has no test"
      if (source[$1] != last) {
        last = source[$1]
        print "\n## `" last "`\n\n| instruction | operands | known | test | ours |\n|---|---|---|---|---|"
      }
      form = $2; gsub(/\|/, " or ", form)
      print "| `" $1 "` | " (form == "" ? "" : "`" form "`") " | " $3 " | " test " | " $4 " |"
    }' <(words "$root"/hip_backend/sim/opcodes_*.cc) <(words "${tests[@]}") <(echo "$listed")
}

lines=$(body)
! grep '^?' <<<"$lines" || die "each instruction has one table and at least one test in conformance/unit/sim_*_test.cc"
now=$(head_of_table; echo "$lines")
count=$(grep -c '^| `' <<<"$lines")

case $mode in
  print) echo "$now" ;;
  write) echo "$now" >"$table" ;;
  check)
    [ -r "$table" ] || die "$table is not there"
    committed=$(cat "$table")
    if ! grep -qF "Kernels compiled by: $compiler" <<<"$committed"; then
      echo "instructions: column 'ours' NOT COMPARED: the table is of another compiler than $compiler"
      without_kernels() { sed -E 's/ (yes|no) \|$/|/; s/Kernels compiled by: .*//'; }
      committed=$(without_kernels <<<"$committed")
      now=$(without_kernels <<<"$now")
    fi
    if ! diff -U0 --label "committed: $table" --label now <(echo "$committed") <(echo "$now"); then
      die "the table differs; if it is meant: cmake --build BUILD_DIR --target sim_instruction_table"
    fi
    echo "instructions: $count, each with a test"
    ;;
  *) die "unknown mode $mode: expected print, check or write" ;;
esac
