# The butterflies within a lane run from stride 16 down to 1.
# file: kernels/butterflies.h
# filter: any/hadamard/*
# expect: stage +hadamard;
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]{8} = .*, got 0x[0-9A-F]{8} =
s/for (int stage = 0; stage < 4; ++stage)/for (int stage = t.size >= 32 ? 4 : 3; stage >= 0; --stage)/
/if (t.size >= 32) butterflies_in_lane(4, v);/d
