// SPEC's demands on the arguments of a call, by operation. Nothing here is shared with the checks of a backend.
#include "fuzz/abi_contract.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace adahop::fuzz {
namespace {

constexpr int64_t kMaxDimension = 2147483647;
constexpr __int128 kMaxElements = __int128{1} << 40;
constexpr int64_t kBlock = 32;

bool among(int64_t value, std::initializer_list<int64_t> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool is_dimension(int64_t n) { return n >= 0 && n <= kMaxDimension; }

bool policy_in_range(const adahop_policy& p) {
  const bool finite = std::isfinite(p.pattern_ratio) && std::isfinite(p.pattern_eps);
  bool models = false;
  switch (p.gemm_model) {
    case ADAHOP_GEMM_BLOCK_RNE:
    case ADAHOP_GEMM_EXACT_SUM:
    case ADAHOP_GEMM_MFMA_SEQ: models = p.gemm_model_param == 0; break;
    case ADAHOP_GEMM_MFMA_FUSED: models = among(p.gemm_model_param, {2, 4}); break;
    case ADAHOP_GEMM_CDNA3_TRFDPA:
    case ADAHOP_GEMM_CDNA3_GTRFDPA: models = among(p.gemm_model_param, {16, 32, 64, 128}); break;
    case ADAHOP_GEMM_BLOCK_FIRST_FDPA: models = among(p.gemm_model_param, {1, 2, 4}); break;
    default: break;
  }
  const bool grouped = p.bf16_gemm_model == ADAHOP_BF16_CDNA3_TRFDPA;
  models = models && among(p.bf16_gemm_model, {0, 1, 2}) && p.bf16_gemm_model_param == (grouped ? 8 : 0);
  const bool stochastic = p.element_rounding == ADAHOP_ROUND_STOCHASTIC;
  return p.struct_size == sizeof(adahop_policy) && among(p.scale_rule, {0, 1, 2, 3}) && among(p.min_scale_byte, {0, 1}) &&
         among(p.element_rounding, {0, 1, 2}) && (!stochastic || (p.sr_bits >= 1 && p.sr_bits <= 32)) &&
         among(p.nonfinite, {0, 1}) && among(p.hadamard_size, {16, 32, 64, 128}) && among(p.hadamard_signs, {0, 1}) &&
         among(p.hadamard_output, {ADAHOP_F32, ADAHOP_BF16}) && models && among(p.output, {ADAHOP_F32, ADAHOP_BF16}) &&
         finite && p.pattern_ratio > 0 && p.pattern_eps >= 0 && p.oe_k >= 1 && among(p.foid_window, {32, 64}) &&
         among(p.left_oe_on_dw, {0, 1}) && among(p.pad, {0, 1}) && among(p.nibble_order, {0, 1}) &&
         among(p.scale_layout, {0, 1});
}

bool claimed(uint32_t mask, int64_t value) { return value >= 0 && value < 32 && (mask >> value & 1u) != 0; }

bool policy_claimed(const adahop_policy& p, const adahop_capabilities& can, bool any_model) {
  const int size_bit = p.hadamard_size == 16 ? 0 : p.hadamard_size == 32 ? 1 : p.hadamard_size == 64 ? 2 : 3;
  return claimed(can.scale_rules, p.scale_rule) && claimed(can.element_roundings, p.element_rounding) &&
         claimed(can.nonfinite, p.nonfinite) && claimed(can.hadamard_signs, p.hadamard_signs) &&
         claimed(can.hadamard_sizes, size_bit) && claimed(can.hadamard_outputs, p.hadamard_output) &&
         (any_model || claimed(can.gemm_models, p.gemm_model)) && claimed(can.bf16_gemm_models, p.bf16_gemm_model) &&
         claimed(can.outputs, p.output) && claimed(can.pads, p.pad) && claimed(can.nibble_orders, p.nibble_order) &&
         claimed(can.scale_layouts, p.scale_layout) && claimed(can.left_oe_on_dw, p.left_oe_on_dw);
}

bool good(const adahop_view& v) {
  if (!among(v.dtype, {ADAHOP_F32, ADAHOP_BF16}) || !is_dimension(v.rows) || !is_dimension(v.cols)) return false;
  if (v.rows == 0 || v.cols == 0) return true;
  if (__int128{v.rows} * v.cols > kMaxElements || v.data == nullptr) return false;
  if ((v.rows > 1 && v.row_stride < 1) || (v.cols > 1 && v.col_stride < 1)) return false;
  return __int128{v.rows - 1} * v.row_stride + __int128{v.cols - 1} * v.col_stride <= kMaxElements;
}

bool shuffled(const adahop_policy* p) { return p != nullptr && p->scale_layout == ADAHOP_LAYOUT_GFX950_SHUFFLE; }

bool good(const adahop_mx& m, const adahop_policy* p) {
  if (!is_dimension(m.outer) || !is_dimension(m.inner) || m.inner % kBlock != 0) return false;
  if (m.outer == 0 || m.inner == 0) return true;
  if (__int128{m.outer} * m.inner > kMaxElements || m.codes == nullptr || m.scales == nullptr) return false;
  if (m.outer == 1) return true;
  const auto rows_apart = [&](int64_t stride, int64_t row) {
    return stride >= row && __int128{m.outer - 1} * stride <= kMaxElements;
  };
  return rows_apart(m.codes_stride, m.inner / 2) && (shuffled(p) || rows_apart(m.scales_stride, m.inner / kBlock));
}

bool good(const list_part& l, bool contents) {
  if (l.count < 0 || l.count > l.limit || (l.count > 0 && l.indices == nullptr)) return false;
  for (int64_t i = 0; contents && i < l.count; ++i)
    if (l.indices[i] < 0 || l.indices[i] >= l.limit || (i > 0 && l.indices[i] <= l.indices[i - 1])) return false;
  return true;
}

// SPEC 3.7: what an inner dimension is extended to, and what it must be a multiple of otherwise.
int64_t transformed_multiple(const adahop_policy& p) { return std::max<int64_t>(kBlock, p.hadamard_size); }
__int128 extended(const adahop_policy& p, int64_t inner) {
  const int64_t multiple = transformed_multiple(p);
  return p.pad == ADAHOP_PAD_ZERO ? (__int128{inner} + multiple - 1) / multiple * multiple : __int128{inner};
}
bool multiple_of(const adahop_policy& p, int64_t inner, int64_t n) { return p.pad == ADAHOP_PAD_ZERO || inner % n == 0; }
bool shape(const adahop_view& v, __int128 rows, __int128 cols) { return v.rows == rows && v.cols == cols; }
bool shape(const adahop_mx& m, __int128 outer, __int128 inner) { return m.outer == outer && m.inner == inner; }
bool is(const adahop_view& v, int32_t dtype) { return v.dtype == dtype; }

// How the parts must fit together, each of them good by itself.
bool fits(const adahop_quantize_args& a) {
  return multiple_of(*a.policy, a.x.cols, kBlock) && shape(a.out, a.x.rows, extended(*a.policy, a.x.cols));
}
bool fits(const adahop_dequantize_args& a) {
  return a.out.rows == a.x.outer && extended(*a.policy, a.out.cols) == a.x.inner;
}
bool fits(const adahop_hadamard_args& a) {
  return multiple_of(*a.policy, a.x.cols, transformed_multiple(*a.policy)) && is(a.out, a.policy->hadamard_output) &&
         shape(a.out, a.x.rows, extended(*a.policy, a.x.cols));
}
bool fits(const adahop_hadamard_quantize_args& a) {
  return multiple_of(*a.policy, a.x.cols, transformed_multiple(*a.policy)) &&
         shape(a.out, a.x.rows, extended(*a.policy, a.x.cols));
}
bool fits(const adahop_pattern_args&) { return true; }
bool fits(const adahop_select_outliers_args& a) { return a.x.cols > 0 && multiple_of(*a.policy, a.x.cols, kBlock); }
bool fits(const adahop_extract_outliers_args& a) {
  return is(a.x, ADAHOP_BF16) && is(a.out, ADAHOP_BF16) && shape(a.out, a.count, a.x.cols);
}
bool fits(const adahop_mx_gemm_args& a) { return a.a.inner == a.b.inner && shape(a.out, a.a.outer, a.b.outer); }
bool fits(const adahop_bf16_gemm_args& a) {
  return is(a.a, ADAHOP_BF16) && is(a.b, ADAHOP_BF16) && a.a.cols == a.b.cols && shape(a.out, a.a.rows, a.b.rows);
}
bool fits(const adahop_scatter_add_args& a) {
  const bool left = a.side == ADAHOP_SIDE_LEFT;
  return among(a.side, {ADAHOP_SIDE_LEFT, ADAHOP_SIDE_RIGHT}) && is(a.c, ADAHOP_F32) && is(a.outlier, ADAHOP_F32) &&
         shape(a.outlier, left ? a.count : a.c.rows, left ? a.c.cols : a.count) && shape(a.out, a.c.rows, a.c.cols);
}
bool fits(const adahop_matmul_args& a) {
  return fits(adahop_bf16_gemm_args{a.policy, a.a, a.b, a.out}) && is(a.out, a.policy->output) && a.a.cols > 0 &&
         multiple_of(*a.policy, a.a.cols, transformed_multiple(*a.policy)) && among(a.level, {1, 2}) &&
         among(a.left_pattern, {0, 1, 2}) && among(a.right_pattern, {0, 1, 2}) && among(a.path, {0, 1, 2});
}

contract arguments(any_args* args, const adahop_capabilities& can, bool native, bool list_contents) {
  contract c;
  if (args == nullptr) return {true, false, false};
  const call_parts parts = parts_of(*args);
  const adahop_policy* const p = parts.policy;
  if (parts.takes_policy && (p == nullptr || !policy_in_range(*p))) c.invalid = true;
  if (parts.takes_policy && !c.invalid) c.unsupported = !policy_claimed(*p, can, native);
  for (const view_part& v : parts.views) c.invalid = c.invalid || !good(*v.view);
  for (const mx_part& m : parts.mxs) c.invalid = c.invalid || !good(*m.mx, p);
  for (const array_part& a : parts.arrays) c.invalid = c.invalid || (a.required && a.data == nullptr);
  for (const list_part& l : parts.lists) c.invalid = c.invalid || !good(l, list_contents);
  if (!c.invalid) c.invalid = !std::visit([](const auto& a) { return fits(a); }, *args);
  const bool quantizes = among(op_of(*args), {ADAHOP_OP_QUANTIZE, ADAHOP_OP_HADAMARD_QUANTIZE, ADAHOP_OP_MATMUL});
  c.may_reject = quantizes && p != nullptr && p->nonfinite == ADAHOP_NONFINITE_REJECT;
  c.unsupported = c.unsupported || !claimed(can.ops, op_of(*args));
  return c;
}

__int128 view_bytes(const adahop_view& v) {
  if (v.rows == 0 || v.cols == 0) return 0;
  const __int128 last = (v.rows > 1 ? __int128{v.rows - 1} * v.row_stride : 0) +
                        (v.cols > 1 ? __int128{v.cols - 1} * v.col_stride : 0);
  return (last + 1) * (v.dtype == ADAHOP_BF16 ? 2 : 4);
}
__int128 lines_bytes(int64_t lines, int64_t stride, int64_t line) {
  return lines == 0 || line == 0 ? 0 : (lines > 1 ? __int128{lines - 1} * stride : 0) + line;
}
// SPEC 3.5.
__int128 scale_bytes(const adahop_mx& m, const adahop_policy* p) {
  const int64_t blocks = m.inner / kBlock;
  if (m.outer == 0 || blocks == 0) return 0;
  if (!shuffled(p)) return lines_bytes(m.outer, m.scales_stride, blocks);
  return (__int128{m.outer} + 31) / 32 * 32 * ((blocks + 7) / 8 * 8);
}

// Of a view that is good: whether all elements lie apart.
bool elements_apart(const adahop_view& v) {
  if (v.rows <= 1 || v.cols <= 1) return true;
  const bool columns_fast = v.col_stride <= v.row_stride;
  const __int128 line = columns_fast ? __int128{v.cols - 1} * v.col_stride : __int128{v.rows - 1} * v.row_stride;
  return (columns_fast ? v.row_stride : v.col_stride) > line;
}

}  // namespace

bool contract::allows(int32_t code) const {
  if (invalid || unsupported)
    return (invalid && code == ADAHOP_INVALID_ARGUMENT) || (unsupported && code == ADAHOP_UNSUPPORTED);
  return code == ADAHOP_OK || (may_reject && code == ADAHOP_NONFINITE);
}

contract contract_of(const adahop_exec* exec, any_args* args, const adahop_capabilities& can) {
  const bool native = exec != nullptr && exec->mode == ADAHOP_MODE_NATIVE;
  contract c = arguments(args, can, native, true);
  if (exec == nullptr || exec->struct_size != sizeof(adahop_exec) ||
      !among(exec->mode, {ADAHOP_MODE_BITEXACT, ADAHOP_MODE_NATIVE}) ||
      !among(exec->memory, {ADAHOP_MEMORY_HOST, ADAHOP_MEMORY_DEVICE})) {
    c.invalid = true;
    return c;
  }
  c.unsupported = c.unsupported || !claimed(can.modes, exec->mode) || !claimed(can.memories, exec->memory);
  return c;
}

contract contract_of_size(any_args* args, const adahop_capabilities& can) {
  contract c = arguments(args, can, true, false);
  c.may_reject = false;
  return c;
}

bool can_be_made(any_args& args, const contract& c, const hostile_memory& memory, int64_t limit) {
  const call_parts parts = parts_of(args);
  const bool legal = !c.invalid && !c.unsupported;
  for (const view_part& part : parts.views) {
    const adahop_view& v = *part.view;
    if (!good(v)) continue;
    if (!memory.holds(v.data, view_bytes(v)) || (part.output && !elements_apart(v))) return false;
    if (reinterpret_cast<uintptr_t>(v.data) % (v.dtype == ADAHOP_BF16 ? 2 : 4) != 0) return false;
    if (legal && std::max(v.rows, v.cols) > limit) return false;
  }
  for (const mx_part& part : parts.mxs) {
    const adahop_mx& m = *part.mx;
    if (!good(m, parts.policy)) continue;
    if (!memory.holds(m.codes, lines_bytes(m.outer, m.codes_stride, m.inner / 2))) return false;
    if (!memory.holds(m.scales, scale_bytes(m, parts.policy))) return false;
    if (legal && std::max(m.outer, m.inner) > limit) return false;
  }
  for (const array_part& a : parts.arrays)
    if (a.data != nullptr && !memory.holds(a.data, a.bytes)) return false;
  // out may be the very view c, and shares no memory with it otherwise.
  if (const auto* a = std::get_if<adahop_scatter_add_args>(&args); a != nullptr && legal && a->c.data == a->out.data) {
    const adahop_view &base = a->c, &out = a->out;
    if (base.dtype != out.dtype || base.row_stride != out.row_stride || base.col_stride != out.col_stride) return false;
  }
  for (const list_part& l : parts.lists)
    if (good(l, false) && !memory.holds(l.indices, __int128{l.count} * 4)) return false;
  return true;
}

void claim_outputs(any_args& args, hostile_memory& memory) {
  const call_parts parts = parts_of(args);
  for (const view_part& part : parts.views) {
    const adahop_view& v = *part.view;
    if (!part.output || !good(v) || v.rows == 0 || v.cols == 0) continue;
    const int64_t size = v.dtype == ADAHOP_BF16 ? 2 : 4;
    for (int64_t r = 0; r < v.rows; ++r)
      for (int64_t k = 0; k < v.cols; ++k)
        memory.claim(static_cast<uint8_t*>(v.data) + ((r == 0 ? 0 : r * v.row_stride) + (k == 0 ? 0 : k * v.col_stride)) * size,
                     static_cast<size_t>(size));
  }
  for (const mx_part& part : parts.mxs) {
    const adahop_mx& m = *part.mx;
    if (!part.output || !good(m, parts.policy) || m.inner == 0) continue;
    if (shuffled(parts.policy) && m.outer > 0) memory.claim(m.scales, static_cast<size_t>(scale_bytes(m, parts.policy)));
    for (int64_t r = 0; r < m.outer; ++r) {
      memory.claim(m.codes + (r == 0 ? 0 : r * m.codes_stride), static_cast<size_t>(m.inner / 2));
      if (shuffled(parts.policy)) continue;
      memory.claim(m.scales + (r == 0 ? 0 : r * m.scales_stride), static_cast<size_t>(m.inner / kBlock));
    }
  }
  for (const array_part& a : parts.arrays)
    if (a.data != nullptr) memory.claim(a.data, static_cast<size_t>(a.bytes));
  // The verdict's reserved field is nobody's output.
  if (const auto* pattern = std::get_if<adahop_pattern_args>(&args); pattern != nullptr && pattern->result != nullptr)
    memory.claim(&pattern->result->reserved, sizeof pattern->result->reserved, false);
}

call_parts parts_of(any_args& args) {
  call_parts p;
  struct visitor {
    call_parts& p;
    // A dimension of x, as a backend may use it: not at all where x is refused.
    static int64_t rows(const adahop_view& x) { return good(x) ? x.rows : 0; }
    static int64_t cols(const adahop_view& x) { return good(x) ? x.cols : 0; }
    void view(adahop_view& v, bool output) { p.views.push_back({&v, output}); }
    void mx(adahop_mx& m, bool output) { p.mxs.push_back({&m, output}); }
    void array(const void* data, int64_t bytes, bool required) { p.arrays.push_back({data, bytes, required}); }
    void operator()(adahop_quantize_args& a) {
      view(a.x, false), mx(a.out, true), array(a.result, sizeof *a.result, false);
    }
    void operator()(adahop_dequantize_args& a) { mx(a.x, false), view(a.out, true); }
    void operator()(adahop_hadamard_args& a) { view(a.x, false), view(a.out, true); }
    void operator()(adahop_hadamard_quantize_args& a) {
      view(a.x, false), mx(a.out, true), array(a.result, sizeof *a.result, false);
      p.lists.push_back({a.zeroed, a.zeroed_count, a.x.rows});
    }
    void operator()(adahop_pattern_args& a) {
      view(a.x, false), array(a.result, sizeof *a.result, true);
      array(a.row_variance, 8 * rows(a.x), false), array(a.col_variance, 8 * cols(a.x), false);
    }
    void operator()(adahop_select_outliers_args& a) {
      const int64_t chosen = a.policy == nullptr ? 0 : std::min<int64_t>(std::max(0, a.policy->oe_k), rows(a.x));
      view(a.x, false), array(a.count, sizeof *a.count, true), array(a.scores, 4 * rows(a.x), false);
      array(a.indices, 4 * chosen, a.x.rows > 0);
    }
    void operator()(adahop_extract_outliers_args& a) {
      p.takes_policy = false;
      view(a.x, false), view(a.out, true);
      p.lists.push_back({a.indices, a.count, a.x.rows});
    }
    void operator()(adahop_mx_gemm_args& a) { mx(a.a, false), mx(a.b, false), view(a.out, true); }
    void operator()(adahop_bf16_gemm_args& a) { view(a.a, false), view(a.b, false), view(a.out, true); }
    void operator()(adahop_scatter_add_args& a) {
      view(a.c, false), view(a.outlier, false), view(a.out, true);
      p.lists.push_back({a.indices, a.count, a.side == ADAHOP_SIDE_RIGHT ? a.c.cols : a.c.rows});
    }
    void operator()(adahop_matmul_args& a) { view(a.a, false), view(a.b, false), view(a.out, true); }
  };
  std::visit(visitor{p}, args);
  std::visit(
      [&](const auto& a) {
        if constexpr (requires { a.policy; }) p.policy = a.policy;
      },
      args);
  return p;
}

}  // namespace adahop::fuzz
