// The fields of a call by name, and what each can be replaced by.
#include "fuzz/hostile_damage.h"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <type_traits>

namespace adahop::fuzz {
namespace {

// What stands in for a number: its neighbours, limits of the ABI and of types, small numbers.
int64_t hostile_number(input& in, int64_t now) {
  const auto v = static_cast<uint64_t>(now);
  const auto wrapped = [](uint64_t n) { return static_cast<int64_t>(n); };
  constexpr int64_t kOne = 1;
  const std::array<int64_t, 24> numbers{wrapped(v + 1),
                                        wrapped(v - 1),
                                        wrapped(v + 32),
                                        wrapped(v - 32),
                                        wrapped(2 * v),
                                        wrapped(0 - v),
                                        wrapped(v + (uint64_t{1} << 32)),
                                        -1,
                                        31,
                                        33,
                                        kOne << 20,
                                        INT32_MAX,
                                        INT32_MIN,
                                        kOne << 31,
                                        kOne << 32,
                                        kOne << 33,
                                        kOne << 39,
                                        kOne << 40,
                                        (kOne << 40) + 1,
                                        kOne << 61,
                                        kOne << 62,
                                        (kOne << 62) + 1,
                                        INT64_MAX,
                                        INT64_MIN};
  const uint8_t choice = in.byte();
  return choice < 128 ? numbers[choice % numbers.size()] : choice - 128;
}

double hostile_real(input& in) {
  using limits = std::numeric_limits<double>;
  return in.pick(std::array<double, 10>{limits::quiet_NaN(), limits::infinity(), -limits::infinity(), 0.0, -0.0, -1.0,
                                        limits::denorm_min(), limits::max(), limits::lowest(), 1.0});
}

struct field {
  std::string name;
  std::function<std::string(input&)> damage;  ///< the new value as text
};
using fields = std::vector<field>;

template <class T>
void add(fields& all, std::string name, T& place) {
  all.push_back({std::move(name), [&place](input& in) -> std::string {
                   if constexpr (std::is_pointer_v<T>) {
                     place = nullptr;
                     return "null";
                   } else if constexpr (std::is_floating_point_v<T>) {
                     place = hostile_real(in);
                     return fmt::format("{}", place);
                   } else {
                     place = static_cast<T>(hostile_number(in, static_cast<int64_t>(place)));
                     return fmt::format("{}", place);
                   }
                 }});
}

void add(fields& all, const std::string& name, adahop_view& v) {
  add(all, name + ".data", v.data);
  add(all, name + ".dtype", v.dtype);
  add(all, name + ".reserved", v.reserved);
  add(all, name + ".rows", v.rows);
  add(all, name + ".cols", v.cols);
  add(all, name + ".row_stride", v.row_stride);
  add(all, name + ".col_stride", v.col_stride);
}

void add(fields& all, const std::string& name, adahop_mx& m) {
  add(all, name + ".codes", m.codes);
  add(all, name + ".scales", m.scales);
  add(all, name + ".outer", m.outer);
  add(all, name + ".inner", m.inner);
  add(all, name + ".codes_stride", m.codes_stride);
  add(all, name + ".scales_stride", m.scales_stride);
}

void add(fields& all, adahop_policy& p) {
  add(all, "policy.struct_size", p.struct_size);
  add(all, "policy.scale_rule", p.scale_rule);
  add(all, "policy.min_scale_byte", p.min_scale_byte);
  add(all, "policy.element_rounding", p.element_rounding);
  add(all, "policy.sr_bits", p.sr_bits);
  add(all, "policy.nonfinite", p.nonfinite);
  add(all, "policy.sr_seed", p.sr_seed);
  add(all, "policy.sr_offset", p.sr_offset);
  add(all, "policy.hadamard_size", p.hadamard_size);
  add(all, "policy.hadamard_signs", p.hadamard_signs);
  add(all, "policy.hadamard_seed", p.hadamard_seed);
  add(all, "policy.hadamard_output", p.hadamard_output);
  add(all, "policy.gemm_model", p.gemm_model);
  add(all, "policy.gemm_model_param", p.gemm_model_param);
  add(all, "policy.bf16_gemm_model", p.bf16_gemm_model);
  add(all, "policy.bf16_gemm_model_param", p.bf16_gemm_model_param);
  add(all, "policy.output", p.output);
  add(all, "policy.pattern_ratio", p.pattern_ratio);
  add(all, "policy.pattern_eps", p.pattern_eps);
  add(all, "policy.oe_k", p.oe_k);
  add(all, "policy.foid_window", p.foid_window);
  add(all, "policy.left_oe_on_dw", p.left_oe_on_dw);
  add(all, "policy.pad", p.pad);
  add(all, "policy.nibble_order", p.nibble_order);
  add(all, "policy.scale_layout", p.scale_layout);
}

// The argument struct's own, told apart by their names.
template <class Args>
void add_args(fields& all, Args& a) {
  if constexpr (requires { a.policy; }) add(all, "policy", a.policy);
  if constexpr (requires { a.x; }) add(all, "x", a.x);
  if constexpr (requires { a.a; }) add(all, "a", a.a);
  if constexpr (requires { a.b; }) add(all, "b", a.b);
  if constexpr (requires { a.c; }) add(all, "c", a.c);
  if constexpr (requires { a.outlier; }) add(all, "outlier", a.outlier);
  if constexpr (requires { a.out; }) add(all, "out", a.out);
  if constexpr (requires { a.zeroed; }) {
    add(all, "zeroed", a.zeroed);
    add(all, "zeroed_count", a.zeroed_count);
  }
  if constexpr (requires { a.indices; }) {
    add(all, "indices", a.indices);
    add(all, "count", a.count);
  }
  if constexpr (requires { a.scores; }) add(all, "scores", a.scores);
  if constexpr (requires { a.row_variance; }) {
    add(all, "row_variance", a.row_variance);
    add(all, "col_variance", a.col_variance);
  }
  if constexpr (requires { a.result; }) add(all, "result", a.result);
  if constexpr (requires { a.side; }) {
    add(all, "side", a.side);
    add(all, "reserved", a.reserved);
  }
  if constexpr (requires { a.level; }) {
    add(all, "level", a.level);
    add(all, "left_pattern", a.left_pattern);
    add(all, "right_pattern", a.right_pattern);
    add(all, "path", a.path);
  }
}

// exec but for its workspace, which goes with the memory behind it.
void add_exec(fields& all, hostile_call& c) {
  add(all, "exec.struct_size", c.exec.struct_size);
  add(all, "exec.mode", c.exec.mode);
  add(all, "exec.memory", c.exec.memory);
  add(all, "exec.reserved", c.exec.reserved);
  all.push_back({"exec", [&c](input&) {
                   c.with_exec = false;
                   return "null";
                 }});
  all.push_back({"args", [&c](input&) {
                   c.with_args = false;
                   return "null";
                 }});
}

}  // namespace

std::string damage_field(input& in, hostile_call& c) {
  fields all;
  std::visit([&](auto& a) { add_args(all, a); }, c.args);
  for (size_t i = 0; i < c.listed.size(); ++i) add(all, fmt::format("list[{}]", i), *c.listed[i]);
  add_exec(all, c);
  add(all, c.rules);
  const field& hit = all[in.byte() % all.size()];
  return fmt::format("{}={}", hit.name, hit.damage(in));
}

}  // namespace adahop::fuzz
