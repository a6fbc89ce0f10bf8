// Calls over guarded memory that are legal but for odd shapes, each in a few bytes.
#include "fuzz/hostile_args.h"

#include <algorithm>
#include <cstring>

#include "adahop/policy.h"
#include "fuzz/hostile_damage.h"

namespace adahop::fuzz {
namespace {

// One step of splitmix64.
uint64_t mix(uint64_t& state) {
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Rows or columns first, with or without gaps, from an element that need not be aligned to more than its own size.
adahop_view make_view(input& in, hostile_memory& memory, int32_t dtype, int64_t rows, int64_t cols) {
  const uint8_t layout = in.byte();
  const int64_t gap = (layout >> 1 & 1) * 3, size = dtype == ADAHOP_BF16 ? 2 : 4;
  const bool by_columns = (layout & 1) != 0;
  const int64_t pitch = (by_columns ? rows : cols) + gap, lines = by_columns ? cols : rows;
  const int64_t elements = rows == 0 || cols == 0 ? 0 : (lines - 1) * pitch + pitch - gap;
  const int64_t room = (layout >> 4 & 1) != 0 ? 4 : size;  // enough for a damaged dtype, too
  uint8_t* const data = memory.add(static_cast<size_t>(elements * room), static_cast<size_t>((layout >> 2 & 3) * room));
  return {data, dtype, 0, rows, cols, by_columns ? 1 : pitch, by_columns ? pitch : 1};
}

// Elements of one family, all from one seed.
void fill(input& in, const adahop_view& v) {
  const auto family = static_cast<values>(in.byte() % kValueFamilies);
  uint64_t state = in.byte();
  for (int64_t r = 0; r < v.rows; ++r)
    for (int64_t c = 0; c < v.cols; ++c) {
      const bool half = v.dtype == ADAHOP_BF16;
      const uint32_t bits = float_pattern(family, {118, 16}, mix(state), half ? 0x10000u : 1u);
      const auto upper = static_cast<uint16_t>(bits >> 16);
      uint8_t* const at = static_cast<uint8_t*>(v.data) + (r * v.row_stride + c * v.col_stride) * (half ? 2 : 4);
      std::memcpy(at, half ? static_cast<const void*>(&upper) : &bits, half ? 2 : 4);
    }
}

adahop_view make_input(input& in, hostile_memory& memory, int32_t dtype, int64_t rows, int64_t cols) {
  const adahop_view v = make_view(in, memory, dtype, rows, cols);
  fill(in, v);
  return v;
}

adahop_mx make_mx(input& in, hostile_memory& memory, const adahop_policy& p, int64_t outer, int64_t inner, bool filled) {
  const uint8_t layout = in.byte();
  const int64_t gap = layout & 3, blocks = inner / 32;
  const bool linear = p.scale_layout == ADAHOP_LAYOUT_LINEAR;
  const bool none = outer == 0 || inner == 0;
  const int64_t code_bytes = none ? 0 : (outer - 1) * (inner / 2 + gap) + inner / 2;
  const int64_t scale_bytes = none     ? 0
                              : linear ? (outer - 1) * (blocks + gap) + blocks
                                       : (outer + 31) / 32 * 32 * ((blocks + 7) / 8 * 8);
  uint8_t* const codes = memory.add(static_cast<size_t>(code_bytes), layout >> 2 & 3);
  uint8_t* const scales = memory.add(static_cast<size_t>(scale_bytes), layout >> 4 & 3);
  uint64_t state = filled ? in.byte() : 0;
  const bool wide = layout >> 7 != 0;  // any byte, NaN's too
  for (int64_t i = 0; filled && i < code_bytes; ++i) codes[i] = static_cast<uint8_t>(mix(state));
  for (int64_t i = 0; filled && i < scale_bytes; ++i)
    scales[i] = static_cast<uint8_t>(wide ? mix(state) : 120 + mix(state) % 16);
  return {codes, scales, outer, inner, inner / 2 + gap, blocks + gap};
}

struct made_list {
  int32_t* indices;
  int64_t count;
};

// Each index below `limit` that a bit of a byte chooses; null or an empty array where there is none.
made_list make_list(input& in, hostile_memory& memory, std::vector<int32_t*>& listed, int64_t limit) {
  const uint8_t chosen = in.byte();
  std::vector<int32_t> indices;
  for (int64_t i = 0; i < limit; ++i)
    if ((chosen >> i % 7 & 1) != 0) indices.push_back(static_cast<int32_t>(i));
  auto* const at = reinterpret_cast<int32_t*>(memory.add(indices.size() * sizeof(int32_t), 4));
  std::copy(indices.begin(), indices.end(), at);
  for (size_t i = 0; i < indices.size(); ++i) listed.push_back(at + i);
  const bool null = indices.empty() && chosen >> 7 != 0;
  return {null ? nullptr : at, static_cast<int64_t>(indices.size())};
}

template <class T>
T* make_array(hostile_memory& memory, int64_t count, bool host_only) {
  return reinterpret_cast<T*>(memory.add(static_cast<size_t>(count) * sizeof(T), sizeof(T), host_only));
}

}  // namespace

hostile_call::hostile_call(input& in) {
  const auto op = static_cast<adahop_op>(in.integer(0, ADAHOP_OP_COUNT - 1));
  read_policy(in);
  exec.struct_size = sizeof exec;
  const uint8_t how = in.byte();
  exec.memory = (how & 3) == 3 ? ADAHOP_MEMORY_DEVICE : ADAHOP_MEMORY_HOST;
  exec.mode = (how >> 2 & 7) == 7 ? ADAHOP_MODE_NATIVE : ADAHOP_MODE_BITEXACT;
  own_stream = (how >> 5 & 1) != 0;
  workspace = static_cast<workspace_kind>(in.integer(0, 5));
  read_args(in, op);
  for (int64_t left = in.integer(0, 3); left > 0; --left) damages.push_back(damage_field(in, *this));
}

void hostile_call::read_policy(input& in) {
  rules = default_policy();
  const uint64_t bits = in.word(2);
  const auto bit = [&](int i) { return static_cast<int32_t>(bits >> i & 1u); };
  rules.scale_rule = static_cast<int32_t>(bits & 3u);
  rules.min_scale_byte = bit(2);
  rules.element_rounding = static_cast<int32_t>((bits >> 3 & 3u) % 3);
  rules.sr_bits = rules.element_rounding == ADAHOP_ROUND_STOCHASTIC ? 8 : 0;
  rules.nonfinite = bit(5);
  rules.hadamard_size = 16 << (bits >> 6 & 3u);
  rules.hadamard_signs = bit(8);
  rules.hadamard_output = bit(9);
  rules.output = bit(10);
  rules.foid_window = bit(11) != 0 ? 32 : 64;
  rules.pad = bit(12);
  rules.scale_layout = bit(13);
  rules.left_oe_on_dw = bit(14);
  rules.oe_k = bit(15) != 0 ? 2 : 64;
}

void hostile_call::read_args(input& in, adahop_op op) {
  const bool transforms = op == ADAHOP_OP_HADAMARD || op == ADAHOP_OP_HADAMARD_QUANTIZE || op == ADAHOP_OP_MATMUL;
  const int64_t whole = std::max(32, rules.hadamard_size);
  const int64_t m = in.integer(0, 5), n = in.integer(0, 5), size = in.integer(0, 127);
  const int64_t inner = rules.pad == ADAHOP_PAD_ZERO ? size : size % 4 * (transforms ? whole : 32);
  const int64_t extended = rules.pad == ADAHOP_PAD_ZERO ? (inner + whole - 1) / whole * whole : inner;
  const int32_t any_type = in.flag() ? ADAHOP_BF16 : ADAHOP_F32, out_type = in.flag() ? ADAHOP_BF16 : ADAHOP_F32;
  const adahop_policy* const p = &rules;
  switch (op) {
    case ADAHOP_OP_QUANTIZE:
      args = adahop_quantize_args{p, make_input(in, memory, any_type, m, inner), make_mx(in, memory, rules, m, extended, false),
                                  make_array<adahop_quantize_result>(memory, 1, true)};
      break;
    case ADAHOP_OP_DEQUANTIZE:
      args = adahop_dequantize_args{p, make_mx(in, memory, rules, m, extended, true),
                                    make_view(in, memory, any_type, m, inner)};
      break;
    case ADAHOP_OP_HADAMARD:
      args = adahop_hadamard_args{p, make_input(in, memory, any_type, m, inner),
                                  make_view(in, memory, rules.hadamard_output, m, extended)};
      break;
    case ADAHOP_OP_HADAMARD_QUANTIZE: {
      const made_list zeroed = make_list(in, memory, listed, m);
      args = adahop_hadamard_quantize_args{p,
                                           make_input(in, memory, any_type, m, inner),
                                           zeroed.indices,
                                           zeroed.count,
                                           make_mx(in, memory, rules, m, extended, false),
                                           make_array<adahop_quantize_result>(memory, 1, true)};
      break;
    }
    case ADAHOP_OP_PATTERN:
      args = adahop_pattern_args{p, make_input(in, memory, any_type, m, size), make_array<double>(memory, m, false),
                                 make_array<double>(memory, size, false), make_array<adahop_pattern_result>(memory, 1, true)};
      break;
    case ADAHOP_OP_SELECT_OUTLIERS:
      args = adahop_select_outliers_args{p, make_input(in, memory, any_type, m, inner), make_array<float>(memory, m, false),
                                         make_array<int32_t>(memory, std::min<int64_t>(m, rules.oe_k), false),
                                         make_array<int64_t>(memory, 1, true)};
      break;
    case ADAHOP_OP_EXTRACT_OUTLIERS: {
      const made_list rows = make_list(in, memory, listed, m);
      args = adahop_extract_outliers_args{make_input(in, memory, ADAHOP_BF16, m, size), rows.indices, rows.count,
                                          make_view(in, memory, ADAHOP_BF16, rows.count, size)};
      break;
    }
    case ADAHOP_OP_MX_GEMM:
      args = adahop_mx_gemm_args{p, make_mx(in, memory, rules, m, extended, true), make_mx(in, memory, rules, n, extended, true),
                                 make_view(in, memory, out_type, m, n)};
      break;
    case ADAHOP_OP_BF16_GEMM:
      args = adahop_bf16_gemm_args{p, make_input(in, memory, ADAHOP_BF16, m, size), make_input(in, memory, ADAHOP_BF16, n, size),
                                   make_view(in, memory, out_type, m, n)};
      break;
    case ADAHOP_OP_SCATTER_ADD: {
      const int32_t side = any_type == ADAHOP_BF16 ? ADAHOP_SIDE_LEFT : ADAHOP_SIDE_RIGHT;
      const bool left = side == ADAHOP_SIDE_LEFT;
      const made_list at = make_list(in, memory, listed, left ? m : n);
      const adahop_view c = make_input(in, memory, ADAHOP_F32, m, n);
      const adahop_view outlier = make_input(in, memory, ADAHOP_F32, left ? at.count : m, left ? n : at.count);
      in_place = out_type == ADAHOP_F32 && in.flag();
      const adahop_view out = in_place ? c : make_view(in, memory, out_type, m, n);
      args = adahop_scatter_add_args{p, c, outlier, at.indices, at.count, side, 0, out};
      break;
    }
    default: {
      const int32_t level = any_type == ADAHOP_BF16 ? 1 : 2;
      const uint8_t choice = in.byte();
      args = adahop_matmul_args{p,
                                level,
                                choice % 3,
                                choice / 3 % 3,
                                choice / 9 % 3,
                                make_input(in, memory, ADAHOP_BF16, m, inner),
                                make_input(in, memory, ADAHOP_BF16, n, inner),
                                make_view(in, memory, rules.output, m, n)};
      break;
    }
  }
}

void move_pointers(any_args& args, const device_copy& copy) {
  const auto move = [&](auto& part) {
    if constexpr (requires { part.codes; }) {
      copy.move(part.codes);
      copy.move(part.scales);
    } else {
      copy.move(part.data);
    }
  };
  std::visit(
      [&](auto& a) {
        if constexpr (requires { a.x; }) move(a.x);
        if constexpr (requires { a.a; }) move(a.a);
        if constexpr (requires { a.b; }) move(a.b);
        if constexpr (requires { a.c; }) move(a.c);
        if constexpr (requires { a.outlier; }) move(a.outlier);
        if constexpr (requires { a.out; }) move(a.out);
        if constexpr (requires { a.indices; }) copy.move(a.indices);
        if constexpr (requires { a.zeroed; }) copy.move(a.zeroed);
        if constexpr (requires { a.scores; }) copy.move(a.scores);
        if constexpr (requires { a.row_variance; }) copy.move(a.row_variance);
        if constexpr (requires { a.col_variance; }) copy.move(a.col_variance);
      },
      args);
}

}  // namespace adahop::fuzz
