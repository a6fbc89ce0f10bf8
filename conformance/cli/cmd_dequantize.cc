// `adahop dequantize`: a quantized file to values in the logical shape. Implements SPEC 12.2, 5.10.
#include "conformance/cli/cmd_dequantize.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "adahop/io/mx_file.h"
#include "conformance/cli/operand.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"

namespace adahop::cli {
namespace {

struct dequantize_options {
  std::string in, out;
  std::string tensor = "x";
  std::string dtype = "f32";
  std::string backend = default_backend();
  bool json = false;
};

// The values of `m` in its logical orientation, [rows x cols] of the flattened tensor.
result<io::array> dequantize(const conformance::caller& backend, const io::mx_file& m, int32_t dtype) {
  const int64_t inner = m.logical_inner(), outer = m.data.outer;
  output_matrix out(dtype, m.axis == 1 ? outer : inner, m.axis == 1 ? inner : outer);
  adahop_dequantize_args args{&m.how, view_of(m.data), out.view()};
  if (m.axis == 0) args.out = transposed(args.out);
  // Nothing to compute where there are no elements, however many rows of none the file has.
  if (outer != 0 && inner != 0)
    if (status s = backend.run(args); !s.ok()) return s;
  return out.take(m.logical_shape);
}

int run_dequantize(const dequantize_options& o) {
  const auto backend = open_caller(o.backend);
  if (!backend.ok()) return fail(backend.why());
  if (const auto kind = kind_of(o.out); !kind.ok()) return fail(kind.why());
  const result<io::mx_file> m = io::read_mx_file(o.in);
  if (!m.ok()) return fail(m.why());
  const result<io::array> values =
      dequantize(backend.value(), m.value(), o.dtype == "bf16" ? ADAHOP_BF16 : ADAHOP_F32);
  if (!values.ok()) return fail(values.why());
  if (const status s = save(o.out, o.tensor, values.value()); !s.ok()) return fail(s);

  const bool transformed = m.value().applied != io::transform::none;
  if (o.json) {
    nlohmann::ordered_json report{{"out", o.out},
                                  {"shape", values.value().shape},
                                  {"dtype", io::name(values.value().type)},
                                  {"hadamard", transformed}};
    add_backend(report, o.backend);
    report["sha256"] = sha256_hex(values.value().bytes);
    print_json(report);
  } else {
    print_fields({{"wrote", o.out},
                  {"shape", io::shape_text(values.value().shape)},
                  {"dtype", std::string(io::name(values.value().type))},
                  {"values", transformed ? "still Hadamard-transformed" : "as quantized"},
                  {"backend", backend_text(o.backend)},
                  {"SHA-256", sha256_hex(values.value().bytes)}});
  }
  return kExitOk;
}

}  // namespace

void add_dequantize(CLI::App& app) {
  auto o = std::make_shared<dequantize_options>();
  CLI::App* c = app.add_subcommand("dequantize", "Give the values of a quantized file in the tensor's own shape");
  c->add_option("IN", o->in, "Quantized file, .safetensors")->required();
  c->add_option("OUT", o->out, "Output, .npy or .safetensors")->required();
  c->add_option("--dtype", o->dtype, "f32, or bf16 (exact too, but for overflow)")
      ->check(CLI::IsMember({"f32", "bf16"}))
      ->capture_default_str();
  c->add_option("--tensor", o->tensor, "Name in a .safetensors output")->capture_default_str();
  add_backend_option(*c, o->backend);
  add_json_option(*c, o->json);
  c->footer(
      "Example: adahop dequantize w.mx.safetensors w.npy\nThe SHA-256 is that of the values' bytes, not of the file.");
  c->callback([o] { finish(run_dequantize(*o)); });
}

}  // namespace adahop::cli
