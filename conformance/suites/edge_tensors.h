// Tensors built by hand, bit by bit, for the places where rules change: ties, boundaries of the scale rules,
// subnormals, every code with every byte.
#pragma once
#include "conformance/suites/generate.h"

namespace adahop::conformance {

/// FP32 [255 x 320]: row e has blocks whose amax has exponent field e and a mantissa next to each boundary of a scale
/// rule; the other elements are the ties of E2M1 and their neighbours at the two scales that a rule may give.
std::shared_ptr<const tensor> amax_ladder();

/// FP32 [n x 32]: each row one block of `bits`, filled up with +0.
std::shared_ptr<const tensor> blocks_of(const std::vector<std::vector<uint32_t>>& bits);

/// FP32 [96 x 32]: unit vectors of three magnitudes and both signs.
std::shared_ptr<const tensor> unit_vectors();

/// FP32 [n x 32]: blocks whose butterflies cancel to zeros of both signs, overflow, or hold one NaN or Inf.
std::shared_ptr<const tensor> butterfly_edges();

/// FP32 [n x 32]: one non-zero in a block, so chosen that the transform's FP32 results are ties between two BF16 values
/// (SPEC 6.4), down to even ones and up to even ones.
std::shared_ptr<const tensor> bf16_tie_transforms();

/// All codes at byte `row`: [256 x 32].
mx_input every_code_and_byte();

/// [256 x 32]: byte `row`, codes from a random stream (SPEC 10.2 for all pairs of bytes when multiplied by another).
mx_input every_byte(uint64_t seed, std::string name);

/// [16 x 32]: code `row` in every element, byte 127.
mx_input every_code(std::string name);

/// [outer x inner] of random codes; bytes `low` to `high`, and one block in `nan_every` has byte 0xFF (0: none).
mx_input random_codes(uint64_t seed, std::string name, int64_t outer, int64_t inner, int low, int high, int nan_every);

/// `x` beside its negative: [outer x 2 inner], so that products with a repeated operand cancel to zero exactly.
mx_input beside_negative(const mx_input& x);
/// `x` twice: [outer x 2 inner].
mx_input beside_itself(const mx_input& x);

}  // namespace adahop::conformance
