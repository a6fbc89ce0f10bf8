# Rows are marked by their number among the chosen ones: inside the array, but not where the indices let the kernel write.
# file: kernels/mark_positions.hip
# compile: kernels/mark_positions.hip
# filter: RN/scatter-add.forward/spread/72x96x80/output=f32
# expect: scatter-add.forward
# expect: gfx950-sim: store outside the outputs in kernel mark_positions, 0x[0-9a-f]+ \(mark_positions\.hip:[0-9]+\), workgroup .*; instruction: global_store_dword
s/args\.positions\[args\.indices\[i\]\]/args.positions[i]/
