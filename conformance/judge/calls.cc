// How inputs and guarded outputs become the argument structs of the C ABI.
#include "conformance/judge/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "adahop/formats/scale_layout.h"
#include "adahop/plan.h"
#include "adahop/tensor.h"
#include "conformance/judge/device_memory.h"

namespace adahop::conformance {
namespace {

using memory = std::vector<guarded_array>;

const adahop_view& view_at(const call& c, size_t i) { return std::get<view_input>(c.inputs[i]).view; }
const adahop_mx& mx_at(const call& c, size_t i) { return std::get<mx_input>(c.inputs[i]).mx; }
const index_input& indices_at(const call& c, size_t i) { return std::get<index_input>(c.inputs[i]); }

element kind_of(int32_t dtype) { return dtype == ADAHOP_BF16 ? element::bf16 : element::f32; }

// Calls `function` where the call has its memory, with the workspace that it asks for.
template <class Args>
int32_t run(const call& c, const adahop_backend& backend, adahop_exec exec,
            int32_t (*function)(const adahop_exec*, const Args*), Args args) {
  if (c.device != nullptr)
    if (const int32_t code = c.device->move(args); code != ADAHOP_OK) return code;
  std::vector<uint64_t> workspace;
  if (c.with_workspace) {
    uint64_t bytes = 0;
    if (const int32_t code = backend.workspace_size(c.op, &args, &bytes); code != ADAHOP_OK) return code;
    workspace.assign(bytes / 8 + 1, 0xA5A5A5A5A5A5A5A5u);
    exec.workspace = c.device != nullptr ? c.device->scratch(bytes) : workspace.data();
    exec.workspace_bytes = bytes;
    if (exec.workspace == nullptr) return ADAHOP_OUT_OF_MEMORY;
  }
  const int32_t code = function(&exec, &args);
  if (c.device == nullptr) return code;
  if (code != ADAHOP_OK) c.device->keep_error(code);
  const int32_t fetched = c.device->fetch();
  return code != ADAHOP_OK ? code : fetched;
}

// The inner dimension of what is written from x (SPEC 3.7).
int64_t extended_inner(const policy& p, const adahop_view& x) {
  return p.pad == ADAHOP_PAD_ZERO ? round_up(x.cols, std::max<int64_t>(kBlockSize, p.hadamard_size)) : x.cols;
}

std::vector<output_spec> quantize_outputs(const policy& p, const adahop_view& x) {
  const int64_t inner = extended_inner(p, x);
  const int64_t blocks = inner / kBlockSize;
  const bool linear = p.scale_layout == ADAHOP_LAYOUT_LINEAR;
  return {{"scales", element::e8m0, linear ? x.rows : 1, linear ? blocks : shuffled_scale_bytes(x.rows, blocks)},
          {"codes", element::e2m1, x.rows, inner},
          {"result", element::i64, 1, 2, false, {"clipped", "first_nonfinite"}}};
}

adahop_mx mx_over(guarded_array& codes, guarded_array& scales) {
  return {static_cast<uint8_t*>(codes.data()),
          static_cast<uint8_t*>(scales.data()),
          codes.spec().rows,
          codes.spec().cols,
          codes.pitch(),
          scales.pitch()};
}

adahop_quantize_result* result_over(guarded_array& result) {
  return static_cast<adahop_quantize_result*>(result.data());
}

}  // namespace

call quantize_call(const policy& p, view_input x) {
  call c{ADAHOP_OP_QUANTIZE, p, {}, quantize_outputs(p, x.view), {}};
  c.inputs = {std::move(x)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const adahop_quantize_args args{&self.rules, view_at(self, 0), mx_over(out[1], out[0]), result_over(out[2])};
    return run(self, backend, exec, backend.quantize, args);
  };
  return c;
}

call dequantize_call(const policy& p, mx_input x, adahop_dtype dtype, bool transposed, int64_t logical_inner) {
  const int64_t inner = logical_inner < 0 ? x.mx.inner : logical_inner;
  call c{ADAHOP_OP_DEQUANTIZE, p, {}, {{"out", kind_of(dtype), x.mx.outer, inner, transposed}}, {}};
  c.inputs = {std::move(x)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const adahop_dequantize_args args{&self.rules, mx_at(self, 0), out[0].view()};
    return run(self, backend, exec, backend.dequantize, args);
  };
  return c;
}

call hadamard_call(const policy& p, view_input x, bool transposed) {
  const int64_t inner = extended_inner(p, x.view);
  call c{ADAHOP_OP_HADAMARD, p, {}, {{"out", kind_of(p.hadamard_output), x.view.rows, inner, transposed}}, {}};
  c.inputs = {std::move(x)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const adahop_hadamard_args args{&self.rules, view_at(self, 0), out[0].view()};
    return run(self, backend, exec, backend.hadamard, args);
  };
  return c;
}

call hadamard_quantize_call(const policy& p, view_input x, index_input zeroed) {
  call c{ADAHOP_OP_HADAMARD_QUANTIZE, p, {}, quantize_outputs(p, x.view), {}};
  c.inputs = {std::move(x), std::move(zeroed)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const index_input& rows = indices_at(self, 1);
    const adahop_hadamard_quantize_args args{&self.rules,  view_at(self, 0),        rows.data(),
                                             rows.count(), mx_over(out[1], out[0]), result_over(out[2])};
    return run(self, backend, exec, backend.hadamard_quantize, args);
  };
  return c;
}

call pattern_call(const policy& p, view_input x) {
  call c{ADAHOP_OP_PATTERN, p, {}, {}, {}};
  c.outputs = {{"row_variance", element::f64, 1, x.view.rows},
               {"col_variance", element::f64, 1, x.view.cols},
               {"cv", element::f64, 1, 2, false, {"cv_row", "cv_col"}},
               {"verdict", element::i32}};
  c.inputs = {std::move(x)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    // The record has a reserved field, which is nobody's output; so its fields are judged apart.
    adahop_pattern_result result{-1, 0, -1.0, -1.0};
    const adahop_pattern_args args{&self.rules, view_at(self, 0), static_cast<double*>(out[0].data()),
                                   static_cast<double*>(out[1].data()), &result};
    const int32_t code = run(self, backend, exec, backend.pattern, args);
    static_cast<double*>(out[2].data())[0] = result.cv_row;
    static_cast<double*>(out[2].data())[1] = result.cv_col;
    *static_cast<int32_t*>(out[3].data()) = result.pattern;
    return code;
  };
  return c;
}

call select_outliers_call(const policy& p, view_input x) {
  const int64_t k = std::min<int64_t>(p.oe_k, x.view.rows);
  call c{ADAHOP_OP_SELECT_OUTLIERS, p, {}, {}, {}};
  c.outputs = {{"scores", element::f32, 1, x.view.rows}, {"count", element::i64}, {"indices", element::i32, 1, k}};
  c.inputs = {std::move(x)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const adahop_select_outliers_args args{&self.rules, view_at(self, 0), static_cast<float*>(out[0].data()),
                                           static_cast<int32_t*>(out[2].data()), static_cast<int64_t*>(out[1].data())};
    return run(self, backend, exec, backend.select_outliers, args);
  };
  return c;
}

call extract_outliers_call(const policy& p, view_input x, index_input indices) {
  call c{ADAHOP_OP_EXTRACT_OUTLIERS, p, {}, {{"out", element::bf16, indices.count(), x.view.cols}}, {}};
  c.inputs = {std::move(x), std::move(indices)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const index_input& rows = indices_at(self, 1);
    const adahop_extract_outliers_args args{view_at(self, 0), rows.data(), rows.count(), out[0].view()};
    return run(self, backend, exec, backend.extract_outliers, args);
  };
  return c;
}

call mx_gemm_call(const policy& p, mx_input a, mx_input b, adahop_dtype dtype, bool transposed) {
  call c{ADAHOP_OP_MX_GEMM, p, {}, {{"out", kind_of(dtype), a.mx.outer, b.mx.outer, transposed}}, {}};
  c.inputs = {std::move(a), std::move(b)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const adahop_mx_gemm_args args{&self.rules, mx_at(self, 0), mx_at(self, 1), out[0].view()};
    return run(self, backend, exec, backend.mx_gemm, args);
  };
  return c;
}

call bf16_gemm_call(const policy& p, view_input a, view_input b, adahop_dtype dtype, bool transposed) {
  call c{ADAHOP_OP_BF16_GEMM, p, {}, {{"out", kind_of(dtype), a.view.rows, b.view.rows, transposed}}, {}};
  c.inputs = {std::move(a), std::move(b)};
  c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const adahop_bf16_gemm_args args{&self.rules, view_at(self, 0), view_at(self, 1), out[0].view()};
    return run(self, backend, exec, backend.bf16_gemm, args);
  };
  return c;
}

