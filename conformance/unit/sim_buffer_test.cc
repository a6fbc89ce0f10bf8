// Raw buffers: which bytes move, how the offsets add up, what is out of range, loads into LDS, what is refused.
#include "sim/operand_parser.h"
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr size_t kBytes = 4096;
constexpr uint64_t kMasks[] = {kAllLanes, 0x5555555555555555u, 0};

struct buffer_row {
  std::string_view mnemonic;
  unsigned bytes;
  bool is_signed = false;
};
constexpr buffer_row kLoads[] = {
    {"buffer_load_ubyte", 1},    {"buffer_load_sbyte", 1, true}, {"buffer_load_ushort", 2},   {"buffer_load_sshort", 2, true},
    {"buffer_load_dword", 4},    {"buffer_load_dwordx2", 8},     {"buffer_load_dwordx3", 12}, {"buffer_load_dwordx4", 16},
};
constexpr buffer_row kStores[] = {
    {"buffer_store_byte", 1},    {"buffer_store_short", 2},    {"buffer_store_dword", 4},
    {"buffer_store_dwordx2", 8}, {"buffer_store_dwordx3", 12}, {"buffer_store_dwordx4", 16},
};
// The text without its modifier is "buffer_load_..."; the opcodes are buffer_load_ubyte_lds and so on.
constexpr std::pair<std::string_view, buffer_row> kIntoLds[] = {
    {"buffer_load_ubyte_lds", {"buffer_load_ubyte", 1}},     {"buffer_load_sbyte_lds", {"buffer_load_sbyte", 1, true}},
    {"buffer_load_ushort_lds", {"buffer_load_ushort", 2}},   {"buffer_load_sshort_lds", {"buffer_load_sshort", 2, true}},
    {"buffer_load_dword_lds", {"buffer_load_dword", 4}},     {"buffer_load_dwordx3_lds", {"buffer_load_dwordx3", 12}},
    {"buffer_load_dwordx4_lds", {"buffer_load_dwordx4", 16}},
};

constexpr unsigned kStep = 16, kScalar = 32, kImmediate = 48;
// The records end inside the four dwords of lane 60: its first two are in range, lanes 61 to 63 have none.
constexpr unsigned kRecords = kScalar + kImmediate + 60 * kStep + 8;

std::string registers(unsigned first, unsigned bytes) {
  const unsigned count = (bytes + 3) / 4;
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

// Resource in s[4:7], scalar offset in s9, lane offsets in v20, M0 for LDS.
void set_buffer(sim_test_wave& t, const std::byte* memory, uint32_t records) {
  t.set_scalar64(4, reinterpret_cast<uintptr_t>(memory));
  t.set_scalar(6, records);
  t.set_scalar(7, 0x00027000);
  t.set_scalar(9, kScalar);
  t.set_vector(20, [](unsigned l) { return l * kStep; });
}

bool in_range(unsigned lane, unsigned dword, unsigned bytes) {
  return kScalar + kImmediate + lane * kStep + 4 * dword + std::min(bytes, 4u) <= kRecords;
}

uint32_t loaded(const buffer_row& row, unsigned dword, unsigned lane) {
  if (!in_range(lane, dword, row.bytes)) return 0;
  const unsigned each = std::min(row.bytes, 4u);
  const uint32_t v = pattern_value(kScalar + kImmediate + lane * kStep + 4 * dword, each);
  const bool negative = row.is_signed && (v >> (8 * each - 1) & 1u) != 0;
  return negative ? v | ~uint32_t{0} << (8 * each) : v;
}

}  // namespace

TEST_CASE("buffer loads: offsets add up, dwords out of range are 0") {
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  world.launch();
  for (const buffer_row& row : kLoads)
    for (const uint64_t mask : kMasks) {
      const std::string text =
          fmt::format("{} {}, v20, s[4:7], s9 offen offset:{} sc0 nt", row.mnemonic, registers(40, row.bytes), kImmediate);
      INFO(text << " exec " << mask);
      sim_test_wave t;
      t.group().global = world.group().global;
      set_buffer(t, memory, kRecords);
      for (unsigned r = 0; r < 4; ++r) t.set_vector(40 + r, [&](unsigned l) { return 0x77000000u + r * 99 + l; });
      t.set_exec(mask);
      t.run(text);
      for (unsigned d = 0; d < (row.bytes + 3) / 4; ++d)
        t.expect_lanes(40 + d, [&](unsigned l) { return loaded(row, d, l); });
    }
}

TEST_CASE("buffer loads without an offset register, and a scalar offset beyond the records") {
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  world.launch();
  sim_test_wave t;
  t.group().global = world.group().global;
  set_buffer(t, memory, kBytes);
  t.run("buffer_load_dword v40, off, s[4:7], 16 offset:4095");
  t.expect_lanes(40, [](unsigned) { return 0u; });  // 4095 + 4 is past 4096 - 16
  t.run("buffer_load_dword v40, off, s[4:7], 16 offset:8");
  t.expect_lanes(40, [](unsigned) { return pattern_value(24, 4); });
  t.set_scalar(6, 31);
  t.run("buffer_load_ubyte v40, off, s[4:7], s9");
  t.expect_lanes(40, [](unsigned) { return 0u; });
}

