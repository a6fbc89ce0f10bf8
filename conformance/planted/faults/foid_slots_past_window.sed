# Slots past the window count in the sum of squares.
# file: kernels/foid_score.hip
# filter: C?/foid*
# expect: foid, pair C[RCN]
# expect: first +scores \(row 0, col [0-9]+\): expected 0x[0-9A-F]{8} = .*, got 0x[0-9A-F]{8} =
s/slots\[i\] = i < args.window ? deviation \* deviation : 0.0f;/slots[i] = deviation * deviation;/
