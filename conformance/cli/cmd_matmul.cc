// `adahop matmul`: one product C = A B^T by pattern pair, level and path. Implements SPEC 8.3 for the pair that --auto
// finds, 11.1-11.7 through a backend.
#include "conformance/cli/cmd_matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "adahop/plan.h"
#include "conformance/cli/operand.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "reference/round_bf16.h"

namespace adahop::cli {
namespace {

struct matmul_options {
  source_options a, b;
  std::string out;
  std::string a_layout = "mk", b_layout = "nk";
  int level = 1;
  std::string pair;
  bool automatic = false;
  std::string path = "forward";
  bool cast = false;
  bool u2_is_bf16 = false;
  policy_options numerics;
  std::string backend = default_backend();
  bool json = false;
};

adahop_path path_of(const std::string& text) {
  return text == "dX" ? ADAHOP_PATH_DX : text == "dW" ? ADAHOP_PATH_DW : ADAHOP_PATH_FORWARD;
}

// A BF16 operand; F32 only where the user asked for the rounding.
result<operand> load_bf16(source_options o, const matmul_options& all) {
  o.u2_is_bf16 = all.u2_is_bf16;
  result<operand> x = load_operand(o);
  if (!x.ok() || x.value().dtype == ADAHOP_BF16) return x;
  if (!all.cast)
    return bad_file(
        fmt::format("{}: dtype: expected BF16, found wider values; --cast-bf16 rounds them", x.value().where));
  const adahop_view wide = x->view();
  output_matrix half(ADAHOP_BF16, wide.rows, wide.cols);
  const auto* const from = static_cast<const float*>(wide.data);
  auto* const to = static_cast<bf16*>(half.view().data);
  for (int64_t i = 0; i < wide.rows * wide.cols; ++i)
    to[i] = reference::round_bf16(from[i]);
  return operand{x->where, x->shape, ADAHOP_BF16, half.take(x->shape)};
}

result<adahop_pattern> pattern_of(const conformance::caller& backend, const policy& p, const adahop_view& x) {
  adahop_pattern_result found{};
  if (status s = backend.run(adahop_pattern_args{&p, x, nullptr, nullptr, &found}); !s.ok()) return s;
  return static_cast<adahop_pattern>(found.pattern);
}

// The pair asked for, or the operands' own patterns as they enter the product: A as [M x K], B as [K x N].
result<pattern_pair> find_pair(const matmul_options& o, const conformance::caller& backend, const policy& p,
                               const adahop_view& a, const adahop_view& b) {
  if (!o.pair.empty()) {
    const auto pair = parse_pair(o.pair);
    if (!pair)
      return invalid_argument(fmt::format("--pair '{}': expected two of the letters R, C, N, such as RC", o.pair));
    return *pair;
  }
  const auto left = pattern_of(backend, p, a);
  if (!left.ok()) return left.why();
  const auto right = pattern_of(backend, p, transposed(b));
  if (!right.ok()) return right.why();
  return pattern_pair{left.value(), right.value()};
}

// [.., N]: the leading dimensions of A live on where its last one is contracted.
std::vector<int64_t> output_shape(const matmul_options& o, const operand& a, int64_t m, int64_t n) {
  if (o.a_layout != "mk" || a.shape.size() < 2) return {m, n};
  std::vector<int64_t> shape = a.shape;
  shape.back() = n;
  return shape;
}

int run_matmul(const matmul_options& o) {
  const result<policy> p = make_policy(o.numerics);
  if (!p.ok()) return fail(p.why());
  if (const auto kind = kind_of(o.out); !kind.ok()) return fail(kind.why());
  const auto backend = open_caller(o.backend);
  if (!backend.ok()) return fail(backend.why());
  const result<operand> left = load_bf16(o.a, o);
  if (!left.ok()) return fail(left.why());
  const result<operand> right = load_bf16(o.b, o);
  if (!right.ok()) return fail(right.why());

  const adahop_view a = o.a_layout == "mk" ? left.value().view() : transposed(left.value().view());
  const adahop_view b = o.b_layout == "nk" ? right.value().view() : transposed(right.value().view());
  if (a.cols != b.cols)
    return fail(
        invalid_argument(fmt::format("inner dimension: expected the same K, found {} in {} ({}) and {} in {} ({})",
                                     a.cols, left.value().where, o.a_layout, b.cols, right.value().where, o.b_layout)));
  const int64_t multiple = std::max(kBlockSize, p.value().hadamard_size);
  if (a.cols == 0 || (p.value().pad == ADAHOP_PAD_ERROR && a.cols % multiple != 0))
    return fail(invalid_argument(fmt::format("inner dimension: expected a positive multiple of {}, found K = {} in {}",
                                             multiple, a.cols, left.value().where)));
  if (a.rows == 0 || b.rows == 0)
    return fail(invalid_argument(
        fmt::format("shape: expected at least one row of each operand, found M = {} and N = {}", a.rows, b.rows)));
  const result<pattern_pair> pair = find_pair(o, backend.value(), p.value(), a, b);
  if (!pair.ok()) return fail(pair.why());

  const adahop_path path = path_of(o.path);
  output_matrix c(p.value().output, a.rows, b.rows);
  const adahop_matmul_args args{&p.value(),
                                o.level,
                                pair.value().left,
                                pair.value().right,
                                path,
                                a,
                                b,
                                c.view()};
  if (const status s = backend.value().run(args); !s.ok()) return fail(s);
  const auto shape = output_shape(o, left.value(), a.rows, b.rows);
  const io::array values = c.take(shape);
  if (const status s = save(o.out, "c", values); !s.ok()) return fail(s);

  const std::string letters{letter(pair.value().left), letter(pair.value().right)};
  const auto left_oe = static_cast<adahop_left_oe_on_dw>(p.value().left_oe_on_dw);
  const std::string_view how = name(strategy_of(o.level, pair.value(), path, left_oe));
  const std::string hash = sha256_hex(values.bytes);
  if (o.json) {
    nlohmann::ordered_json report{{"out", o.out},
                                  {"m", a.rows},
                                  {"n", b.rows},
                                  {"k", a.cols},
                                  {"shape", shape},
                                  {"dtype", io::name(values.type)},
                                  {"pair", letters},
                                  {"pair_from", o.pair.empty() ? "auto" : "option"},
                                  {"level", o.level},
                                  {"path", name(path)},
                                  {"strategy", how}};
    add_backend(report, o.backend);
    report["policy"] = canonical_line(p.value());
    report["sha256"] = hash;
    print_json(report);
  } else {
    print_fields({{"wrote", fmt::format("{}, {} {}", o.out, io::name(values.type), io::shape_text(shape))},
                  {"product", fmt::format("M {}  N {}  K {}, path {}", a.rows, b.rows, a.cols, name(path))},
                  {"pair", fmt::format("{} ({})", letters, o.pair.empty() ? "found" : "forced")},
                  {"strategy", fmt::format("{}, level {}", how, o.level)},
                  {"backend", backend_text(o.backend)},
                  {"SHA-256", hash}});
  }
  return kExitOk;
}

}  // namespace

void add_matmul(CLI::App& app) {
  auto o = std::make_shared<matmul_options>();
  CLI::App* c = app.add_subcommand("matmul", "Multiply two BF16 tensors the AdaHOP way: C = A B^T");
  c->add_option("A", o->a.path, "Left operand, [M x K] unless --a-layout says otherwise")->required();
  c->add_option("B", o->b.path, "Right operand, [N x K] (W of a forward pass) unless --b-layout says otherwise")
      ->required();
  c->add_option("OUT", o->out, "Output [M x N], .npy or .safetensors (tensor `c`)")->required();
  c->add_option("--a-tensor", o->a.tensor, "Tensor of A's .safetensors");
  c->add_option("--b-tensor", o->b.tensor, "Tensor of B's .safetensors");
  c->add_option("--a-layout", o->a_layout, "mk, or km: A's file holds [K x M]")
      ->check(CLI::IsMember({"mk", "km"}))
      ->capture_default_str();
  c->add_option("--b-layout", o->b_layout, "nk, or kn: B's file holds [K x N]")
      ->check(CLI::IsMember({"nk", "kn"}))
      ->capture_default_str();
  c->add_option("--level", o->level, "Strategy table: 1 or 2")->check(CLI::IsMember({1, 2}))->capture_default_str();
  auto* pair =
      c->add_option("--pair", o->pair, "Force the pattern pair (left, right) as the operands enter: RC, NN, ...");
  c->add_flag("--auto", o->automatic, "Find the pair from the operands (the default without --pair)")->excludes(pair);
  c->add_option("--path", o->path, "forward, dX or dW")
      ->check(CLI::IsMember({"forward", "dX", "dW"}))
      ->capture_default_str();
  c->add_flag("--cast-bf16", o->cast, "Round F32 or F64 input to BF16 first");
  c->add_flag("--u2-bf16", o->u2_is_bf16, "A .npy of uint16 holds BF16 bits");
  add_policy_options(*c, o->numerics);
  add_backend_option(*c, o->backend);
  add_json_option(*c, o->json);
  c->footer(
      "The three products of a layer, from files that hold X [T x I], W [O x I] and G_Y [T x O]:\n"
      "  forward  adahop matmul x.npy  w.npy y.npy  --path forward\n"
      "  dX       adahop matmul gy.npy w.npy gx.npy --path dX --b-layout kn\n"
      "  dW       adahop matmul gy.npy x.npy gw.npy --path dW --a-layout km --b-layout kn\n"
      "Example: adahop matmul layer.safetensors layer.safetensors y.npy --a-tensor x --b-tensor w --level 2 --pair RC\n"
      "The strategy printed is the published table's; the backend chooses by its own. The SHA-256 is that of the values'\n"
      "bytes, not of the file.");
  c->callback([o] { finish(run_matmul(*o)); });
}

}  // namespace adahop::cli
