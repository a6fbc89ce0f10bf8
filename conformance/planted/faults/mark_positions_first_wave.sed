# Only the first 64 of the chosen rows are marked.
# file: kernels/mark_positions.hip
# filter: R[NC]/*/168x64x161/oe_k=130
# expect: scatter-add, pair RN
# expect: hadamard-quantize.right, pair RC
s/if (i < args.count)/if (i < args.count \&\& i < 64)/
