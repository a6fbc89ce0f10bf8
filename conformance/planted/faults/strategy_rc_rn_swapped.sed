# The entries RC and RN of the strategy table have changed places.
# file: pipeline/strategy_table.h
# filter: R?/matmul*
# expect: matmul.forward, pair RC, strategy OE-right
# expect: matmul.forward, pair RN, strategy OE-left
# expect: first +out \(row [0-9]+, col [0-9]+\): expected 0x[0-9A-F]{4} = .*, got 0x[0-9A-F]{4} =
s/{route::oe_left, route::iht, route::oe_right}/{route::oe_right, route::iht, route::oe_left}/
