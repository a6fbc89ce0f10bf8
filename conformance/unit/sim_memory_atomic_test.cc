// Atomic updates of LDS and of global memory: old value, data and new value by hand for every mnemonic, with and without
// the result, lanes in ascending order on one address.
#include <bit>

#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

struct update_case {
  uint64_t old, data, made;
  uint64_t compare = 0;
};
struct atomic_row {
  std::string_view plain, returning;  ///< mnemonics of LDS; empty: there is none
  std::string_view global;            ///< the one of global memory, with and without sc0
  unsigned registers;
  bool compares;
  std::vector<update_case> cases;
};

uint64_t f32(float v) { return std::bit_cast<uint32_t>(v); }
uint64_t f64(double v) { return std::bit_cast<uint64_t>(v); }

const std::vector<atomic_row>& rows() {
  constexpr uint64_t kOnes = 0xFFFFFFFFu, kLow = 0x80000000u, kOnes64 = ~uint64_t{0}, kLow64 = uint64_t{1} << 63;
  static const std::vector<atomic_row> all = {
      {"ds_add_u32", "ds_add_rtn_u32", "global_atomic_add", 1, false, {{1, 2, 3}, {kOnes, 2, 1}, {0, 0, 0}}},
      {"ds_sub_u32", "ds_sub_rtn_u32", "global_atomic_sub", 1, false, {{5, 2, 3}, {0, 1, kOnes}}},
      {"ds_rsub_u32", "ds_rsub_rtn_u32", "", 1, false, {{5, 2, 0xFFFFFFFDu}, {2, 5, 3}}},
      {"ds_inc_u32", "ds_inc_rtn_u32", "global_atomic_inc", 1, false,
       {{3, 5, 4}, {5, 5, 0}, {6, 5, 0}, {kOnes, kOnes, 0}}},
      {"ds_dec_u32", "ds_dec_rtn_u32", "global_atomic_dec", 1, false, {{3, 5, 2}, {0, 5, 5}, {6, 5, 5}, {5, 5, 4}}},
      {"ds_min_i32", "ds_min_rtn_i32", "global_atomic_smin", 1, false, {{1, kOnes, kOnes}, {kLow, 0, kLow}, {7, 7, 7}}},
      {"ds_max_i32", "ds_max_rtn_i32", "global_atomic_smax", 1, false, {{1, kOnes, 1}, {kLow, 0, 0}, {7, 9, 9}}},
      {"ds_min_u32", "ds_min_rtn_u32", "global_atomic_umin", 1, false, {{1, kOnes, 1}, {kLow, 0, 0}, {7, 6, 6}}},
      {"ds_max_u32", "ds_max_rtn_u32", "global_atomic_umax", 1, false, {{1, kOnes, kOnes}, {kLow, 0, kLow}, {7, 6, 7}}},
      {"ds_and_b32", "ds_and_rtn_b32", "global_atomic_and", 1, false, {{0xFF00FF00u, 0x0FF00FF0u, 0x0F000F00u}}},
      {"ds_or_b32", "ds_or_rtn_b32", "global_atomic_or", 1, false, {{0xFF00FF00u, 0x0FF00FF0u, 0xFFF0FFF0u}}},
      {"ds_xor_b32", "ds_xor_rtn_b32", "global_atomic_xor", 1, false, {{0xFF00FF00u, 0x0FF00FF0u, 0xF0F0F0F0u}}},
      {"", "ds_wrxchg_rtn_b32", "global_atomic_swap", 1, false, {{0x11111111u, 0x22222222u, 0x22222222u}}},
      {"ds_add_f32", "ds_add_rtn_f32", "global_atomic_add_f32", 1, false,
       {{f32(1.5f), f32(0.25f), f32(1.75f)},
        {f32(0x1p-149f), f32(0x1p-149f), f32(0x1p-148f)},
        {f32(16777216.0f), f32(1.0f), f32(16777216.0f)},
        {f32(-0.0f), f32(-0.0f), f32(-0.0f)},
        {0x7F800000u, 0xFF800000u, 0x7FC00000u},
        {f32(1.0f), 0xFFA00001u, 0xFFE00001u},
        {0x7F800002u, 0xFFC00001u, 0x7FC00002u}}},
      {"ds_min_f32", "ds_min_rtn_f32", "", 1, false,
       {{f32(1), f32(-2), f32(-2)}, {f32(-2), f32(1), f32(-2)}, {0x7FC00000u, f32(1), 0x7FC00000u}}},
      {"ds_max_f32", "ds_max_rtn_f32", "", 1, false,
       {{f32(1), f32(-2), f32(1)}, {f32(-2), f32(1), f32(1)}, {f32(1), 0x7FC00000u, f32(1)}}},
      {"ds_cmpst_b32", "ds_cmpst_rtn_b32", "global_atomic_cmpswap", 1, true, {{5, 9, 9, 5}, {5, 9, 5, 6}}},
      {"ds_add_u64", "ds_add_rtn_u64", "global_atomic_add_x2", 2, false,
       {{kOnes, 1, uint64_t{1} << 32}, {kOnes64, 2, 1}}},
      {"ds_sub_u64", "ds_sub_rtn_u64", "global_atomic_sub_x2", 2, false,
       {{uint64_t{1} << 32, 1, kOnes}, {0, 1, kOnes64}}},
      {"ds_min_i64", "ds_min_rtn_i64", "global_atomic_smin_x2", 2, false, {{1, kOnes64, kOnes64}, {kLow64, 0, kLow64}}},
      {"ds_max_i64", "ds_max_rtn_i64", "global_atomic_smax_x2", 2, false, {{1, kOnes64, 1}, {kLow64, 0, 0}}},
      {"ds_min_u64", "ds_min_rtn_u64", "global_atomic_umin_x2", 2, false, {{1, kOnes64, 1}, {kLow64, 0, 0}}},
      {"ds_max_u64", "ds_max_rtn_u64", "global_atomic_umax_x2", 2, false, {{1, kOnes64, kOnes64}, {kLow64, 0, kLow64}}},
      {"ds_and_b64", "ds_and_rtn_b64", "global_atomic_and_x2", 2, false,
       {{0xFF00FF00FF00FF00u, 0x0FF00FF00FF00FF0u, 0x0F000F000F000F00u}}},
      {"ds_or_b64", "ds_or_rtn_b64", "global_atomic_or_x2", 2, false,
       {{0xFF00FF00FF00FF00u, 0x0FF00FF00FF00FF0u, 0xFFF0FFF0FFF0FFF0u}}},
      {"ds_xor_b64", "ds_xor_rtn_b64", "global_atomic_xor_x2", 2, false,
       {{0xFF00FF00FF00FF00u, 0x0FF00FF00FF00FF0u, 0xF0F0F0F0F0F0F0F0u}}},
      {"", "ds_wrxchg_rtn_b64", "global_atomic_swap_x2", 2, false,
       {{0x1111111122222222u, 0x3333333344444444u, 0x3333333344444444u}}},
      {"ds_add_f64", "ds_add_rtn_f64", "global_atomic_add_f64", 2, false,
       {{f64(1.5), f64(0.25), f64(1.75)},
        {f64(0x1p53), f64(1.0), f64(0x1p53)},
        {0x7FF0000000000000u, 0xFFF0000000000000u, 0x7FF8000000000000u}}},
      {"ds_cmpst_b64", "ds_cmpst_rtn_b64", "global_atomic_cmpswap_x2", 2, true,
       {{uint64_t{5} << 32, 9, 9, uint64_t{5} << 32}, {5, 9, 5, uint64_t{5} << 32}}},
      {"", "", "global_atomic_inc_x2", 2, false, {{3, 5, 4}, {5, 5, 0}, {kOnes64, kOnes64, 0}}},
      {"", "", "global_atomic_dec_x2", 2, false, {{3, 5, 2}, {0, 5, 5}, {6, 5, 5}}},
      {"", "", "global_atomic_min_f64", 2, false, {{f64(1), f64(-2), f64(-2)}, {f64(-2), f64(1), f64(-2)}}},
      {"", "", "global_atomic_max_f64", 2, false, {{f64(1), f64(-2), f64(1)}, {f64(-2), f64(1), f64(1)}}},
  };
  return all;
}

