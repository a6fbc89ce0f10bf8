#!/usr/bin/env bash
# Hostile headers under a limit of memory (1 GiB of address space) and of processor time (20 s a run): refused in one line.
# Usage: outside_memory.sh PROGRAM SOURCE_ROOT. Covers [spec:12.5].
source "$(dirname "$0")/cli_refusals.sh"
ulimit -v 1048576 -t 20

times() { # N TEXT
  head -c "$1" /dev/zero | tr '\0' "$2"
}
# safetensors FILE HEADER: a header with its length in front, and no data.
safetensors() {
  local n
  n=$(printf '%s' "$2" | wc -c)
  { printf "\\x$(printf %02x $((n & 255)))\\x$(printf %02x $((n >> 8 & 255)))\\x$(printf %02x $((n >> 16)))\\0\\0\\0\\0\\0"
    printf '%s' "$2"; } >"$1"
}
npy() { # FILE DESCR SHAPE
  local header="{'descr': '$2', 'fortran_order': False, 'shape': $3, }"
  printf '\x93NUMPY\x01\x00'"\\x$(printf %02x $((${#header} + 1)))\\0%s\n" "$header" >"$1"
}

# Shapes of 2^40 elements and beyond.
npy in/vast.npy '<f4' '(1048576, 1048576)'
refused 'expected 4398046511104 bytes' quantize in/vast.npy out/o.safetensors
npy in/over.npy '<f4' '(999999999999999999, 999999999999999999, 999999999999999999)'
refused 'at most 2^40 elements' inspect in/over.npy
safetensors in/vast.safetensors '{"x":{"dtype":"F32","shape":[1048576,1048576],"data_offsets":[0,4398046511104]}}'
refused 'at most the 0 data bytes' inspect in/vast.safetensors
safetensors in/over.safetensors '{"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}'
refused 'at most 2^40 elements' inspect in/over.safetensors
# Many rows without elements, then with a dimension that pads to elements.
npy in/hollow.npy '<f4' '(1099511627776, 0)'
"$program" quantize in/hollow.npy out/hollow.safetensors --policy pad=zero >/dev/null || complain "no elements: refused"
rm -f out/hollow.safetensors

# Lengths of headers.
for length in '\xff\xff\xff\xff\xff\xff\xff\x7f' '\0\0\0\0\0\0\0\x80' '\xff\xff\xff\xff\xff\xff\xff\xff' '\x01\xe1\xf5\x05\0\0\0\0'; do
  { printf "$length"; echo '{}'; } >in/length.safetensors
  refused 'header length: expected at most' inspect in/length.safetensors
done
printf '\x93NUMPY\x02\x00\xff\xff\xff\xff{' >in/length.npy
refused 'header length: expected at most' inspect in/length.npy

# JSON a hundred thousand levels deep, in every reader of JSON.
deep="$(times 100000 '[')$(times 100000 ']')"
safetensors in/deep.safetensors "{\"x\":$deep}"
refused "'x': expected an object" inspect in/deep.safetensors
printf '{"format":%s}' "$deep" >in/deep.json
safetensors in/layers.safetensors '{}'
refused 'at most 6 levels' linear in/layers.safetensors --plan in/deep.json --out out
cp in/layers.safetensors in/deep.safetensors
refused 'in/deep.json:' explain in/deep.json
mkdir in/data && cp in/deep.json in/data/manifest.json
refused 'in/data/manifest.json:' conform --filter 'RC/*/33x64x40/*' --data in/data
"$program" sim --help >/dev/null 2>&1 && refused 'in/deep.json:' sim coverage in/deep.json

# Sparse files of 4 GiB whose headers claim them, true and false ones; none fits in the memory that there is.
npy in/whole.npy '<f4' '(1024, 1048576)'
truncate -s $((4294967296 + $(stat -c %s in/whole.npy))) in/whole.npy
refused 'in/whole.npy: read: no memory for' quantize in/whole.npy out/o.safetensors
npy in/short.npy '<f4' '(1024, 1048576)'
truncate -s 4G in/short.npy
refused 'data: expected 4294967296 bytes' quantize in/short.npy out/o.safetensors
safetensors in/whole.safetensors '{"x":{"dtype":"F32","shape":[1024,1048576],"data_offsets":[0,4294967296]}}'
truncate -s $((4294967296 + $(stat -c %s in/whole.safetensors))) in/whole.safetensors
refused 'in/whole.safetensors: read: no memory for' inspect in/whole.safetensors
refused 'in/whole.safetensors: read: no memory for' dequantize in/whole.safetensors out/o.npy
safetensors in/short.safetensors '{"x":{"dtype":"F32","shape":[1024,1048576],"data_offsets":[0,4294967296]}}'
truncate -s 4G in/short.safetensors
refused 'at most the' inspect in/short.safetensors
for file in plan.json case.json data/manifest.json object.co; do
  { printf '{'; head -c 100 /dev/zero | tr '\0' ' '; } >in/$file
  truncate -s 4G in/$file
done
refused 'in/plan.json: size: expected at most' linear in/layers.safetensors --plan in/plan.json --out out
cp in/layers.safetensors in/case.safetensors
refused 'in/case.json: size: expected at most' explain in/case.json
refused 'in/data/manifest.json: size: expected at most' conform --filter 'RC/*/33x64x40/*' --data in/data
if "$program" sim --help >/dev/null 2>&1; then
  refused 'in/plan.json: size: expected at most' sim coverage in/plan.json
  refused 'in/object.co: size: expected at most' sim listing k --code-object in/object.co
fi

# A hundred thousand tensors in one file.
{ printf '{'; for ((i = 0; i < 100000; i++)); do printf '"l%d.x":{"dtype":"BF16","shape":[0,0],"data_offsets":[0,0]},' $i; done
  printf '"w":{"dtype":"BF16","shape":[0,0],"data_offsets":[0,0]}}'; } >in/many.txt
safetensors in/many.safetensors "$(cat in/many.txt)"
refused 'found no' calibrate in/many.safetensors --out out/o.json
refused 'holds 100001 tensors' quantize in/many.safetensors out/o.safetensors
finish
