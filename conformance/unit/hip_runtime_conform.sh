#!/usr/bin/env bash
# The mustpass suite on the backend hip over fake_hip, which must see no misuse and no memory left. [spec:13.7] [spec:13.6]
#   hip_runtime_conform.sh ADAHOP FAKE_LIBRARY WORK [ARGUMENTS OF conform...]
set -euo pipefail
adahop=$1 fake=$2 work=$3
shift 3
mkdir -p "$work"
rm -f "$work/report"
ADAHOP_HIP_LIBRARY=$fake ADAHOP_FAKE_HIP_REPORT=$work/report "$adahop" conform --backend hip "$@"
cat "$work/report"
for line in 'allocations 0' 'events 0' 'streams 0' 'misuses 0'; do
  grep -qx "$line" "$work/report" || { echo "hip_runtime_conform: expected '$line' in the report of fake_hip"; exit 1; }
done
grep -qE '^launches [1-9]' "$work/report" || { echo "hip_runtime_conform: nothing was launched"; exit 1; }
