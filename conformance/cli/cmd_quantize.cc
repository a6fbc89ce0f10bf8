// `adahop quantize`: load, quantize through a backend, write. Implements SPEC 12.1, 3.3 and the message of 5.15.
#include "conformance/cli/cmd_quantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "adahop/io/mx_file.h"
#include "conformance/cli/operand.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"

namespace adahop::cli {
namespace {

struct quantize_options {
  source_options in;
  std::string out;
  int axis = -1;
  bool hadamard = false;
  policy_options numerics;
  std::string backend = default_backend();
  bool json = false;
};

// Which element a backend's first_nonfinite, an index in stored order, is in the tensor the user knows.
std::string nonfinite_text(const operand& x, const io::mx_file& m, int64_t stored) {
  if (stored < 0 || m.data.inner == 0) return "an element";
  // SPEC 3.8: the transformed tensor has the extended dimension.
  const bool transformed = m.applied != io::transform::none;
  const int64_t length = transformed ? m.data.inner : m.logical_inner();
  const int64_t outer = stored / length, inner = stored % length;
  if (inner >= m.logical_inner()) return fmt::format("padded position {} of transformed row {}", inner, outer);
  const std::string index = m.axis == 1 ? index_text(x.shape, outer, inner) : index_text(x.shape, inner, outer);
  return fmt::format("{}element {}", transformed ? "transformed " : "", index);
}

status quantize(const conformance::caller& backend, const operand& x, io::mx_file& m) {
  adahop_view view = x.view();
  if (m.axis == 0) view = transposed(view);
  const int64_t multiple = m.applied == io::transform::none ? kBlockSize : std::max(kBlockSize, m.how.hadamard_size);
  if (m.how.pad == ADAHOP_PAD_ERROR && view.cols % multiple != 0)
    return invalid_argument(fmt::format("{}: shape {}: expected a multiple of {} along axis {}, found {} (see --pad)",
                                        x.where, io::shape_text(x.shape), multiple, m.axis, view.cols));
  io::mx_buffer out = io::make_mx_buffer(m.how, view.rows, view.cols);
  adahop_quantize_result result{0, -1};
  status s;
  // Nothing to compute without elements; and a header may well say 2^40 rows of none.
  if (view.rows != 0 && view.cols != 0)
    s = m.applied == io::transform::hadamard
            ? backend.run(adahop_hadamard_quantize_args{&m.how, view, nullptr, 0, view_of(out), &result})
            : backend.run(adahop_quantize_args{&m.how, view, view_of(out), &result});
  m.data = std::move(out);
  if (s.code() == ADAHOP_NONFINITE)
    return {ADAHOP_NONFINITE, fmt::format("{}: {}: expected finite values (nonfinite=reject), found NaN or Inf",
                                          x.where, nonfinite_text(x, m, result.first_nonfinite))};
  m.clipped = result.clipped;
  return s;
}

void report(const quantize_options& o, const io::mx_file& m) {
  const io::tensor_bytes scales = m.linear_scales();
  const auto [low, high] = std::minmax_element(scales.begin(), scales.end());
  const bool any = low != scales.end();
  const int64_t elements = m.data.outer * m.data.inner;
  if (o.json) {
    nlohmann::ordered_json out{{"out", o.out},
                               {"logical_shape", m.logical_shape},
                               {"axis", m.axis},
                               {"outer", m.data.outer},
                               {"inner", m.data.inner},
                               {"hadamard", o.hadamard},
                               {"clipped", m.clipped},
                               {"min_scale_byte", any ? *low : 0},
                               {"max_scale_byte", any ? *high : 0}};
    add_backend(out, o.backend);
    out["policy"] = canonical_line(m.how);
    out["policy_sha256"] = policy_hash(m.how);
    print_json(out);
    return;
  }
  print_fields({{"wrote", o.out},
                {"logical shape", io::shape_text(m.logical_shape)},
                {"codes", fmt::format("[{}, {}], axis {}{}", m.data.outer, m.data.inner, m.axis,
                                      o.hadamard ? ", Hadamard-transformed" : "")},
                {"clipped", fmt::format("{} of {} elements", m.clipped, elements)},
                {"scale bytes", any ? fmt::format("{} to {}", *low, *high) : "none"},
                {"backend", backend_text(o.backend)},
                {"policy", canonical_line(m.how)}});
}

int run_quantize(const quantize_options& o) {
  const result<policy> p = make_policy(o.numerics);
  if (!p.ok()) return fail(p.why());
  if (!o.out.ends_with(".safetensors"))
    return fail(invalid_argument(fmt::format("{}: name: expected one that ends in .safetensors", o.out)));
  const auto backend = open_caller(o.backend);
  if (!backend.ok()) return fail(backend.why());
  const result<operand> x = load_operand(o.in);
  if (!x.ok()) return fail(x.why());

  io::mx_file m;
  m.how = p.value();
  m.logical_shape = x.value().shape;
  m.axis = o.axis == 0 ? 0 : 1;
  m.applied = o.hadamard ? io::transform::hadamard : io::transform::none;
  if (const status s = quantize(backend.value(), x.value(), m); !s.ok()) return fail(s);
  if (const status s = io::write_mx_file(o.out, m); !s.ok()) return fail(s);
  report(o, m);
  return kExitOk;
}

}  // namespace

void add_quantize(CLI::App& app) {
  auto o = std::make_shared<quantize_options>();
  CLI::App* c = app.add_subcommand("quantize", "Quantize a tensor to MXFP4");
  c->add_option("IN", o->in.path, "Input, .npy or .safetensors")->required();
  c->add_option("OUT", o->out, "Output, .safetensors")->required();
  c->add_option(
       "--axis", o->axis,
       "Axis of the blocks in the tensor flattened to [-1, last]: 1 or -1 the last, 0 the first (the file then "
       "holds the transpose)")
      ->check(CLI::IsMember({0, 1, -1}))
      ->capture_default_str();
  c->add_option("--tensor", o->in.tensor, "Tensor of a .safetensors that holds several");
  c->add_flag("--hadamard", o->hadamard, "Transform each group of --hadamard-size elements before quantizing");
  c->add_flag("--u2-bf16", o->in.u2_is_bf16, "A .npy of uint16 holds BF16 bits");
  add_policy_options(*c, o->numerics);
  add_backend_option(*c, o->backend);
  add_json_option(*c, o->json);
  c->footer(
      "Examples: adahop quantize w.safetensors w.mx.safetensors --tensor w --axis 0 --rule rceil\n"
      "          adahop quantize x.npy x.mx.safetensors --hadamard --hadamard-size 64 --pad zero \\\n"
      "            --rounding \"stochastic(8,1,0)\" --layout gfx950_shuffle");
  c->callback([o] { finish(run_quantize(*o)); });
}

}  // namespace adahop::cli
