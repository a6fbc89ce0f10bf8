// Loads and stores of global memory, and loads into LDS: which bytes move where, for every mnemonic, under EXEC, with both
// kinds of address.
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr size_t kBytes = 4096;
constexpr uint64_t kMasks[] = {kAllLanes, 0x5555555555555555u, 0x8000000000000001u, 0};

struct load_row {
  std::string_view mnemonic;
  unsigned registers;
  unsigned bytes;  ///< that are loaded
  bool is_signed = false;
  bool keeps = false;
  unsigned shift = 0;
};
constexpr load_row kLoads[] = {
    {"global_load_ubyte", 1, 1},
    {"global_load_sbyte", 1, 1, true},
    {"global_load_ushort", 1, 2},
    {"global_load_sshort", 1, 2, true},
    {"global_load_dword", 1, 4},
    {"global_load_dwordx2", 2, 8},
    {"global_load_dwordx3", 3, 12},
    {"global_load_dwordx4", 4, 16},
    {"global_load_ubyte_d16", 1, 1, false, true, 0},
    {"global_load_ubyte_d16_hi", 1, 1, false, true, 16},
    {"global_load_sbyte_d16", 1, 1, true, true, 0},
    {"global_load_sbyte_d16_hi", 1, 1, true, true, 16},
    {"global_load_short_d16", 1, 2, false, true, 0},
    {"global_load_short_d16_hi", 1, 2, false, true, 16},
};

struct store_row {
  std::string_view mnemonic;
  unsigned registers;
  unsigned bytes;
  unsigned shift = 0;
};
constexpr store_row kStores[] = {
    {"global_store_byte", 1, 1},
    {"global_store_byte_d16_hi", 1, 1, 16},
    {"global_store_short", 1, 2},
    {"global_store_short_d16_hi", 1, 2, 16},
    {"global_store_dword", 1, 4},
    {"global_store_dwordx2", 2, 8},
    {"global_store_dwordx3", 3, 12},
    {"global_store_dwordx4", 4, 16},
};

// Not in order, at odd addresses.
size_t place(unsigned lane) { return 401 + lane * 37 % 64 * 17; }

std::string registers(unsigned first, unsigned count) {
  return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

struct address_form {
  std::string_view address, base;  ///< "v[20:21]", "off offset:-16"
  int offset;
  bool scalar;
};
constexpr address_form kForms[] = {
    {"v[20:21]", "off", 0, false},
    {"v[20:21]", "off offset:-400", -400, false},
    {"v[20:21]", "off offset:256 nt", 256, false},
    {"v20", "s[8:9] offset:-4096", -4096, true},
    {"v20", "s[8:9] offset:4095 sc0 sc1", 4095, true},
};

// So that the lanes' addresses with the offset are memory + place(lane).
void set_address(sim_test_wave& t, const std::byte* memory, const address_form& form) {
  const auto start = reinterpret_cast<uintptr_t>(memory);
  if (form.scalar) {
    t.set_scalar64(8, start - static_cast<uint64_t>(int64_t{form.offset}));
    t.set_vector(20, [](unsigned l) { return static_cast<uint32_t>(place(l)); });
  } else {
    t.set_vector64(20, [&](unsigned l) { return start + place(l) - static_cast<uint64_t>(int64_t{form.offset}); });
  }
}

uint32_t expected_load(const load_row& row, unsigned reg, unsigned lane, uint32_t old) {
  const unsigned bytes = std::min(row.bytes, 4u);
  uint32_t v = pattern_value(place(lane) + 4 * reg, bytes);
  if (row.is_signed && (v >> (8 * bytes - 1) & 1u) != 0) v |= ~uint32_t{0} << (8 * bytes);
  return row.keeps ? (old & ~(0xFFFFu << row.shift)) | (v & 0xFFFFu) << row.shift : v;
}

}  // namespace

TEST_CASE("global loads: bytes, extension, halves, addresses") {
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  world.launch();
  for (const load_row& row : kLoads)
    for (const address_form& form : kForms)
      for (const uint64_t mask : kMasks) {
        const std::string text =
            fmt::format("{} {}, {}, {}", row.mnemonic, registers(40, row.registers), form.address, form.base);
        INFO(text << " exec " << mask);
        sim_test_wave t;
        t.group().global = world.group().global;
        set_address(t, memory, form);
        for (unsigned r = 0; r < row.registers; ++r)
          t.set_vector(40 + r, [&](unsigned l) { return 0x8BCD0000u + r * 99 + l; });
        t.set_exec(mask);
        t.run(text);
        for (unsigned r = 0; r < row.registers; ++r)
          t.expect_lanes(40 + r, [&](unsigned l) { return expected_load(row, r, l, 0x8BCD0000u + r * 99 + l); });
      }
}

TEST_CASE("global loads into accumulation registers") {
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  world.launch();
  sim_test_wave t;
  t.group().global = world.group().global;
  set_address(t, memory, kForms[0]);
  t.run("global_load_dwordx2 a[4:5], v[20:21], off");
  t.expect_lanes(kFirstAgpr + 5, [](unsigned l) { return pattern_value(place(l) + 4, 4); });
}

