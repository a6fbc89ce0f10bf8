// Arguments that SPEC forbids get the same status from every backend, with one line that says why, whatever else is wrong.
#include <fmt/format.h>

#include <array>
#include <limits>
#include <string_view>

#include "catch.h"
#include "product_backends.h"
#include "product_pick.h"

using namespace adahop;
using namespace adahop::property;

namespace {

constexpr int64_t kRows = 3, kInner = 64;

// Legal arguments of six operations over memory that is large enough for each of them.
struct arguments {
  policy rules = policy_of("output=f32,oe_k=2");
  adahop_exec exec{};
  const adahop_exec* exec_pointer = &exec;
  matrix<bf16> a{kRows, kInner}, b{kRows, kInner};
  matrix<float> c{kRows, kRows}, out{kRows, kRows};
  mx_matrix qa{kRows, kInner}, qb{kRows, kInner};
  std::array<int32_t, 3> indices{0, 1, 2}, found{};
  int64_t count = 0;
  adahop_quantize_args quantize{&rules, view_of(a), view_of(qa), nullptr};
  adahop_hadamard_quantize_args hadamard_quantize{&rules, view_of(a), indices.data(), 3, view_of(qa), nullptr};
  adahop_select_outliers_args select{&rules, view_of(a), nullptr, found.data(), &count};
  adahop_mx_gemm_args mx_gemm{&rules, view_of(qa), view_of(qb), view_of(out)};
  adahop_scatter_add_args scatter{&rules, view_of(c), view_of(c), indices.data(), 3, ADAHOP_SIDE_LEFT, 0, view_of(out)};
  adahop_matmul_args matmul{&rules, 1, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD, view_of(a), view_of(b),
                            view_of(out)};

