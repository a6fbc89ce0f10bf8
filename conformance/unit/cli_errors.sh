#!/usr/bin/env bash
# The program on bad input: exit status 2, one line on stderr that says what was expected, no file left behind.
# Usage: cli_errors.sh PROGRAM SOURCE_ROOT. Covers [spec:12.3] to [spec:12.7], [spec:5.15], [spec:4.7], [spec:3.4].
source "$(dirname "$0")/cli_refusals.sh"

# npy FILE DESCR SHAPE DATA: an .npy; DATA in printf's escapes.
npy() {
  local header="{'descr': '$2', 'fortran_order': False, 'shape': $3, }"
  local length=$((${#header} + 1))
  { printf '\x93NUMPY\x01\x00'"\\x$(printf %02x $((length & 255)))\\x$(printf %02x $((length >> 8)))"
    printf '%s\n' "$header"
    printf "$4"; } >"$1"
}
times() { # N TEXT
  local i
  for ((i = 0; i < $1; i++)); do printf '%s' "$2"; done
}
one='\x80\x3f'  # 1.0 in BF16
layer=$data/minilm_l6.layer0.attention_query.safetensors

npy in/x.npy '<V2' '(2, 32)' "$(times 64 "$one")"
npy in/odd.npy '<V2' '(2, 33)' "$(times 66 "$one")"
npy in/short.npy '<V2' '(2, 32)' "$(times 63 "$one")"
npy in/long.npy '<V2' '(2, 32)' "$(times 65 "$one")"
npy in/liar.npy '<V2' '(4000000000, 4000000000)' "$(times 64 "$one")"
npy in/k64.npy '<V2' '(2, 64)' "$(times 128 "$one")"
npy in/nan.npy '<V2' '(2, 3, 32)' "$(times 133 "$one")\\xc0\\x7f$(times 58 "$one")"
npy in/u2.npy '<u2' '(2, 32)' "$(times 64 "$one")"
npy in/i4.npy '<i4' '(32,)' "$(times 32 '\x01\x00\x00\x00')"
npy in/u1.npy '|u1' '(32,)' "$(times 32 '\x01')"
npy in/f8.npy '<f8' '(32,)' "$(times 32 '\x9a\x99\x99\x99\x99\x99\xb9\x3f')"
: >in/empty.npy
: >in/empty.safetensors
printf 'text' >in/text.npy
head -c 5000 "$layer" >in/cut.safetensors
head -c 6 "$layer" >in/stub.safetensors
{ cat "$layer"; printf x; } >in/tail.safetensors
mkdir in/dir.npy
"$program" quantize "$layer" in/q.safetensors --tensor x --axis 1 >/dev/null || complain "quantize failed"
head -c $(($(stat -c %s in/q.safetensors) - 1)) in/q.safetensors >in/qcut.safetensors
# The same length of header, so that only the named thing is wrong.
sed 's/"nibble_order":"linear"/"nibble_order":"lineal"/' in/q.safetensors >in/qnibble.safetensors
sed 's/nibble_order=linear/nibble_order=lineal/' in/q.safetensors >in/qpolicy.safetensors
# A JSON escape of an ESC, a line feed, a C1 control, as long as the word it replaces.
for control in 001b 000a 009b; do
  sed 's/nibble_order=linear/nibble_order=\\u'$control'/' in/q.safetensors >in/qvalue$control.safetensors
  sed 's/oe_k=64,/\\u'$control'=,/' in/q.safetensors >in/qkey$control.safetensors
done
sed 's/scale_rule=even/scale_rule=ceil/' in/q.safetensors >in/qhash.safetensors
sed 's/\[160, 384\]/[384, 160]/' in/q.safetensors >in/qshape.safetensors
sed 's/"dtype":"F8_E8M0"/"dtype":"F8_E4M3"/' in/q.safetensors >in/qscale.safetensors
sed 's/"axis":"1"/"axis":"0"/' in/q.safetensors >in/qaxis.safetensors

# Files that are not what they should be.
refused 'No such file' quantize in/none.npy out/q.safetensors
refused 'found a directory' quantize in/dir.npy out/q.safetensors
refused 'empty file' quantize in/empty.npy out/q.safetensors
refused 'empty file' quantize in/empty.safetensors out/q.safetensors
refused 'magic' quantize in/text.npy out/q.safetensors
refused 'data: expected 128 bytes for shape [2, 32], found 126' quantize in/short.npy out/q.safetensors
refused 'data: expected 128 bytes for shape [2, 32], found 130' quantize in/long.npy out/q.safetensors
refused 'shape: expected at most 2^40 elements' quantize in/liar.npy out/q.safetensors
refused "data_offsets: expected at most the" quantize in/cut.safetensors out/q.safetensors --tensor x
refused 'header length: expected 8 bytes, found 6' quantize in/stub.safetensors out/q.safetensors
refused 'as the header says' quantize in/tail.safetensors out/q.safetensors --tensor x
refused "descr: expected '<f4'" quantize in/i4.npy out/q.safetensors
refused 'dtype: expected BF16, F32 or F64, found U8' quantize in/u1.npy out/q.safetensors
refused 'not declared to be BF16' quantize in/u2.npy out/q.safetensors
refused 'element 0: expected F64 values that are exactly F32' quantize in/f8.npy out/q.safetensors
refused 'ends in .npy or .safetensors' quantize in/x.bin out/q.safetensors
refused 'ends in .safetensors' quantize in/x.npy out/q.npy
refused 'ends in .npy or .safetensors' dequantize in/q.safetensors out/v.txt

# Shapes and tensors.
refused 'expected a multiple of 32 along axis 1, found 33 (see --pad)' quantize in/odd.npy out/q.safetensors
refused 'expected a multiple of 32 along axis 0, found 2' quantize in/x.npy out/q.safetensors --axis 0
refused 'holds 3 tensors: gy, w, x' quantize "$layer" out/q.safetensors
refused "tensor 'nope': expected one of" quantize "$layer" out/q.safetensors --tensor nope
refused "tensor 'nope': expected one of" inspect "$layer" --tensor nope
refused '--tensor: expected none' quantize in/x.npy out/q.safetensors --tensor x
refused 'inner dimension: expected the same K, found 32' matmul in/x.npy in/k64.npy out/c.npy
refused 'expected a positive multiple of 32, found K = 33' matmul in/odd.npy in/odd.npy out/c.npy
refused 'expected a positive multiple of 32, found K = 2' matmul in/x.npy in/x.npy out/c.npy --a-layout km --b-layout kn
refused 'dtype: expected BF16, F32 or F64, found U8' matmul in/u1.npy in/x.npy out/c.npy

npy in/none0.npy '<V2' '(0, 32)' ''
npy in/hollow.npy '<V2' '(1000000000000, 0)' ''
refused 'expected at least one row' matmul in/none0.npy in/x.npy out/c.npy
# A trillion rows of no elements take no time.
"$program" quantize in/hollow.npy in/hollow.safetensors >/dev/null || complain "a tensor without elements was refused"
"$program" dequantize in/hollow.safetensors in/hollow2.npy >/dev/null || complain "no elements: dequantize failed"
"$program" inspect in/hollow.safetensors | grep -q '^scale bytes  *none$' || complain "no elements: inspect of the quantized file"
"$program" inspect in/hollow.npy | grep -q 'no elements' || complain "no elements: inspect"

# NaN under nonfinite=reject: element 133 of [2, 3, 32] is [1, 1, 5].
refused 'element [1, 1, 5]: expected finite values (nonfinite=reject)' quantize in/nan.npy out/q.safetensors --nonfinite reject
refused 'transformed element [1, 1, 0]: expected finite' quantize in/nan.npy out/q.safetensors --nonfinite reject --hadamard

# Quantized files that contradict themselves.
refused "expected at most the" dequantize in/qcut.safetensors out/v.npy
refused "metadata nibble_order: expected 'linear'" dequantize in/qnibble.safetensors out/v.npy
refused 'metadata policy: expected a policy of this version' dequantize in/qpolicy.safetensors out/v.npy
for file in in/qvalue*.safetensors in/qkey*.safetensors; do
  refused 'metadata policy: expected a policy of this version' dequantize "$file" out/v.npy
  LC_ALL=C grep -q $'[\x01-\x09\x0b-\x1f\x7f-\x9f]' stderr.txt && complain "$file: a control character reached the terminal"
done
refused 'metadata policy_sha256: expected the hash' dequantize in/qhash.safetensors out/v.npy
refused "'codes' shape: expected [384, 160]" dequantize in/qshape.safetensors out/v.npy
refused "'codes' shape: expected [384, 160] for logical shape [160, 384] and axis 0" dequantize in/qaxis.safetensors out/v.npy
refused 'dtype: expected BF16, F32, U8, F4 or F8_E8M0, found F8_E4M3' dequantize in/qscale.safetensors out/v.npy
refused 'metadata format' dequantize "$layer" out/v.npy

# Usage.
refused 'usage:'
refused 'usage:' frobnicate
refused 'usage:' quantize in/x.npy
refused 'usage:' quantize in/x.npy out/q.safetensors surplus
refused 'usage:' quantize in/x.npy out/q.safetensors --axis 2
refused 'usage:' quantize in/x.npy out/q.safetensors --axis one
refused 'usage:' matmul in/x.npy in/x.npy out/c.npy --level 3
refused 'usage:' matmul in/x.npy in/x.npy out/c.npy --pair RC --auto
refused "policy: scale_rule=round: expected one of floor, ceil, even, rceil" quantize in/x.npy out/q.safetensors --rule round
refused 'policy: oe_k=99999999999: is out of range' quantize in/x.npy out/q.safetensors --policy oe_k=99999999999
refused 'expected one value' quantize in/x.npy out/q.safetensors --rule floor,oe_k=3
refused 'policy: min_scale_byte: expected 0 or 1' quantize in/x.npy out/q.safetensors --min-scale-byte 2
refused "policy: unknown key 'rule'" quantize in/x.npy out/q.safetensors --policy rule=floor
refused "preset 'best': expected one of default, ocp" quantize in/x.npy out/q.safetensors --preset best
refused "--pair 'RX': expected two of the letters R, C, N" matmul in/x.npy in/x.npy out/c.npy --pair RX
refused "backend 'gpu': expected one of reference" quantize in/x.npy out/q.safetensors --backend gpu
refused 'not built in this version' quantize in/x.npy out/q.safetensors --backend cuda
refused 'backend ./none.so' quantize in/x.npy out/q.safetensors --backend ./none.so
refused 'backend in/x.npy.so' quantize in/x.npy out/q.safetensors --backend in/x.npy.so
refused "spec '99'" spec 99

# Output that cannot be written. Root may write anywhere, so the read-only folder is tried by others only.
refused 'No such file' quantize in/x.npy no/such/folder/q.safetensors
refused 'Not a directory' quantize in/x.npy in/x.npy/q.safetensors
mkdir -p in/taken.safetensors
refused 'expected a file to write, found a directory' quantize in/x.npy in/taken.safetensors
if [ "$(id -u)" -ne 0 ]; then
  mkdir in/locked && chmod a-w in/locked
  refused 'Permission denied' quantize in/x.npy in/locked/q.safetensors
fi
[ -z "$(find in no -name '*.tmp' 2>/dev/null)" ] || complain "temporary files left in in/"
[ ! -e no ] || complain "a folder was made"

# An existing output survives a failing run, and a good run may write over its own input.
cp in/q.safetensors out/q.safetensors
"$program" quantize in/odd.npy out/q.safetensors >/dev/null 2>&1 && complain "expected a failure"
cmp -s in/q.safetensors out/q.safetensors || complain "the old output was touched by a failing run"
cp "$layer" out/q.safetensors
"$program" quantize out/q.safetensors out/q.safetensors --tensor x >/dev/null || complain "input as output failed"
cmp -s in/q.safetensors out/q.safetensors || complain "input as output gave another file"
rm out/q.safetensors

# A link to nothing is followed.
ln -s real.safetensors out/link.safetensors
"$program" quantize in/x.npy out/link.safetensors >/dev/null || complain "a dangling link was refused"
[ -L out/link.safetensors ] && [ -f out/real.safetensors ] || complain "a dangling link was replaced"
rm out/*

# A full disk under stdout is an error.
if [ -e /dev/full ]; then
  "$program" spec >/dev/full 2>stderr.txt
  code=$?
  [ "$code" -eq 2 ] || complain "stdout to a full disk: expected exit status 2, found $code"
  grep -q '^adahop: standard output: cannot be written' stderr.txt || complain "stdout to a full disk: $(cat stderr.txt)"
fi

# NaN under block_nan, a declared uint16 and help are no errors.
"$program" quantize in/nan.npy out/n.safetensors >/dev/null || complain "a NaN block was refused"
"$program" quantize in/u2.npy out/u.safetensors --u2-bf16 >/dev/null || complain "--u2-bf16 was refused"
"$program" quantize in/x.npy out/x.safetensors >/dev/null
cmp -s out/u.safetensors out/x.safetensors || complain "uint16 and V2 gave different files"
for command in quantize dequantize inspect matmul certify backends spec; do
  "$program" $command --help >stdout.txt 2>stderr.txt || complain "$command --help failed"
  grep -Eq 'Examples?: adahop' stdout.txt || complain "$command --help shows no example"
done
"$program" --version | grep -q '^adahop [0-9]' || complain "--version"

finish