std::string registers(unsigned first, unsigned count) {
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

constexpr unsigned kResult = 30, kData = 40, kCompare = 44;

void put(wave& w, unsigned reg, unsigned count, unsigned lane, uint64_t value) {
  w.vgpr[reg][lane] = static_cast<uint32_t>(value);
  if (count == 2) w.vgpr[reg + 1][lane] = static_cast<uint32_t>(value >> 32);
}
uint64_t get(const wave& w, unsigned reg, unsigned count, unsigned lane) {
  return w.vgpr[reg][lane] | (count == 2 ? uint64_t{w.vgpr[reg + 1][lane]} << 32 : 0);
}

// Every case in lanes of its own; lanes whose number is odd are off.
template <class Memory, class Run>
void check(const atomic_row& row, bool returns, Memory memory, sim_test_wave& t, Run run, unsigned compare_register) {
  constexpr uint64_t kMask = 0x5555555555555555u;
  wave& w = t.state();
  const unsigned bytes = 4 * row.registers;
  for (unsigned l = 0; l < kLanes; ++l) {
    const update_case& c = row.cases[l / 2 % row.cases.size()];
    std::memcpy(memory(l), &c.old, bytes);
    put(w, kData, row.registers, l, c.data);
    if (row.compares) put(w, compare_register, row.registers, l, c.compare);
    put(w, kResult, row.registers, l, 0xEEEEEEEEEEEEEEEEu);
  }
  t.set_exec(kMask);
  run();
  for (unsigned l = 0; l < kLanes; ++l) {
    const update_case& c = row.cases[l / 2 % row.cases.size()];
    const bool on = l % 2 == 0;
    uint64_t now = 0;
    std::memcpy(&now, memory(l), bytes);
    CHECK(now == (on ? c.made : c.old));
    const uint64_t untouched = row.registers == 1 ? 0xEEEEEEEEu : 0xEEEEEEEEEEEEEEEEu;
    if (returns) CHECK(get(w, kResult, row.registers, l) == (on ? c.old : untouched));
  }
}

}  // namespace

