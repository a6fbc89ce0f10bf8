#!/usr/bin/env bash
# `adahop calibrate` and `adahop linear` on bad input: exit status 2, one line on stderr that says what was expected, no
# file left behind. Usage: layer_cli_errors.sh PROGRAM SOURCE_ROOT. Covers [spec:12.5], [spec:12.6], [spec:12.8], [spec:11.8].
source "$(dirname "$0")/cli_refusals.sh"

# safetensors FILE HEADER BYTES: a file of that header and as many zero bytes.
safetensors() {
  { printf "\\x$(printf %02x $((${#2} & 255)))\\x$(printf %02x $((${#2} >> 8)))\\x00\\x00\\x00\\x00\\x00\\x00"
    printf '%s' "$2"
    head -c "$3" /dev/zero; } >"$1"
}
# layer FILE T I O [META [DTYPE BYTES]]: a layer of zeros.
layer() {
  local t=$2 i=$3 o=$4 meta=${5:-} type=${6:-BF16} n=${7:-2}
  local x=$((t * i * n)) w=$((o * i * n)) g=$((t * o * n))
  safetensors "$1" "{$meta\"x\":{\"dtype\":\"$type\",\"shape\":[$t,$i],\"data_offsets\":[0,$x]},\"w\":{\"dtype\":\"$type\",\"shape\":[$o,$i],\"data_offsets\":[$x,$((x + w))]},\"gy\":{\"dtype\":\"$type\",\"shape\":[$t,$o],\"data_offsets\":[$((x + w)),$((x + w + g))]}}" $((x + w + g))
}

layer in/a.safetensors 32 64 32
layer in/b.safetensors 32 32 32 '"__metadata__":{"layer":"a"},'
layer in/odd.safetensors 33 32 32
layer in/wide.safetensors 32 32 32 '' F32 4
layer in/control.safetensors 32 32 32 '"__metadata__":{"layer":"a\u001b[2J"},'
layer in/other.safetensors 32 64 32
safetensors in/nogy.safetensors '{"x":{"dtype":"BF16","shape":[1,1],"data_offsets":[0,2]},"w":{"dtype":"BF16","shape":[1,1],"data_offsets":[2,4]}}' 4
safetensors in/bias.safetensors '{"x":{"dtype":"BF16","shape":[1,1],"data_offsets":[0,2]},"bias":{"dtype":"BF16","shape":[1],"data_offsets":[2,4]}}' 4
safetensors in/none.safetensors '{}' 0
safetensors in/bytes.safetensors '{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"gy":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}' 3
safetensors in/misfit.safetensors '{"x":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]},"w":{"dtype":"BF16","shape":[2,2],"data_offsets":[12,20]},"gy":{"dtype":"BF16","shape":[2,2],"data_offsets":[20,28]}}' 28
"$program" calibrate in/a.safetensors --out in/plan.json >/dev/null || complain "calibrate failed"
"$program" calibrate in/odd.safetensors --out in/oddplan.json >/dev/null || complain "calibrate of 33 tokens failed"
sed 's/adahop-plan\/1/adahop-plan\/9/' in/plan.json >in/version.json
sed 's/"in": 64/"in": 96/' in/plan.json >in/shape.json
head -c 300 in/plan.json >in/cut.json
: >in/empty.json

# calibrate
refused 'usage:' calibrate --out out/plan.json
refused 'usage:' calibrate in/a.safetensors
refused 'No such file' calibrate in/gone.safetensors --out out/plan.json
refused 'expected tensors x, w and gy of each layer, found no' calibrate in/nogy.safetensors --out out/plan.json
refused "'bias': expected tensors named x, w, gy or LAYER.x" calibrate in/bias.safetensors --out out/plan.json
refused 'expected tensors x, w and gy, found none' calibrate in/none.safetensors --out out/plan.json
refused 'dtype: expected BF16, F32 or F64, found U8' calibrate in/bytes.safetensors --out out/plan.json
refused "layer 'misfit': w: expected 3 columns as x has, found 2" calibrate in/misfit.safetensors --out out/plan.json
refused "in/b.safetensors: layer 'a': w: expected shape 32 x 64 as in its first step, found 32 x 32" calibrate in/a.safetensors in/b.safetensors --out out/plan.json
refused "expected a name of 1 to 256 printable ASCII characters" calibrate in/control.safetensors --out out/plan.json
refused 'No such file' calibrate in/a.safetensors --out no/such/folder/plan.json
refused "backend 'gpu'" calibrate in/a.safetensors --out out/plan.json --backend gpu
refused "policy: scale_rule=round" calibrate in/a.safetensors --out out/plan.json --rule round
# An old plan survives a failing run.
cp in/plan.json keep.json
"$program" calibrate in/bias.safetensors --out keep.json >/dev/null 2>&1 && complain "expected a failure"
cmp -s keep.json in/plan.json || complain "the old plan was touched by a failing run"

# linear
refused 'usage: --plan: expected a plan for the method adahop_lv1' linear in/a.safetensors
refused "method 'best': expected one of bf16, mxfp4" linear in/a.safetensors --plan in/plan.json --method best
refused "method 'halo': not built in this version" linear in/a.safetensors --plan in/plan.json --method halo
refused "method 'mxfp4_llm': not built in this version" linear in/a.safetensors --method mxfp4_llm
refused 'in/gone.json: open: No such file' linear in/a.safetensors --plan in/gone.json
refused 'in/empty.json: expected content' linear in/a.safetensors --plan in/empty.json
refused "in/version.json: format: expected 'adahop-plan/1'" linear in/a.safetensors --plan in/version.json
refused 'in/cut.json: plan: expected JSON' linear in/a.safetensors --plan in/cut.json
refused "in/a.safetensors: 'w': shape: expected [32, 96] as in in/shape.json, found [32, 64]" linear in/a.safetensors --plan in/shape.json
refused "in/plan.json: expected the layer 'other' of in/other.safetensors, found 1 layers, the first 'a'" linear in/other.safetensors --plan in/plan.json
refused "--layer: expected a layer of the file, found 'b'" linear in/a.safetensors --plan in/plan.json --layer b
refused "'x': dtype: expected BF16, found F32 or F64" linear in/wide.safetensors --method bf16
refused "layer 'odd': tokens: expected a positive multiple of 32, found 33" linear in/odd.safetensors --plan in/oddplan.json
refused "layer 'misfit': w: shape: expected 2 x 3, found 2 x 2" linear in/misfit.safetensors --method bf16
refused "policy: unknown key 'rule'" linear in/a.safetensors --plan in/plan.json --policy rule=floor
refused 'cannot be created' linear in/a.safetensors --plan in/plan.json --out in/plan.json/out

for command in calibrate linear; do
  "$program" $command --help >stdout.txt 2>stderr.txt || complain "$command --help failed"
  grep -q 'Example: adahop' stdout.txt || complain "$command --help shows no example"
done
# The plan's policy is the layer's, and fields go over it.
"$program" calibrate in/a.safetensors --preset ocp --out in/ocp.json >/dev/null || complain "calibrate --preset ocp failed"
"$program" linear in/a.safetensors --plan in/ocp.json --policy oe_k=5 | grep -q 'scale_rule=floor.*oe_k=5' || complain "policy of the plan"

finish
