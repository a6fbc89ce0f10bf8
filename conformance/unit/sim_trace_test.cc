// Option trace: its text, the lines of a tiny kernel, the limit, faults, and the messages where nothing was traced.
#include "sim/trace_request.h"
#include "sim/trace_session.h"
#include "sim/trace_values.h"
#include "sim/trace_wave.h"
#include "sim_execute_support.h"

namespace adahop::hip::sim::test {
namespace {

// A trial whose first wave is traced.
struct traced_trial : trial {
  sim_kernel kernel;
  trace_request wanted;
  std::vector<std::string> sources;

  traced_trial(const std::vector<std::string>& lines, std::vector<unsigned> lanes) : trial(lines) {
    kernel.name = "tiny";
    kernel.end = static_cast<uint32_t>(code.code.size());
    wanted.kernel = kernel.name;
    wanted.lanes = std::move(lanes);
    sources.resize(kernel.end);
  }
  std::string text(uint64_t limit = 100) {
    wave_trace trace(wanted, kernel, sources, limit);
    first().trace = &trace;
    if (!run().empty()) trace.stopped(last);
    return trace.text();
  }
};

TEST_CASE("trace: a tiny kernel, line by line", "[spec:13.11]") {
  traced_trial t({"s_mov_b32 s4, 2", "v_mov_b32_e32 v0, 1.0", "v_add_f32_e32 v1, v0, v0", "v_mbcnt_lo_u32_b32 v2, -1, 0",
                  "v_cmp_gt_u32_e32 vcc, s4, v2", "s_and_saveexec_b64 s[6:7], vcc", "v_lshlrev_b32_e32 v3, 2, v2",
                  "ds_write_b32 v3, v1 offset:16", "s_cbranch_execz 0", "s_endpgm"},
                 {0, 1, 2});
  t.sources[2] = "tiny.hip:7";
  REQUIRE(t.text() ==
          R"(            exec     ffffffffffffffff (64 lanes)
     100  s_mov_b32 s4, 2
          > s4       00000002
     104  v_mov_b32_e32 v0, 1.0
          > v0       3f800000 3f800000 3f800000
     108  v_add_f32_e32 v1, v0, v0  ; tiny.hip:7
            v0       3f800000 3f800000 3f800000  = 1, 1, 1
            v0       3f800000 3f800000 3f800000  = 1, 1, 1
          > v1       40000000 40000000 40000000  = 2, 2, 2
     10c  v_mbcnt_lo_u32_b32 v2, -1, 0
          > v2       00000000 00000001 00000002
     110  v_cmp_gt_u32_e32 vcc, s4, v2
            s4       00000002
            v2       00000000 00000001 00000002
          > vcc      00000003 00000000
     114  s_and_saveexec_b64 s[6:7], vcc
            vcc      00000003 00000000
          > s[6:7]   ffffffff ffffffff
          > scc      1
          > exec     0000000000000003 (2 lanes)
     118  v_lshlrev_b32_e32 v3, 2, v2
            v2       00000000 00000001 00000002
          > v3       00000000 00000004 ????????
     11c  ds_write_b32 v3, v1 offset:16
            v3       00000000 00000004 ????????
            v1       40000000 40000000 40000000
            LDS write, lane 0: 4 bytes at byte 16: 40000000
            LDS write, lane 1: 4 bytes at byte 20: 40000000
     120  s_cbranch_execz 0
          > not taken
     124  s_endpgm
)");
}

TEST_CASE("trace: the limit, and a fault ends it") {
  traced_trial t({"s_mov_b32 s4, 2", "s_mov_b32 s5, s4", "s_mov_b32 s6, s5", "s_endpgm"}, {0});
  wave_trace trace(t.wanted, t.kernel, t.sources, 2);
  t.first().trace = &trace;
  REQUIRE(t.run().empty());
  REQUIRE(trace.shown() == 2);
  REQUIRE(trace.left_out() == 2);
  REQUIRE(trace.text().find("s5, s4") != std::string::npos);
  REQUIRE(trace.text().find("s6") == std::string::npos);

  traced_trial faulty({"v_mov_b32_e32 v3, 0x1000", "ds_read_b32 v0, v3", "s_endpgm"}, {0});
  const std::string text = faulty.text();
  INFO(text);
  REQUIRE(text.find("ds_read_b32 v0, v3\n            v3       00001000\n            stopped: ") != std::string::npos);
  REQUIRE(text.find("s_endpgm") == std::string::npos);
}

TEST_CASE("trace: only the wave asked for") {
  trial t({"s_mov_b32 s4, 2", "s_endpgm"}, 2 * kLanes);
  trace_request wanted{"tiny", 0, 0, 0, 1, {0}};
  const sim_kernel kernel;
  const std::vector<std::string> sources(2);
  const wave_trace trace(wanted, kernel, sources, 10);
  REQUIRE_FALSE(trace.wants(*t.group.waves[0]));
  REQUIRE(trace.wants(*t.group.waves[1]));
  t.group.y = 1;
  REQUIRE_FALSE(trace.wants(*t.group.waves[1]));
}

TEST_CASE("trace: types by mnemonic and operand") {
  struct row {
    const char* text;
    std::vector<shown_as> operands;
  };
  constexpr auto bits = shown_as::bits, f16 = shown_as::f16, bf16 = shown_as::bf16, f32 = shown_as::f32, f64 = shown_as::f64;
  const row rows[] = {
      {"v_fma_f32 v0, v1, s2, v3", {f32, f32, f32, f32}},
      {"v_add_f64 v[0:1], v[2:3], v[4:5]", {f64, f64, f64}},
      {"v_pk_add_f16 v0, v1, v2", {f16, f16, f16}},
      {"v_cvt_pk_bf16_f32 v0, v1, v2", {bf16, f32, f32}},
      {"v_cvt_f32_i32_e32 v0, v1", {f32, bits}},
      {"v_cvt_f32_ubyte1_e32 v0, v1", {f32, bits}},
      {"v_frexp_exp_i32_f32_e32 v0, v1", {bits, f32}},
      {"v_ldexp_f32 v0, v1, v2", {f32, f32, bits}},
      {"v_cmp_lt_f32_e64 s[0:1], v1, v2", {bits, f32, f32}},
      {"v_cvt_scalef32_pk_fp4_f32 v0, v1, v2, v3", {bits, f32, f32, f32}},
      {"v_cvt_scalef32_pk_f32_fp4 v[0:1], v2, v3", {f32, bits, f32}},
      {"v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]", {f32, bf16, bf16, f32}},
      {"v_mfma_scale_f32_16x16x128_f8f6f4 a[0:3], v[4:7], v[8:11], a[0:3], v12, v13 op_sel_hi:[0,0,0] cbsz:4 blgp:4",
       {f32, bits, bits, f32, bits, bits}},
      {"v_add_u32_e32 v0, v1, v2", {bits, bits, bits}},
      {"global_load_dword v0, v[2:3], off", {bits, bits}},
  };
  for (const row& r : rows) {
    const auto i = parse_instruction(r.text, 0, 8);
    INFO(r.text);
    REQUIRE(i.ok());
    for (unsigned n = 0; n < r.operands.size(); ++n) {
      INFO(n);
      REQUIRE(type_of_operand(i.value(), n) == r.operands[n]);
    }
  }
}

TEST_CASE("trace: halves, pairs and constants as numbers") {
  traced_trial t({"s_endpgm"}, {0, 1});
  wave& w = t.first();
  const auto set = [&](unsigned reg, uint32_t lane0, uint32_t lane1) {
    w.vgpr[reg][0] = lane0;
    w.vgpr[reg][1] = lane1;
    w.vgpr_defined[reg] = 3;
  };
  set(0, 0x3C00C000, 0x7C000001);  // 1 and -2; infinity and the smallest subnormal
  REQUIRE(register_lines(w, {operand_kind::vector, 0, 1}, shown_as::f16, t.wanted.lanes, "", true) ==
          "v0       3c00c000 7c000001  = -2:1, 5.9604645e-08:inf\n");
  set(1, 0x3F80C000, 0x00000001);
  REQUIRE(register_lines(w, {operand_kind::vector, 1, 1}, shown_as::bf16, t.wanted.lanes, "", true) ==
          "v1       3f80c000 00000001  = -2:1, 9.1835e-41:0\n");
  set(2, 0, 1);
  set(3, 0x3FF80000, 0x3FF00000);
  REQUIRE(register_lines(w, {operand_kind::vector, 2, 2}, shown_as::f64, t.wanted.lanes, "", true) ==
          "v2       3ff8000000000000 3ff0000000000001  = 1.5, 1.0000000000000002\n");
  REQUIRE(register_lines(w, {operand_kind::vector, kFirstAgpr + 5, 1}, shown_as::bits, t.wanted.lanes, "", true) ==
          "a5       ???????? ????????\n");
  t.define_scalar(8, 0);
  t.define_scalar(9, 0xBFF00000);
  REQUIRE(register_lines(w, {operand_kind::scalar, 8, 2}, shown_as::f64, t.wanted.lanes, "", true) ==
          "s[8:9]   00000000 bff00000  = -1\n");
}

TEST_CASE("trace: the option's text") {
  const auto whole = parse_trace_request("mx_gemm:3,1,2.7:0-3,32,62-63");
  REQUIRE(whole.ok());
  REQUIRE(whole.value().kernel == "mx_gemm");
  REQUIRE(std::vector<uint32_t>{whole.value().x, whole.value().y, whole.value().z, whole.value().wave} ==
          std::vector<uint32_t>{3, 1, 2, 7});
  REQUIRE(whole.value().lanes == std::vector<unsigned>{0, 1, 2, 3, 32, 62, 63});
  const auto least = parse_trace_request("k:0.2");
  REQUIRE(least.ok());
  REQUIRE(least.value().wave == 2);
  REQUIRE(least.value().lanes == std::vector<unsigned>{0, 1, 2, 3});
  for (const char* wrong :
       {"", "k", "k:", ":0.0", "k:0", "k:0.", "k:.0", "k:0,.0", "k:0,0,0,0.0", "k:-1.0", "k:0.0:", "k:0.0:64", "k:0.0:3-1",
        "k:0.0:1-", "k:0.0:1,", "k:0.0:a", "k:0.0:0:0", "k:4294967296.0"}) {
    INFO(wrong);
    const auto made = parse_trace_request(wrong);
    REQUIRE_FALSE(made.ok());
    REQUIRE(made.why().code() == ADAHOP_INVALID_ARGUMENT);
    REQUIRE(made.why().message().find("expected KERNEL:WORKGROUP.WAVE") != std::string::npos);
  }
}

TEST_CASE("trace: what was launched is named where nothing was traced") {
  program code;
  sim_kernel kernel;
  kernel.name = "other";
  trace_session never(trace_request{"tiny", 0, 0, 0, 0, {0}}, "", 10);
  REQUIRE(never.finish().message() == "trace: kernel tiny was not launched; launched were: none");
  REQUIRE(never.begin(code, kernel, {1, 1, 1}, {64, 1, 1}) == nullptr);
  REQUIRE(never.finish().message() == "trace: kernel tiny was not launched; launched were: other");

  kernel.name = "tiny";
  trace_session outside(trace_request{"tiny", 2, 0, 0, 1, {0}}, "", 10);
  REQUIRE(outside.begin(code, kernel, {2, 1, 1}, {128, 1, 1}) == nullptr);
  REQUIRE(outside.begin(code, kernel, {3, 1, 1}, {64, 1, 1}) == nullptr);
  REQUIRE(outside.finish().message() ==
          "trace: kernel tiny was launched 2 times, never with workgroup (2,0,0) wave 1; its largest launch has 2x1x1 workgroups "
          "of 2 waves");
}

}  // namespace
}  // namespace adahop::hip::sim::test