TEST_CASE("LDS atomics: new and old value") {
  for (const atomic_row& row : rows()) {
    for (const bool returns : {false, true}) {
      const std::string_view mnemonic = returns ? row.returning : row.plain;
      if (mnemonic.empty()) continue;
      std::string text = fmt::format("{} {}v20, {}", mnemonic, returns ? registers(kResult, row.registers) + ", " : "",
                                     registers(kData, row.registers));
      if (row.compares) text = fmt::format("{} {}v20, {}, {}", mnemonic,
                                           returns ? registers(kResult, row.registers) + ", " : "",
                                           registers(kCompare, row.registers), registers(kData, row.registers));
      text += " offset:64";
      INFO(text);
      sim_test_wave t;
      t.settings().check.uninitialized = false;
      lds_memory lds;
      lds.begin_workgroup(1024);
      t.group().lds = &lds;
      const unsigned bytes = 4 * row.registers;
      t.set_vector(20, [&](unsigned l) { return l * bytes; });
      check(row, returns, [&](unsigned l) { return lds.data(64 + l * bytes); }, t, [&] { t.run(text); }, kCompare);
    }
  }
}

TEST_CASE("global atomics: new and old value") {
  for (const atomic_row& row : rows()) {
    if (row.global.empty()) continue;
    for (const bool returns : {false, true}) {
      // The value to compare with lies behind the new one.
      const unsigned data = row.compares ? 2 * row.registers : row.registers;
      const std::string text = fmt::format("{} {}v[20:21], {}, off offset:-64{}", row.global,
                                           returns ? registers(kResult, row.registers) + ", " : "", registers(kData, data),
                                           returns ? " sc0" : "");
      INFO(text);
      memory_world world;
      std::byte* memory = world.allocate_written(1024);
      world.launch();
      sim_test_wave t;
      t.group().global = world.group().global;
      const unsigned bytes = 4 * row.registers;
      world.set_address(t.state(), 20, memory + 64, bytes);
      check(row, returns, [&](unsigned l) { return memory + l * bytes; }, t, [&] { t.run(text); },
            kData + row.registers);
    }
  }
}

TEST_CASE("atomics of lanes on one address follow one another") {
  SECTION("LDS") {
    sim_test_wave t;
    t.settings().check.uninitialized = false;
    lds_memory lds;
    lds.begin_workgroup(64);
    t.group().lds = &lds;
    const uint32_t start = 100;
    std::memcpy(lds.data(8), &start, 4);
    t.set_vector(20, 8u);
    t.set_vector(40, [](unsigned l) { return l + 1; });
    t.run("ds_add_rtn_u32 v30, v20, v40");
    t.expect_lanes(30, [](unsigned l) { return 100 + l * (l + 1) / 2; });
    uint32_t end = 0;
    std::memcpy(&end, lds.data(8), 4);
    CHECK(end == 100 + 64 * 65 / 2);
  }
  SECTION("global, scalar base") {
    memory_world world;
    std::byte* memory = world.allocate(64);
    REQUIRE(world.memory.fill_zero(memory, 64).ok());
    world.launch();
    sim_test_wave t;
    t.group().global = world.group().global;
    t.set_scalar64(8, reinterpret_cast<uintptr_t>(memory));
    t.set_vector(20, 16u);
    t.set_vector(40, 1u);
    t.run("global_atomic_add v30, v20, v40, s[8:9] sc0");
    t.expect_lanes(30, [](unsigned l) { return l; });
    uint32_t end = 0;
    std::memcpy(&end, memory + 16, 4);
    CHECK(end == 64);
  }
}

}  // namespace adahop::hip::sim::test
