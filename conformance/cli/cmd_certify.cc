// `adahop certify`: certificate and bound of every output, a model's distance from exact_sum, and the verdict on a
// given result. Implements SPEC 10.20-10.24 for files.
#include "conformance/cli/cmd_certify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "adahop/io/mx_file.h"
#include "conformance/cli/operand.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "conformance/report/progress.h"
#include "reference/bound.h"
#include "reference/certificate.h"
#include "reference/mx_gemm.h"
#include "reference/round_bf16.h"

namespace adahop::cli {
namespace {

struct certify_options {
  std::string a, b;
  source_options against;
  policy_options numerics;
  bool json = false;
};

// One output as everybody sees it.
struct output_facts {
  bool certified;
  double bound;  // NaN: a scale byte is NaN; Inf: no bound
  float exact;   // under exact_sum
};

struct offender {
  int64_t row, col;
  std::string what;
};

struct certify_counts {
  int64_t certified = 0, bounded = 0, unbounded = 0, nan = 0;
  double smallest = std::numeric_limits<double>::infinity(),
         largest = 0;  // of the finite bounds of uncertified outputs
  // The policy's model against exact_sum.
  int64_t model_differs = 0;
  double model_worst = 0;  // largest |model - exact| / bound
  // The given result.
  int64_t equal_to_model = 0, failed_bits = 0, failed_bound = 0;
  std::optional<offender> first;
};

// The operand of a product: scales in the linear layout.
result<io::mx_data> load_mx(const std::string& path) {
  const result<io::mx_file> file = io::read_mx_file(path);
  if (!file.ok()) return file.why();
  io::mx_data out = file->data;
  out.scales = file->linear_scales();
  return out;
}

adahop_mx rows_of(const io::mx_data& m, int64_t first, int64_t count) {
  adahop_mx v = view_of(m);
  v.codes += first * v.codes_stride;
  v.scales += first * v.scales_stride;
  v.outer = count;
  return v;
}

void count(const output_facts& o, float model, certify_counts& n) {
  if (std::isnan(o.bound)) {
    ++n.nan;
    return;
  }
  if (o.certified) {
    ++n.certified;
  } else if (std::isinf(o.bound)) {
    ++n.unbounded;
  } else {
    ++n.bounded;
    n.smallest = std::min(n.smallest, o.bound);
    n.largest = std::max(n.largest, o.bound);
  }
  n.model_differs += bits_of(model) != bits_of(o.exact) ? 1 : 0;
  if (o.bound > 0 && std::isfinite(o.bound))
    n.model_worst =
        std::max(n.model_worst, std::abs(static_cast<double>(model) - static_cast<double>(o.exact)) / o.bound);
}

std::string number(float v, bool half) {
  return half ? fmt::format("0x{:04X} ({:.9g})", bits_of(v) >> 16, v) : fmt::format("0x{:08X} ({:.9g})", bits_of(v), v);
}

// Judges element (row, col) of C: bits where certified, else the bound.
void judge(const adahop_view& c, int64_t row, int64_t col, const output_facts& o, float model, certify_counts& n) {
  const bool half = c.dtype == ADAHOP_BF16;
  const float got = load(c, row, col);
  const auto as_output = [&](float v) { return half ? decode_bf16(reference::round_bf16(v)) : v; };
  n.equal_to_model += bits_of(got) == bits_of(as_output(model)) ? 1 : 0;
  const char* kind = nullptr;
  if (o.certified) {
    if (bits_of(got) == bits_of(as_output(o.exact))) return;
    ++n.failed_bits;
    kind = "certified, so every model gives";
  } else {
    const bool within =
        half ? reference::is_within_bound(bf16{static_cast<uint16_t>(bits_of(got) >> 16)}, o.exact, o.bound)
             : reference::is_within_bound(got, o.exact, o.bound);
    if (within) return;
    ++n.failed_bound;
    kind = std::isnan(o.bound) ? "a scale is NaN, so every model gives" : "exact_sum gives";
  }
  if (n.first) return;
  std::string what = fmt::format("found {}, {} {}", number(got, half), kind, number(as_output(o.exact), half));
  if (!o.certified && std::isfinite(o.bound)) what += fmt::format(", and no model is further off than {:.6g}", o.bound);
  what += o.certified ? " (SPEC 10.22)" : std::isnan(o.bound) ? " (SPEC 10.3)" : " (SPEC 10.23)";
  n.first = offender{row, col, what};
}

certify_counts examine(const io::mx_data& a, const io::mx_data& b, const policy& p, const adahop_view* c) {
  policy exact_policy = p;
  exact_policy.gemm_model = ADAHOP_GEMM_EXACT_SUM;
  exact_policy.gemm_model_param = 0;
  certify_counts n;
  // Groups of rows: few enough that threads stay busy, enough for a progress bar.
  const int64_t group = (a.outer + 31) / 32;
  conformance::progress_bar bar(group == 0 ? 0 : (a.outer + group - 1) / group);
  for (int64_t first = 0; first < a.outer; first += group) {
    const int64_t rows = std::min(group, a.outer - first);
    const adahop_mx x = rows_of(a, first, rows), y = view_of(b);
    const matrix<uint8_t> certified = reference::certify(x, y);
    const matrix<double> bounds = reference::error_bounds(x, y);
    matrix<float> exact(rows, b.outer), model(rows, b.outer);
    reference::mx_gemm(exact_policy, x, y, view_of(exact));
    reference::mx_gemm(p, x, y, view_of(model));
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t col = 0; col < b.outer; ++col) {
        const output_facts o{certified.at(row, col) != 0, bounds.at(row, col), exact.at(row, col)};
        count(o, model.at(row, col), n);
        if (c != nullptr) judge(*c, first + row, col, o, model.at(row, col), n);
      }
    bar.step();
  }
  return n;
}

// "mfma_fused(4)", say.
std::string model_name(const policy& p) { return field_text(p, "gemm_model").substr(sizeof "gemm_model=" - 1); }

void report(const certify_options& o, const io::mx_data& a, const io::mx_data& b, const policy& p,
            const certify_counts& n) {
  const int64_t outputs = a.outer * b.outer, failed = n.failed_bits + n.failed_bound;
  const bool judged = !o.against.path.empty();
  if (o.json) {
    nlohmann::ordered_json j{{"m", a.outer},
                             {"n", b.outer},
                             {"k", a.inner},
                             {"outputs", outputs},
                             {"certified", n.certified},
                             {"bounded", n.bounded},
                             {"unbounded", n.unbounded},
                             {"nan", n.nan}};
    j["smallest_bound"] = n.bounded > 0 ? nlohmann::ordered_json(n.smallest) : nullptr;
    j["largest_bound"] = n.bounded > 0 ? nlohmann::ordered_json(n.largest) : nullptr;
    j["model"] = {{"name", model_name(p)},
                  {"differs_from_exact_sum", n.model_differs},
                  {"worst_error_over_bound", n.model_worst}};
    if (judged) {
      j["against"] = {{"file", o.against.path},       {"failed", failed},
                      {"failed_bits", n.failed_bits}, {"failed_bound", n.failed_bound},
                      {"not_judged", n.unbounded},    {"equal_to_model", n.equal_to_model}};
      if (n.first) j["against"]["first"] = {{"row", n.first->row}, {"col", n.first->col}, {"what", n.first->what}};
    }
    print_json(j);
    return;
  }
  std::vector<std::pair<std::string, std::string>> lines{
      {"product", fmt::format("M {}  N {}  K {}", a.outer, b.outer, a.inner)},
      {"certified", fmt::format("{} of {} outputs: the same bits under every model", n.certified, outputs)},
      {"bounded", n.bounded > 0 ? fmt::format("{}, by {:.6g} to {:.6g}", n.bounded, n.smallest, n.largest) : "0"},
      {"without bound", fmt::format("{} (magnitudes reach 2^127)", n.unbounded)},
      {"NaN scale", fmt::format("{}", n.nan)},
      {"model", fmt::format("{}: {} outputs differ from exact_sum, by {:.3g} of their bound at most", model_name(p),
                            n.model_differs, n.model_worst)}};
  if (judged) {
    lines.push_back(
        {"against", fmt::format("{}: {} failed ({} certified bits, {} bounds), {} equal to the model's bits",
                                o.against.path, failed, n.failed_bits, n.failed_bound, n.equal_to_model)});
    if (n.first) lines.push_back({"first", fmt::format("C[{}, {}]: {}", n.first->row, n.first->col, n.first->what)});
  }
  print_fields(lines);
}

int run_certify(const certify_options& o) {
  const result<policy> p = make_policy(o.numerics);
  if (!p.ok()) return fail(p.why());
  const result<io::mx_data> a = load_mx(o.a);
  if (!a.ok()) return fail(a.why());
  const result<io::mx_data> b = load_mx(o.b);
  if (!b.ok()) return fail(b.why());
  const io::mx_data &left = a.value(), &right = b.value();
  if (left.inner != right.inner)
    return fail(invalid_argument(fmt::format("inner dimension: expected the same K, found {} in {} and {} in {}",
                                             left.inner, o.a, right.inner, o.b)));
  certify_counts n;
  if (o.against.path.empty()) {
    n = examine(left, right, p.value(), nullptr);
  } else {
    const result<operand> c = load_operand(o.against);
    if (!c.ok()) return fail(c.why());
    const adahop_view view = c.value().view();
    if (view.rows != left.outer || view.cols != right.outer)
      return fail(invalid_argument(fmt::format("{}: shape: expected [{}, {}], found {}", c.value().where, left.outer,
                                               right.outer, io::shape_text(c.value().shape))));
    n = examine(left, right, p.value(), &view);
  }
  report(o, left, right, p.value(), n);
  return n.failed_bits + n.failed_bound > 0 ? kExitDiffers : kExitOk;
}

}  // namespace

