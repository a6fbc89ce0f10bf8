#!/usr/bin/env bash
# Checks resource_table.sh: each change planted in the metadata of a code object must be found.
#   resource_table_test.sh READELF CODE_OBJECT      a code object with the kernel scatter_add, of 256 threads a block
set -euo pipefail
table_of=$(dirname "$0")/resource_table.sh
readelf=$1 object=$2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$readelf" --notes --dyn-syms --string-dump=.comment "$object" >"$folder/metadata"
# Stands in for readelf: the recorded metadata through the planted change.
cat >"$folder/readelf" <<'SCRIPT'
#!/usr/bin/env bash
folder=$(dirname "$0")
exec sed -E -f "$folder/change" "$folder/metadata"
SCRIPT
chmod +x "$folder/readelf"
run() { bash "$table_of" "$folder/readelf" "$1" "$folder/table" O3 "$object" 2>&1; }

checks=0
# expect NAME SED_SCRIPT STATUS TEXT: the check of the changed metadata ends with STATUS and says TEXT.
expect() {
  local said code=0
  printf '%s' "$2" >"$folder/change"
  said=$(run check) || code=$?
  if [ "$code" != "$3" ] || ! grep -qE -- "$4" <<<"$said"; then
    echo "planted $1: expected status $3 and '$4', got $code: $said"
    exit 1
  fi
  checks=$((checks + 1))
}
# waves VGPRS AGPRS SGPRS LDS THREADS WAVES: what the table makes of them; the expected waves are worked out by hand.
waves() {
  local said
  cat >"$folder/change" <<SED
s/(\.vgpr_count: *).*/\1$1/
s/(\.agpr_count: *).*/\1$2/
s/(\.sgpr_count: *).*/\1$3/
s/(\.group_segment_fixed_size: *).*/\1$4/
s/(\.max_flat_workgroup_size: *).*/\1$5/
SED
  said=$(run print | awk '$2 == "scatter_add" { print $10 }')
  [ "$said" = "$6" ] || { echo "waves of $1+$2 vector, $3 scalar registers, $4 bytes, $5 threads: expected $6, got $said"; exit 1; }
  checks=$((checks + 1))
}

: >"$folder/change"
run write
expect "nothing" '' 0 '1 kernels as in the table'
expect "another vector register count" 's/(\.vgpr_count: *).*/\1200/' 1 '^\+O3 +scatter_add +200 '
expect "the line that rewrites the table" 's/(\.vgpr_count: *).*/\1200/' 1 'cmake --build .* --target gfx950_resource_table'
expect "shared memory" 's/(\.group_segment_fixed_size: *).*/\164/' 1 '^\+O3 +scatter_add .* 64 '
expect "longer code" 's/ [0-9]+ (FUNC .*scatter_add)/ 99999 \1/' 1 '^\+O3 +scatter_add .* 99999$'
expect "a kernel of another name" 's/scatter_add/scatter/' 1 '^-O3 +scatter_add '
expect "spilled vector registers" 's/(\.vgpr_spill_count: *).*/\13/' 1 'O3 scatter_add: 3 vector registers spilled, expected 0'
expect "spilled scalar registers" 's/(\.sgpr_spill_count: *).*/\15/' 1 'O3 scatter_add: 5 scalar registers spilled, expected 0'
expect "scratch memory" 's/(\.private_segment_fixed_size: *).*/\116/' 1 'O3 scatter_add: 16 bytes of scratch memory, expected 0'
expect "no count of spills" '/\.sgpr_spill_count/d' 1 'scatter_add has no .sgpr_spill_count'
expect "no size of the code" '/FUNC/d' 1 'scatter_add has no bytes of code'
expect "no kernel" '/\.name:/d' 1 'no kernel in the code objects'
expect "no compiler" '/clang version/d' 1 'expected one: none'
expect "another compiler" 's/clang version [0-9.]+/clang version 99.1.2/' 77 'NOT COMPARED: the table is of clang [0-9.]+, these .* of clang 99.1$'
expect "another compiler that spills" 's/clang version [0-9.]+/clang version 99.1.2/;s/(\.sgpr_spill_count: *).*/\12/' 1 '2 scalar registers spilled'
printf '%s' 's/(\.sgpr_spill_count: *).*/\15/' >"$folder/change"
! run write >/dev/null || { echo "a table of spilling kernels was written without an error"; exit 1; }

waves 64 0 32 0 256 8
waves 65 0 32 0 256 7
waves 65 1 32 0 256 7
waves 512 256 32 0 256 1
waves 8 0 101 0 256 7
waves 8 0 32 20480 256 8
waves 8 0 32 20481 256 7
waves 8 0 32 81920 512 4
waves 8 0 32 0 64 8
waves 8 0 32 0 128 8
waves 8 0 32 0 1024 8
waves 8 0 32 163840 64 1
waves 8 0 32 32768 64 1
waves 8 0 32 30720 64 2
echo "gfx950 resources: $checks planted changes and formulas as expected"
