# The 32x32x64 tile takes its results' rows from the wrong half of the wave.
# file: arch/fragments_wave64.h
# filter: *mx_tile=32x32x64
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]+ = .*, got 0x[0-9A-F]+ =
s/return 8 \* (r \/ 4) + 4 \* (lane \/ 32) + r % 4;/return 8 * (r \/ 4) + 4 * (1 - lane \/ 32) + r % 4;/