void add_certify(CLI::App& app) {
  auto o = std::make_shared<certify_options>();
  CLI::App* c =
      app.add_subcommand("certify", "Tell which outputs of an MXFP4 product no hardware may round differently");
  c->add_option("A", o->a, "Left operand [M x K], a quantized file")->required();
  c->add_option("B", o->b, "Right operand [N x K], a quantized file")->required();
  c->add_option("--against", o->against.path,
                "A result C [M x N], FP32 or BF16, to judge: certified outputs by their bits, others by their bound");
  c->add_option("--against-tensor", o->against.tensor, "Tensor of a .safetensors that holds several");
  c->add_flag("--u2-bf16", o->against.u2_is_bf16, "A .npy of uint16 holds BF16 bits");
  add_policy_options(*c, o->numerics);
  add_json_option(*c, o->json);
  c->footer(
      "Example: adahop certify x.mx.safetensors w.mx.safetensors --against c.npy --policy "
      "\"gemm_model=mfma_fused(4)\"\n"
      "An output is certified if its products and their sum fit so few bits that every accumulation model is exact.\n"
      "The policy's gemm_model is compared with exact_sum, and its bits with C. Where a scale is NaN, C must hold a "
      "NaN.\n"
      "Exit status 1 if an output of C fails.");
  c->callback([o] { finish(run_certify(*o)); });
}

}  // namespace adahop::cli
