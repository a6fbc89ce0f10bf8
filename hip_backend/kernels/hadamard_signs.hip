// The random signs of the transform, one bit an element, one thread an element. Implements SPEC 6.11.
#include "adahop/formats/philox.h"
#include "arch/lang.h"
#include "kernels/args.h"

namespace adahop::hip {

ADAHOP_KERNEL(hadamard_signs, hadamard_signs_args, 256) {
  static_assert(kWave % 32 == 0);
  const uint64_t index = uint64_t{block_x()} * 256 + thread_x();
  const philox_words counter = {{static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32), 0, 1}};
  const uint64_t negative = ballot((philox4x32_10(args.seed, counter).word[0] >> 31) != 0);
  const auto word = static_cast<int64_t>(index / 32);
  if (index % 32 == 0 && word < args.words_count) args.words[word] = static_cast<uint32_t>(negative >> lane());
}

}  // namespace adahop::hip
