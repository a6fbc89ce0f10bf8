# What the scripts of faults from outside share, sourced with their own arguments PROGRAM SHIM FAULTY SOURCE_ROOT: inputs in
# in/, the commands that write, each into out/, and `shimmed`, which runs the program under outside_shim.cc. The rest is that
# of the scripts of refusals; `refused` judges a run that was made, where a script defines its own.
usage="usage: $0 PROGRAM SHIM FAULTY_BACKEND SOURCE_ROOT"
shim=${2:?$usage} faulty=${3:?$usage}
source "$(dirname "${BASH_SOURCE[0]}")/cli_refusals.sh" "$1" "${4:?$usage}"

# npy FILE SHAPE ELEMENTS: a .npy of ones in BF16.
npy() {
  local header="{'descr': '<V2', 'fortran_order': False, 'shape': $2, }"
  { printf '\x93NUMPY\x01\x00'"\\x$(printf %02x $((${#header} + 1)))\\x00%s\n" "$header"
    printf '\x80\x3f%.0s' $(seq "$3"); } >"$1"
}
# tensors FILE LAYER...: a .safetensors of layers with x, w and gy [32, 32], ones in BF16.
tensors() {
  local file=$1 header='' at=0 layer t
  shift
  add() { header+="${header:+,}\"$layer.$1\":{\"dtype\":\"BF16\",\"shape\":$2,\"data_offsets\":[$at,$((at + $3))]}"; at=$((at + $3)); }
  for layer in "$@"; do for t in x w gy; do add $t '[32,32]' 2048; done; done
  header="{$header}"
  { printf "\\x$(printf %02x $((${#header} & 255)))\\x$(printf %02x $((${#header} >> 8)))\\0\\0\\0\\0\\0\\0%s" "$header"
    printf '\x80\x3f%.0s' $(seq $((at / 2))); } >"$file"
}

npy in/x.npy '(2, 32)' 64
tensors in/layers.safetensors a b
"$program" quantize in/x.npy in/q.safetensors >/dev/null || complain "the inputs could not be made"
"$program" calibrate in/layers.safetensors --out in/plan.json >/dev/null || complain "the inputs could not be made"

# Every command that writes: its outputs, then its arguments.
report_case=any_quantize_spread.f32.axis1_37x96_even.byte0
writers=(
  'q.safetensors|quantize in/x.npy out/q.safetensors'
  'v.npy|dequantize in/q.safetensors out/v.npy'
  'v.safetensors|dequantize in/q.safetensors out/v.safetensors'
  'c.npy|matmul in/x.npy in/x.npy out/c.npy'
  'plan.json|calibrate in/layers.safetensors --out out/plan.json'
  'a.safetensors b.safetensors|linear in/layers.safetensors --plan in/plan.json --out out'
  "conform.json $report_case.json $report_case.safetensors|conform --backend $faulty --threads 1 --report out --filter ${report_case//_/?}"
)
# Those of the simulator, where it is there.
if ! "$program" backends | grep -Eq '^gfx950-sim +not available'; then
  writers+=('trace.txt coverage.txt|conform --backend gfx950-sim --threads 1 --filter any/dequantize/quantized.f32.axis0/37x96/floor.byte0 --trace dequantize:0.0 --trace-limit 3 --trace-file out/trace.txt --coverage out/coverage.txt')
fi

# Without a search path gfx950-sim finds no symbolizer, whose source lines would take most of the time.
# The shell's own line about a killed program goes nowhere.
run() { { PATH=/nonexistent "$program" "$@" >stdout.txt 2>stderr.txt; code=$?; } 2>/dev/null; }

# shimmed ACTION PATH ARGUMENTS...: the program's exit status in `code`, 137 when it was killed.
shimmed() {
  ASAN_OPTIONS=verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} ADAHOP_SHIM=$1 ADAHOP_SHIM_PATH=$2 LD_PRELOAD=$shim \
    run "${@:3}"
}

# one_line WHAT: stderr.txt is one line of the program's own.
one_line() {
  [ "$(wc -l <stderr.txt)" -eq 1 ] && grep -q '^adahop: ' stderr.txt || complain "$1: expected one line, found: $(cat stderr.txt)"
}
