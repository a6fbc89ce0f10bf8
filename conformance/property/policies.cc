// Random policies, and simpler ones.
#include "policies.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "adahop/formats/mx_block.h"
#include "words.h"

namespace adahop::property {
namespace {

struct model {
  int32_t name, param;
};
constexpr std::array<model, 16> kModels{{{ADAHOP_GEMM_BLOCK_RNE, 0},
                                         {ADAHOP_GEMM_EXACT_SUM, 0},
                                         {ADAHOP_GEMM_MFMA_FUSED, 2},
                                         {ADAHOP_GEMM_MFMA_FUSED, 4},
                                         {ADAHOP_GEMM_MFMA_SEQ, 0},
                                         {ADAHOP_GEMM_CDNA3_TRFDPA, 16},
                                         {ADAHOP_GEMM_CDNA3_TRFDPA, 32},
                                         {ADAHOP_GEMM_CDNA3_TRFDPA, 64},
                                         {ADAHOP_GEMM_CDNA3_TRFDPA, 128},
                                         {ADAHOP_GEMM_CDNA3_GTRFDPA, 16},
                                         {ADAHOP_GEMM_CDNA3_GTRFDPA, 32},
                                         {ADAHOP_GEMM_CDNA3_GTRFDPA, 64},
                                         {ADAHOP_GEMM_CDNA3_GTRFDPA, 128},
                                         {ADAHOP_GEMM_BLOCK_FIRST_FDPA, 1},
                                         {ADAHOP_GEMM_BLOCK_FIRST_FDPA, 2},
                                         {ADAHOP_GEMM_BLOCK_FIRST_FDPA, 4}}};
constexpr std::array<model, 3> kBf16Models{
    {{ADAHOP_BF16_SEQ_FMA, 0}, {ADAHOP_BF16_EXACT_SUM, 0}, {ADAHOP_BF16_CDNA3_TRFDPA, 8}}};

int32_t between(words& w, int64_t low, int64_t high) { return static_cast<int32_t>(w.between(low, high)); }

void randomise_rounding(policy& p, words& w) {
  p.element_rounding = between(w, ADAHOP_ROUND_RNE, ADAHOP_ROUND_GFX950_SR);
  if (p.element_rounding == ADAHOP_ROUND_RNE) return;
  // Seeds and offsets of one word and of two, and those whose sums run over.
  p.sr_seed = w.next() >> (w.one_in(2) ? 56 : 0);
  if (p.element_rounding != ADAHOP_ROUND_STOCHASTIC) return;
  p.sr_bits = between(w, 1, 32);
  p.sr_offset = w.one_in(4)   ? ~uint64_t{0} - w.next() % 64
                : w.one_in(3) ? 0xFFFFFFFFu - w.next() % 64
                              : w.next() % 1000;
}

void randomise_hadamard(policy& p, words& w) {
  p.hadamard_size = 16 << between(w, 0, 3);
  p.hadamard_output = between(w, ADAHOP_F32, ADAHOP_BF16);
  p.hadamard_signs = between(w, ADAHOP_SIGNS_NONE, ADAHOP_SIGNS_RANDOM);
  if (p.hadamard_signs == ADAHOP_SIGNS_RANDOM) p.hadamard_seed = w.next() >> (w.one_in(2) ? 56 : 0);
}

}  // namespace

policy make_policy(const policy_choice& choice, uint64_t seed) {
  words w(seed);
  policy p = default_policy();
  if (choice.scale) {
    p.scale_rule = between(w, ADAHOP_SCALE_FLOOR, ADAHOP_SCALE_RCEIL);
    p.min_scale_byte = between(w, 0, 1);
  }
  if (choice.rounding) randomise_rounding(p, w);
  if (choice.nonfinite) p.nonfinite = w.one_in(3) ? ADAHOP_NONFINITE_REJECT : ADAHOP_NONFINITE_BLOCK_NAN;
  if (choice.hadamard) randomise_hadamard(p, w);
  if (choice.models) {
    const model& mx = kModels[w.next() % kModels.size()];
    const model& bf = kBf16Models[w.next() % kBf16Models.size()];
    p.gemm_model = mx.name;
    p.gemm_model_param = mx.param;
    p.bf16_gemm_model = bf.name;
    p.bf16_gemm_model_param = bf.param;
  }
  if (choice.output) p.output = between(w, ADAHOP_F32, ADAHOP_BF16);
  if (choice.pattern) {
    constexpr std::array<double, 4> kRatios{2.0, 1.0, 1.5, 8.0}, kEps{1e-8, 0.0, 1.0, 1e-30};
    p.pattern_ratio = kRatios[w.next() % kRatios.size()];
    p.pattern_eps = kEps[w.next() % kEps.size()];
  }
  if (choice.outliers) {
    p.oe_k = w.one_in(4) ? between(w, 1, 64) : between(w, 1, 6);
    p.foid_window = w.one_in(2) ? 32 : 64;
  }
  if (choice.left_oe_on_dw) p.left_oe_on_dw = between(w, ADAHOP_LEFT_OE_PUBLISHED, ADAHOP_LEFT_OE_PORT);
  if (choice.pad) p.pad = between(w, ADAHOP_PAD_ERROR, ADAHOP_PAD_ZERO);
  if (choice.layout) p.scale_layout = between(w, ADAHOP_LAYOUT_LINEAR, ADAHOP_LAYOUT_GFX950_SHUFFLE);
  return p;
}

simpler_values<policy> simpler(const policy& p) {
  const policy d = default_policy();
  const std::string line = canonical_line(p);
  simpler_values<policy> list;
  const auto with = [&](auto&& change) {
    policy q = p;
    change(q);
    if (canonical_line(q) != line && validate(q).ok()) list.push_back([q] { return q; });
  };
  with([&](policy& q) { q = d; });
  with([&](policy& q) { q.scale_rule = d.scale_rule; });
  with([&](policy& q) { q.min_scale_byte = d.min_scale_byte; });
  with([&](policy& q) {
    q.element_rounding = d.element_rounding;
    q.sr_bits = d.sr_bits;
    q.sr_seed = d.sr_seed;
    q.sr_offset = d.sr_offset;
  });
  with([&](policy& q) { q.sr_seed = 0; });
  with([&](policy& q) { q.sr_offset = 0; });
  with([&](policy& q) { q.nonfinite = d.nonfinite; });
  with([&](policy& q) { q.hadamard_size = d.hadamard_size; });
  with([&](policy& q) {
    q.hadamard_signs = d.hadamard_signs;
    q.hadamard_seed = d.hadamard_seed;
  });
  with([&](policy& q) { q.hadamard_seed = 0; });
  with([&](policy& q) { q.hadamard_output = d.hadamard_output; });
  with([&](policy& q) {
    q.gemm_model = d.gemm_model;
    q.gemm_model_param = d.gemm_model_param;
  });
  with([&](policy& q) {
    q.bf16_gemm_model = d.bf16_gemm_model;
    q.bf16_gemm_model_param = d.bf16_gemm_model_param;
  });
  with([&](policy& q) { q.output = d.output; });
  with([&](policy& q) { q.pattern_ratio = d.pattern_ratio; });
  with([&](policy& q) { q.pattern_eps = d.pattern_eps; });
  // Towards 1, not to the default: fewer outliers are easier to follow.
  if (p.oe_k != d.oe_k && p.oe_k > 1) with([&](policy& q) { q.oe_k = 1; });
  if (p.oe_k != d.oe_k && p.oe_k > 2) with([&](policy& q) { q.oe_k = p.oe_k - 1; });
  with([&](policy& q) { q.foid_window = d.foid_window; });
  with([&](policy& q) { q.left_oe_on_dw = d.left_oe_on_dw; });
  with([&](policy& q) { q.pad = d.pad; });
  with([&](policy& q) { q.scale_layout = d.scale_layout; });
  return list;
}

int64_t extended(const policy& p, int64_t cols) {
  const int64_t unit = std::max<int64_t>(kBlockSize, p.hadamard_size);
  return p.pad == ADAHOP_PAD_ZERO ? (cols + unit - 1) / unit * unit : cols;
}

std::ostream& operator<<(std::ostream& os, const shown_policy& s) { return os << canonical_line(s.p); }

}  // namespace adahop::property