TEST_CASE("buffer stores: the bytes in range and no others") {
  for (const buffer_row& row : kStores)
    for (const uint64_t mask : kMasks) {
      const std::string text =
          fmt::format("{} {}, v20, s[4:7], s9 offen offset:{}", row.mnemonic, registers(40, row.bytes), kImmediate);
      INFO(text << " exec " << mask);
      memory_world world;
      const std::byte* memory = world.allocate_written(kBytes);
      world.launch();
      sim_test_wave t;
      t.group().global = world.group().global;
      set_buffer(t, memory, kRecords);
      for (unsigned r = 0; r < 4; ++r) t.set_vector(40 + r, [&](unsigned l) { return stored_value(r, l); });
      t.set_exec(mask);
      t.run(text);
      std::vector<uint8_t> expected = pattern_bytes(kBytes);
      for (unsigned l = 0; l < kLanes; ++l)
        for (unsigned b = 0; b < row.bytes && (mask >> l & 1u) != 0; ++b)
          if (in_range(l, b / 4, row.bytes))
            expected[kScalar + kImmediate + l * kStep + b] = static_cast<uint8_t>(stored_value(b / 4, l) >> (8 * (b % 4)));
      CHECK(std::memcmp(expected.data(), memory, kBytes) == 0);
    }
}

TEST_CASE("buffer loads into LDS: to M0 + offset + lane, there when waited for") {
  for (const auto& [name, row] : kIntoLds) {
    const std::string text = fmt::format("{} v20, s[4:7], s9 offen offset:{} lds", row.mnemonic, kImmediate);
    INFO(name << ": " << text);
    memory_world world;
    const std::byte* memory = world.allocate_written(kBytes);
    world.launch();
    wave& w = world.at(0);
    w.set_pair(4, reinterpret_cast<uintptr_t>(memory));
    w.sgpr[6] = kRecords;
    w.sgpr[7] = 0x00027000;
    w.sgpr[9] = kScalar;
    w.sgpr[kM0] = 256;
    for (unsigned l = 0; l < kLanes; ++l) w.vgpr[20][l] = l * kStep;
    const unsigned stride = row.bytes > 4 ? 16 : 4;
    for (unsigned l = 0; l < kLanes; ++l) w.vgpr[21][l] = 256 + kImmediate + l * stride;
    REQUIRE(world.run(w, text).empty());
    CHECK(starts(world.run(w, "ds_read_b32 v30, v21"), "use of a load's result before its s_waitcnt"));
    world.wait(w);
    for (unsigned d = 0; d < (row.bytes + 3) / 4; ++d) {
      REQUIRE(world.run(w, fmt::format("ds_read_b32 v30, v21 offset:{}", 4 * d)).empty());
      for (unsigned l = 0; l < kLanes; ++l) CHECK(w.vgpr[30][l] == loaded(row, d, l));
    }
  }
}

TEST_CASE("buffer accesses that are refused") {
  for (const char* text : {"buffer_load_dword v1, v2, s[4:7], 0 idxen", "buffer_load_dword v1, v2, s[4:7], 0",
                           "buffer_load_dword v1, off, s[4:7], 0 offen", "buffer_load_dword v1, off, s[4:5], 0",
                           "buffer_load_dword v1, off, s[4:7], 0 offset:4096", "buffer_load_dwordx2 v2, s[4:7], 0 offen lds",
                           "buffer_store_dword v1, off, s[4:7], 0 lds", "buffer_load_dword v1, off, s[4:7], 0 tfe"}) {
    INFO(text);
    CHECK_FALSE(parse_instruction(text, 0, 8).ok());
  }
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  world.launch();
  const std::pair<unsigned, uint32_t> kBits[] = {{5, 1u << 16}, {5, 1u << 29}, {5, 1u << 31}, {7, 1u << 23}, {7, 1u << 30}};
  for (const auto& [word, bit] : kBits) {
    wave& w = world.at(0);
    w.set_pair(4, reinterpret_cast<uintptr_t>(memory));
    w.sgpr[6] = kBytes;
    w.sgpr[7] = 0x00027000;
    w.sgpr[word] |= bit;
    CHECK(starts(world.run(w, "buffer_load_dword v1, off, s[4:7], 0"), "not modelled"));
  }
}

TEST_CASE("a buffer whose records reach beyond its allocation is out of memory there") {
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  world.launch();
  wave& w = world.at(0);
  w.set_pair(4, reinterpret_cast<uintptr_t>(memory));
  w.sgpr[6] = ~0u;
  w.sgpr[7] = 0x00027000;
  w.sgpr[9] = kBytes;
  CHECK(starts(world.run(w, "buffer_load_dword v1, off, s[4:7], s9"), "access outside"));
}

}  // namespace adahop::hip::sim::test