  arguments() { exec.struct_size = sizeof exec; }
  arguments(const arguments&) = delete;
  arguments& operator=(const arguments&) = delete;
};

constexpr std::array<const char*, 6> kOperations{"quantize", "hadamard_quantize", "select_outliers", "mx_gemm", "scatter_add",
                                                 "matmul"};

int32_t run(const adahop_backend& on, size_t operation, const arguments& x) {
  switch (operation) {
    case 0: return on.quantize(x.exec_pointer, &x.quantize);
    case 1: return on.hadamard_quantize(x.exec_pointer, &x.hadamard_quantize);
    case 2: return on.select_outliers(x.exec_pointer, &x.select);
    case 3: return on.mx_gemm(x.exec_pointer, &x.mx_gemm);
    case 4: return on.scatter_add(x.exec_pointer, &x.scatter);
    default: return on.matmul(x.exec_pointer, &x.matmul);
  }
}

// Something wrong with one operation, or with all of them.
struct fault {
  std::string name;
  size_t operation;
  std::function<void(arguments&)> make;
};
constexpr size_t kAll = kOperations.size();

using view_of_arguments = std::function<adahop_view&(arguments&)>;
using mx_of_arguments = std::function<adahop_mx&(arguments&)>;

// Where another argument has a dimension in common, `more` rows or blocks do not fit. The operation's views each have another
// power of 4, so that up to three such faults do not make up for one another; 0 where any shape is legal.
void add_view(std::vector<fault>& all, const char* name, size_t operation, int64_t more, const view_of_arguments& view) {
  const auto add = [&](const char* what, auto change) {
    all.push_back({fmt::format("{}: {}", name, what), operation, [=](arguments& x) { change(view(x)); }});
  };
  add("null", [](adahop_view& v) { v.data = nullptr; });
  add("rows -1", [](adahop_view& v) { v.rows = -1; });
  add("cols -1", [](adahop_view& v) { v.cols = -1; });
  add("rows 2^31", [](adahop_view& v) { v.rows = int64_t{1} << 31; });
  add("cols 2^62", [](adahop_view& v) { v.cols = int64_t{1} << 62; });
  add("2^60 elements", [](adahop_view& v) { v.rows = v.cols = int64_t{1} << 30; });
  add("row stride 0", [](adahop_view& v) { v.row_stride = 0; });
  add("row stride -1", [](adahop_view& v) { v.row_stride = -1; });
  add("column stride 0", [](adahop_view& v) { v.col_stride = 0; });
  add("column stride, the least", [](adahop_view& v) { v.col_stride = std::numeric_limits<int64_t>::min(); });
  add("dtype 2", [](adahop_view& v) { v.dtype = 2; });
  add("dtype -1", [](adahop_view& v) { v.dtype = -1; });
  if (more == 0) return;
  add("more rows", [more](adahop_view& v) { v.rows += more; });
  add("more columns", [more](adahop_view& v) { v.cols += kBlockSize * more; });
}

// `inner` is legal in itself, but no other argument of the operation has it.
void add_mx(std::vector<fault>& all, const char* name, size_t operation, int64_t inner, const mx_of_arguments& mx) {
  const auto add = [&](const char* what, auto change) {
    all.push_back({fmt::format("{}: {}", name, what), operation, [=](arguments& x) { change(mx(x)); }});
  };
  add("codes null", [](adahop_mx& m) { m.codes = nullptr; });
  add("scales null", [](adahop_mx& m) { m.scales = nullptr; });
  add("outer -1", [](adahop_mx& m) { m.outer = -1; });
  add("outer 2^31", [](adahop_mx& m) { m.outer = int64_t{1} << 31; });
  add("inner -32", [](adahop_mx& m) { m.inner = -32; });
  add("inner 48", [](adahop_mx& m) { m.inner = 48; });
  add("another inner dimension", [inner](adahop_mx& m) { m.inner = inner; });
  add("stride of codes 0", [](adahop_mx& m) { m.codes_stride = 0; });
  add("stride of scales -1", [](adahop_mx& m) { m.scales_stride = -1; });
}

void add_policy(std::vector<fault>& all) {
  const auto add = [&](const char* what, auto change) {
    all.push_back({fmt::format("policy: {}", what), kAll, [=](arguments& x) { change(x.rules); }});
  };
  add("struct_size", [](policy& p) { p.struct_size -= 1; });
  add("min_scale_byte 2", [](policy& p) { p.min_scale_byte = 2; });
  add("no random bits", [](policy& p) { p.element_rounding = ADAHOP_ROUND_STOCHASTIC, p.sr_bits = 0; });
  add("33 random bits", [](policy& p) { p.element_rounding = ADAHOP_ROUND_STOCHASTIC, p.sr_bits = 33; });
  add("hadamard_size 48", [](policy& p) { p.hadamard_size = 48; });
  add("mfma_fused(3)", [](policy& p) { p.gemm_model = ADAHOP_GEMM_MFMA_FUSED, p.gemm_model_param = 3; });
  add("pattern_ratio NaN", [](policy& p) { p.pattern_ratio = std::numeric_limits<double>::quiet_NaN(); });
  add("pattern_eps -1", [](policy& p) { p.pattern_eps = -1; });
  add("oe_k 0", [](policy& p) { p.oe_k = 0; });
  add("foid_window 48", [](policy& p) { p.foid_window = 48; });
  constexpr std::array kChoices{std::pair{"scale_rule", &policy::scale_rule},
                                std::pair{"element_rounding", &policy::element_rounding},
                                std::pair{"nonfinite", &policy::nonfinite},
                                std::pair{"hadamard_signs", &policy::hadamard_signs},
                                std::pair{"hadamard_output", &policy::hadamard_output},
                                std::pair{"gemm_model", &policy::gemm_model},
                                std::pair{"bf16_gemm_model", &policy::bf16_gemm_model},
                                std::pair{"output", &policy::output},
                                std::pair{"left_oe_on_dw", &policy::left_oe_on_dw},
                                std::pair{"pad", &policy::pad},
                                std::pair{"nibble_order", &policy::nibble_order},
                                std::pair{"scale_layout", &policy::scale_layout}};
  for (const auto& [key, field] : kChoices)
    for (const int32_t value : {-1, 7, 99})
      all.push_back({fmt::format("policy: {}={}", key, value), kAll, [field, value](arguments& x) { x.rules.*field = value; }});
}

void add_lists(std::vector<fault>& all, const char* name, size_t operation) {
  const auto add = [&](const char* what, std::array<int32_t, 3> list) {
    all.push_back({fmt::format("{}: {}", name, what), operation, [list](arguments& x) { x.indices = list; }});
  };
  add("an index twice", {0, 1, 1});
  add("descending", {1, 0, 2});
  add("out of range", {0, 1, 3});
  add("negative", {-1, 0, 1});
}

std::vector<fault> every_fault() {
  std::vector<fault> all;
  add_view(all, "quantize x", 0, 1, [](arguments& x) -> adahop_view& { return x.quantize.x; });
  add_mx(all, "quantize out", 0, 32, [](arguments& x) -> adahop_mx& { return x.quantize.out; });
  add_view(all, "hadamard_quantize x", 1, 1, [](arguments& x) -> adahop_view& { return x.hadamard_quantize.x; });
  add_mx(all, "hadamard_quantize out", 1, 32, [](arguments& x) -> adahop_mx& { return x.hadamard_quantize.out; });
  add_lists(all, "hadamard_quantize zeroed", 1);
  add_view(all, "select_outliers x", 2, 0, [](arguments& x) -> adahop_view& { return x.select.x; });
  add_mx(all, "mx_gemm a", 3, 32, [](arguments& x) -> adahop_mx& { return x.mx_gemm.a; });
  add_mx(all, "mx_gemm b", 3, 0, [](arguments& x) -> adahop_mx& { return x.mx_gemm.b; });
  add_view(all, "mx_gemm out", 3, 1, [](arguments& x) -> adahop_view& { return x.mx_gemm.out; });
  add_view(all, "scatter_add c", 4, 1, [](arguments& x) -> adahop_view& { return x.scatter.c; });
  add_view(all, "scatter_add outlier", 4, 4, [](arguments& x) -> adahop_view& { return x.scatter.outlier; });
  add_view(all, "scatter_add out", 4, 16, [](arguments& x) -> adahop_view& { return x.scatter.out; });
  add_lists(all, "scatter_add indices", 4);
  add_view(all, "matmul a", 5, 1, [](arguments& x) -> adahop_view& { return x.matmul.a; });
  add_view(all, "matmul b", 5, 4, [](arguments& x) -> adahop_view& { return x.matmul.b; });
  add_view(all, "matmul out", 5, 16, [](arguments& x) -> adahop_view& { return x.matmul.out; });
  const auto add = [&](const char* name, size_t operation, auto change) { all.push_back({name, operation, change}); };
  add("hadamard_quantize zeroed: null", 1, [](arguments& x) { x.hadamard_quantize.zeroed = nullptr; });
  add("hadamard_quantize zeroed: -1 of them", 1, [](arguments& x) { x.hadamard_quantize.zeroed_count = -1; });
  add("hadamard_quantize zeroed: 2^40 of them", 1, [](arguments& x) { x.hadamard_quantize.zeroed_count = int64_t{1} << 40; });
  add("select_outliers indices: null", 2, [](arguments& x) { x.select.indices = nullptr; });
  add("select_outliers count: null", 2, [](arguments& x) { x.select.count = nullptr; });
  add("scatter_add side 2", 4, [](arguments& x) { x.scatter.side = 2; });
  add("scatter_add indices: null", 4, [](arguments& x) { x.scatter.indices = nullptr; });
  add("scatter_add indices: 4 of them", 4, [](arguments& x) { x.scatter.count = 4; });
  add("matmul level 0", 5, [](arguments& x) { x.matmul.level = 0; });
  add("matmul level 3", 5, [](arguments& x) { x.matmul.level = 3; });
  add("matmul pattern 3", 5, [](arguments& x) { x.matmul.left_pattern = 3; });
  add("matmul pattern -1", 5, [](arguments& x) { x.matmul.right_pattern = -1; });
  add("matmul path 3", 5, [](arguments& x) { x.matmul.path = 3; });
  add("exec null", kAll, [](arguments& x) { x.exec_pointer = nullptr; });
  add("exec of another size", kAll, [](arguments& x) { x.exec.struct_size += 8; });
  add("mode 2", kAll, [](arguments& x) { x.exec.mode = 2; });
  add("memory -1", kAll, [](arguments& x) { x.exec.memory = -1; });
  add_policy(all);
  return all;
}

}  // namespace

