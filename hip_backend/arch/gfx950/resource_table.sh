#!/usr/bin/env bash
# What every kernel takes from a compute unit, read from its code object, against the committed table resources.txt:
#   resource_table.sh READELF print|check|write TABLE O3 CODE_OBJECT... O2 CODE_OBJECT...
# print: to stdout. write: into TABLE. check: a difference from TABLE is an error. Under each of them a kernel that spills
# registers or uses scratch memory is one, whatever the table says. Status 1: an error; 77: another compiler than the
# table's made the code objects, so that only that rule was checked.
set -euo pipefail
export LC_ALL=C
readelf=$1 mode=$2 table=$3
shift 3

die() { echo "gfx950 resources: $*" >&2; exit 1; }

# The metadata of each code object, after a line with its level.
metadata() {
  local level=
  for argument in "$@"; do
    case $argument in
      O[0-3]) level=$argument ;;
      *)
        [ -n "$level" ] || die "$argument: expected O2 or O3 before the first code object"
        echo "level $level"
        "$readelf" --notes --dyn-syms --string-dump=.comment "$argument" || die "$argument cannot be read"
        ;;
    esac
  done
}

# One line a kernel. The formula of the waves is the one that the head of the table states.
rows() {
  sort -k1,1 -k2,2 <(awk '
    function up(x, granule) { return int((x + granule - 1) / granule) * granule }
    function least(x, y) { return x < y ? x : y }
    function waves(vgprs, sgprs, lds, threads,   w, per_group, groups) {
      w = least(8, int(512 / up(vgprs + (vgprs == 0), 8)))
      if (sgprs > 100) w = least(w, 7)
      per_group = int((threads + 63) / 64)
      groups = int(32 / per_group)
      if (per_group > 1) groups = least(groups, 16)
      if (lds > 0) groups = least(groups, int(163840 / up(lds, 1280)))
      return least(w, int((groups * per_group + 3) / 4))
    }
    # Metadata that is not there is no 0.
    function field(name, key) {
      if (!((name, key) in kept)) print "? " name " has no " key
      return kept[name, key]
    }
    function finish_kernel(   key) {
      if (".name" in v) {
        names[++count] = v[".name"]
        for (key in v) kept[v[".name"], key] = v[key]
      }
      delete v
    }
    function finish_object(   i, n, vgprs, agprs, sgprs, lds) {
      finish_kernel()
      for (i = 1; i <= count; i++) {
        n = names[i]
        vgprs = field(n, ".vgpr_count")
        agprs = field(n, ".agpr_count")
        sgprs = field(n, ".sgpr_count")
        lds = field(n, ".group_segment_fixed_size")
        printf "%-5s %-34s %4d %4d %4d %6d %7d %6d %6d %5d %6d\n", level, n, vgprs - agprs, agprs, sgprs, lds,
          field(n, ".private_segment_fixed_size"), field(n, ".vgpr_spill_count"), field(n, ".sgpr_spill_count"),
          waves(vgprs, sgprs, lds, field(n, ".max_flat_workgroup_size")), field(n, "bytes of code")
      }
      count = 0
      delete kept
    }
    $1 == "level" { finish_object(); level = $2 }
    # A kernel begins with a dash; its keys stand four columns in, those of its arguments further.
    /^  - / { finish_kernel(); sub(/^  - /, "    ") }
    /^    \.[a-z_]+: *[^ ]/ { v[substr($1, 1, length($1) - 1)] = $2 }
    /^amdhsa\./ { finish_kernel() }
    $4 == "FUNC" { kept[$NF, "bytes of code"] = $3 }
    END { finish_object() }' <<<"$1")
}

head_of_table() { # COMPILER
  cat <<HEAD
# What each gfx950 kernel takes from a compute unit. Written by resource_table.sh, compared by the test gfx950_resources.
# Compiler: clang $1
#
# level    -O2 or -O3; conform runs both, hip loads O3
# vgpr     vector registers, agpr: accumulation registers; the two share one file. sgpr: scalar registers
# lds      bytes of shared memory a workgroup; scratch: bytes of private memory a lane, must be 0
# vspill   vector registers spilled, sspill: scalar ones, to lanes of a vector register or to scratch; must be 0
# waves    waves that fit on a SIMD at once, the least of
#            8
#            512 / (vgpr + agpr in granules of 8)          512 KB of vector registers a CU [gpu-specs], granule of LLVM
#            7 if sgpr > 100                               LLVM, getOccupancyWithNumSGPRs
#            workgroups of a CU x waves of one / 4 SIMDs   rounded up; the workgroups of a CU are at most
#              160 KiB / (lds in granules of 1280 bytes)   160 KiB a CU [gpu-specs], granule of LLVM
#              32 / waves of one, and 16 of two waves or more (barriers of a CU, LLVM)
#          This is the compiler's own formula, not a measurement on hardware.
# code     bytes of machine code
level kernel                             vgpr agpr sgpr    lds scratch vspill sspill waves   code
HEAD
}

objects=$(metadata "$@")
compiler=$(sed -nE 's/.*clang version ([0-9]+\.[0-9]+).*/\1/p' <<<"$objects" | sort -u)
[ "$(wc -w <<<"$compiler")" = 1 ] || die "the code objects name these compilers, expected one: ${compiler:-none}"
lines=$(rows "$objects")
[ -n "$lines" ] || die "no kernel in the code objects"
! grep '^?' <<<"$lines" || die "metadata is missing"

failures=$(awk '
  $7 != 0 { print "gfx950 resources: " $1 " " $2 ": " $7 " bytes of scratch memory, expected 0" }
  $8 != 0 { print "gfx950 resources: " $1 " " $2 ": " $8 " vector registers spilled, expected 0" }
  $9 != 0 { print "gfx950 resources: " $1 " " $2 ": " $9 " scalar registers spilled, expected 0" }' <<<"$lines")
now=$(head_of_table "$compiler"; echo "$lines")

case $mode in
  print) echo "$now" ;;
  write) echo "$now" >"$table" ;;
  check)
    [ -r "$table" ] || die "$table is not there"
    committed=$(sed -n 's/^# Compiler: clang //p' "$table")
    if [ "$committed" != "$compiler" ]; then
      [ -z "$failures" ] || { echo "$failures"; exit 1; }
      echo "gfx950 resources: NOT COMPARED: the table is of clang $committed, these code objects are of clang $compiler"
      exit 77
    fi
    if difference=$(diff -U0 --label "committed: $table" --label "now: the code objects" "$table" - <<<"$now"); then
      echo "gfx950 resources: $(wc -l <<<"$lines") kernels as in the table"
    else
      grep '^level' <<<"$now" | sed 's/^/ /'
      grep -v '^@@' <<<"$difference"
      failures+=${failures:+$'\n'}"gfx950 resources: the table differs; if it is meant: cmake --build BUILD_DIR --target gfx950_resource_table"
    fi
    ;;
  *) die "unknown mode $mode: expected print, check or write" ;;
esac
[ -z "$failures" ] || { echo "$failures"; exit 1; }