call scatter_add_call(const policy& p, view_input c_in, view_input outlier, index_input indices, adahop_side side,
                      adahop_dtype dtype, bool in_place) {
  call c{ADAHOP_OP_SCATTER_ADD, p, {}, {{"out", kind_of(dtype), c_in.view.rows, c_in.view.cols}}, {}};
  c.inputs = {std::move(c_in), std::move(outlier), std::move(indices)};
  c.about = side == ADAHOP_SIDE_LEFT ? "rows" : "columns";
  c.invoke = [side, in_place](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    adahop_view base = view_at(self, 0);
    const adahop_view target = out[0].view();
    if (in_place) {
      for (int64_t i = 0; i < base.rows; ++i)
        for (int64_t j = 0; j < base.cols; ++j)
          static_cast<float*>(target.data)[i * target.row_stride + j * target.col_stride] = load(base, i, j);
      base = target;
    }
    const index_input& at = indices_at(self, 2);
    const adahop_scatter_add_args args{&self.rules, base, view_at(self, 1), at.data(), at.count(), side, 0, target};
    return run(self, backend, exec, backend.scatter_add, args);
  };
  return c;
}

call matmul_call(const policy& p, const product& what, view_input a, view_input b, bool transposed) {
  call c{ADAHOP_OP_MATMUL, p, {}, {{"out", kind_of(p.output), a.view.rows, b.view.rows, transposed}}, {}};
  c.about =
      fmt::format("level {}, pair {}{}, path {}", what.level, letter(what.left), letter(what.right), name(what.path));
  c.inputs = {std::move(a), std::move(b)};
  c.invoke = [what](const call& self, const adahop_backend& backend, const adahop_exec& exec, memory& out) {
    const adahop_matmul_args args{&self.rules, what.level,       what.left,        what.right,
                                  what.path,   view_at(self, 0), view_at(self, 1), out[0].view()};
    return run(self, backend, exec, backend.matmul, args);
  };
  return c;
}

}  // namespace adahop::conformance