TEST_CASE("arguments that SPEC forbids are refused by every backend alike",
          "[property][spec:1.7][spec:3.4][spec:3.9][spec:3.10][spec:4.7]") {
  const std::vector<fault> faults = every_fault();
  check_property("invalid: one to three faults in one call", 4000, [&] {
    const auto operation = static_cast<size_t>(pick_integer("operation", 0, static_cast<int64_t>(kOperations.size()) - 1));
    std::vector<const fault*> possible;
    for (const fault& f : faults)
      if (f.operation == operation || f.operation == kAll) possible.push_back(&f);
    arguments x;
    std::string names;
    for (int64_t i = pick_integer("more faults", 0, 2); i >= 0; --i) {
      const fault& f = *possible[static_cast<size_t>(pick_integer("fault", 0, static_cast<int64_t>(possible.size()) - 1))];
      f.make(x);
      names += fmt::format("{}{}", names.empty() ? "" : " and ", f.name);
    }
    std::vector<const adahop_backend*> backends = other_backends();
    backends.push_back(&the_reference());
    for (const adahop_backend* backend : backends) {
      const int32_t code = run(*backend, operation, x);
      const std::string_view why = code == ADAHOP_OK ? "" : backend->last_error();
      require(code == ADAHOP_INVALID_ARGUMENT,
              fmt::format("{} on {} with {}: {} ({})", kOperations[operation], backend->name, names,
                          conformance::status_name(code), why));
      require(!why.empty() && why.find('\n') == why.npos, fmt::format("{} with {}: no line says why", backend->name, names));
    }
  });
}

TEST_CASE("the arguments of that test are legal ones", "[property][spec:3.4]") {
  for (size_t operation = 0; operation < kOperations.size(); ++operation)
    for (const adahop_backend* backend : other_backends()) {
      const arguments x;
      CAPTURE(kOperations[operation], backend->name);
      CHECK(run(*backend, operation, x) == ADAHOP_OK);
      CHECK(run(the_reference(), operation, x) == ADAHOP_OK);
    }
}
