# The reduction of the partial reports skips every 257th one.
# file: kernels/quantize_report.hip
# filter: *long-report*
# expect: FAILED.*quantize
# expect: clipped
s/i < args.count; i += 256/i < args.count; i += 257/