TEST_CASE("global stores: the bytes named and no others") {
  for (const store_row& row : kStores)
    for (const address_form& form : kForms)
      for (const uint64_t mask : kMasks) {
        const std::string text =
            fmt::format("{} {}, {}, {}", row.mnemonic, form.address, registers(40, row.registers), form.base);
        INFO(text << " exec " << mask);
        memory_world world;
        const std::byte* memory = world.allocate_written(kBytes);
        world.launch();
        sim_test_wave t;
        t.group().global = world.group().global;
        set_address(t, memory, form);
        for (unsigned r = 0; r < 4; ++r) t.set_vector(40 + r, [&](unsigned l) { return stored_value(r, l); });
        t.set_exec(mask);
        t.run(text);
        std::vector<uint8_t> expected = pattern_bytes(kBytes);
        for (unsigned l = 0; l < kLanes; ++l)
          for (unsigned b = 0; b < row.bytes && (mask >> l & 1u) != 0; ++b)
            expected[place(l) + b] = static_cast<uint8_t>(stored_value(b / 4, l) >> (row.shift + 8 * (b % 4)));
        CHECK(std::memcmp(expected.data(), memory, kBytes) == 0);
      }
}

TEST_CASE("the offset register of a scalar base is unsigned") {
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  world.launch();
  sim_test_wave t;
  t.group().global = world.group().global;
  t.set_scalar64(8, reinterpret_cast<uintptr_t>(memory) - 0xFFFFF000u);
  t.set_vector(20, [](unsigned l) { return 0xFFFFF000u + 4 * l; });
  t.run("global_load_dword v40, v20, s[8:9]");
  t.expect_lanes(40, [](unsigned l) { return pattern_value(4 * l, 4); });
}

TEST_CASE("caches are not modelled") {
  for (const char* text : {"buffer_inv sc1", "buffer_inv sc0 sc1", "buffer_wbl2 sc1"}) {
    INFO(text);
    sim_test_wave t;
    t.run(text);
  }
}

TEST_CASE("scalar loads read the arguments and device memory") {
  memory_world world;
  const std::byte* memory = world.allocate_written(kBytes);
  std::vector<std::byte> arguments(64);
  for (size_t n = 0; n < arguments.size(); ++n) arguments[n] = static_cast<std::byte>(n);
  world.launch(nullptr, arguments);
  wave& w = world.at(0);
  uint32_t got[16] = {};
  load_scalar(w, parsed("s_nop 0"), reinterpret_cast<uintptr_t>(arguments.data()) + 8, got, 2);
  CHECK(got[0] == 0x0B0A0908u);
  CHECK(got[1] == 0x0F0E0D0Cu);
  load_scalar(w, parsed("s_nop 0"), reinterpret_cast<uintptr_t>(memory) + 4, got, 16);
  for (unsigned d = 0; d < 16; ++d) CHECK(got[d] == pattern_value(4 + 4 * d, 4));
}

TEST_CASE("loads into LDS: M0, offset, lane stride") {
  struct lds_load {
    std::string_view mnemonic;
    unsigned bytes, stride;
    bool is_signed;
  };
  constexpr lds_load kRows[] = {
      {"global_load_lds_ubyte", 1, 4, false},  {"global_load_lds_sbyte", 1, 4, true},
      {"global_load_lds_ushort", 2, 4, false}, {"global_load_lds_sshort", 2, 4, true},
      {"global_load_lds_dword", 4, 4, false},  {"global_load_lds_dwordx3", 12, 16, false},
      {"global_load_lds_dwordx4", 16, 16, false},
  };
  for (const lds_load& row : kRows)
    for (const address_form& form : {kForms[0], kForms[1], kForms[2], kForms[3]})
      for (const uint64_t mask : kMasks) {
        const std::string text = fmt::format("{} {}, {}", row.mnemonic, form.address, form.base);
        INFO(text << " exec " << mask);
        memory_world world;
        const std::byte* memory = world.allocate_written(kBytes);
        world.launch();
        sim_test_wave t;
        lds_memory lds;
        lds.begin_workgroup(8192);
        t.group().lds = &lds;
        t.group().global = world.group().global;
        std::memset(lds.data(0), 0xEE, 8192);
        set_address(t, memory, form);
        // Bits above the 18 of M0 have no meaning; the instruction's offset counts here too.
        constexpr unsigned kStart = 4 * 257;
        t.state().sgpr[kM0] = 0xABC00000u | ((kStart - static_cast<uint32_t>(form.offset)) & 0x3FFFFu);
        t.set_exec(mask);
        t.run(text);
        std::vector<uint8_t> expected(8192, 0xEE);
        const unsigned stored = std::max(row.bytes, 4u);
        for (unsigned l = 0; l < kLanes; ++l)
          for (unsigned b = 0; b < stored && (mask >> l & 1u) != 0; ++b) {
            const bool negative = row.is_signed && (pattern(place(l) + row.bytes - 1) & 0x80u) != 0;
            const unsigned extension = negative ? 0xFFu : 0u;
            expected[kStart + l * row.stride + b] =
                static_cast<uint8_t>(b < row.bytes ? pattern(place(l) + b) : extension);
          }
        CHECK(std::memcmp(expected.data(), lds.data(0), expected.size()) == 0);
      }
}

}  // namespace adahop::hip::sim::test
