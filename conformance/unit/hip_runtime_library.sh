#!/usr/bin/env bash
# The real libamdhip64, where it is installed: with a gfx950 the suite's smallest part passes, without one there is one
# line and status 2. [spec:13.6]
#   hip_runtime_library.sh ADAHOP
set -uo pipefail
adahop=$1
unset ADAHOP_HIP_LIBRARY
case='NN/*/33x64x40/*'
said=$("$adahop" conform --backend hip --filter "$case" 2>&1)
code=$?
if grep -q 'no HIP runtime library' <<<"$said"; then
  echo "SKIPPED: no libamdhip64 on this machine, the real HIP runtime is not tested (apt-get install libamdhip64-5)"
  [ "$code" -eq 2 ] && [ "$(wc -l <<<"$said")" -eq 1 ] || { echo "expected one line and status 2, got $code: $said"; exit 1; }
  exit 77
fi
if [ "$code" -eq 0 ]; then
  tail -1 <<<"$said"
  exit 0
fi
echo "$said"
[ "$code" -eq 2 ] || { echo "expected status 0 or 2, found $code"; exit 1; }
[ "$(wc -l <<<"$said")" -eq 1 ] || { echo "expected one line"; exit 1; }
grep -qE 'hip: (no device|device [0-9]+ is gfx)' <<<"$said" || { echo "expected 'no device' or another architecture"; exit 1; }
