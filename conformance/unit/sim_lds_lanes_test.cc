// Permutes, swizzles and transposing reads: which lane's data arrive where.
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint64_t kOdd = 0xAAAAAAAAAAAAAAAAu;

uint32_t value(unsigned lane) { return 0x51000000u + 0x0101u * lane; }

struct swizzle_row {
  std::string_view offset;
  unsigned (*from)(unsigned lane);
};

}  // namespace

TEST_CASE("ds_bpermute_b32 pulls from the lane that the address names") {
  sim_test_wave t;
  t.set_vector(20, [](unsigned l) { return 4 * (63 - l) + l % 4; });  // the low bits are ignored
  t.set_vector(21, value);
  SECTION("full") {
    t.run("ds_bpermute_b32 v40, v20, v21");
    t.expect_lanes(40, [](unsigned l) { return value(63 - l); });
  }
  SECTION("offset and wrap around") {
    t.run("ds_bpermute_b32 v40, v20, v21 offset:8");
    t.expect_lanes(40, [](unsigned l) { return value((65 - l) % 64); });
  }
  SECTION("high address bits are ignored") {
    t.set_vector(20, [](unsigned l) { return 0xFFFFFF00u + 4 * (l ^ 1); });
    t.run("ds_bpermute_b32 v40, v20, v21");
    t.expect_lanes(40, [](unsigned l) { return value(l ^ 1); });
  }
  SECTION("a lane that is off gives 0 and keeps its own") {
    t.set_exec(kOdd);
    t.run("ds_bpermute_b32 v40, v20, v21");
    t.expect_lanes(40, [](unsigned) { return 0u; });  // odd lanes read even ones
  }
}

TEST_CASE("ds_permute_b32 pushes to the lane that the address names") {
  sim_test_wave t;
  t.set_vector(21, value);
  SECTION("rotation") {
    t.set_vector(20, [](unsigned l) { return 4 * (l + 1); });
    t.run("ds_permute_b32 v40, v20, v21");
    t.expect_lanes(40, [](unsigned l) { return value((l + 63) % 64); });
  }
  SECTION("of several the highest is kept, nobody sends 0") {
    t.set_vector(20, [](unsigned l) { return 4 * (l / 2); });
    t.run("ds_permute_b32 v40, v20, v21");
    t.expect_lanes(40, [](unsigned l) { return l < 32 ? value(2 * l + 1) : 0u; });
  }
  SECTION("lanes that are off send nothing") {
    t.set_exec(kOdd);
    t.set_vector(20, [](unsigned l) { return 4 * (l ^ 1); });
    t.run("ds_permute_b32 v40, v20, v21");
    t.expect_lanes(40, [](unsigned) { return 0u; });
  }
}

TEST_CASE("ds_swizzle_b32: every mode") {
  const swizzle_row rows[] = {
      // Quad permutation 3 1 0 2.
      {"swizzle(QUAD_PERM,3,1,0,2)",
       [](unsigned l) {
         constexpr unsigned kTo[] = {3, 1, 0, 2};
         return l / 4 * 4 + kTo[l % 4];
       }},
      {"swizzle(SWAP,16)", [](unsigned l) { return l ^ 16; }},
      {"swizzle(SWAP,1)", [](unsigned l) { return l ^ 1; }},
      {"swizzle(REVERSE,8)", [](unsigned l) { return l / 8 * 8 + 7 - l % 8; }},
      {"swizzle(BROADCAST,8,3)", [](unsigned l) { return l / 8 * 8 + 3; }},
      // and 0b11100, or 0b00010, xor 0b00001
      {"1116", [](unsigned l) { return l / 4 * 4 + 3; }},
      {"swizzle(BITMASK_PERM,\"00p1i\")", [](unsigned l) { return l / 32 * 32 + (l & 4) + 2 + (1 - l % 2); }},
      // The manual's tables: all bits reversed; the top bit kept and four reversed; none.
      {"swizzle(FFT,0)",
       [](unsigned l) {
         constexpr unsigned kTo[] = {0x0, 0x10, 0x8, 0x18, 0x4, 0x14, 0xc, 0x1c, 0x2, 0x12, 0xa,
                                     0x1a, 0x6, 0x16, 0xe, 0x1e, 0x1, 0x11, 0x9, 0x19, 0x5, 0x15,
                                     0xd, 0x1d, 0x3, 0x13, 0xb, 0x1b, 0x7, 0x17, 0xf, 0x1f};
         return l / 32 * 32 + kTo[l % 32];
       }},
      {"swizzle(FFT,16)",
       [](unsigned l) {
         constexpr unsigned kTo[] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
         return l / 16 * 16 + kTo[l % 16];
       }},
      {"swizzle(FFT,31)", [](unsigned l) { return l; }},
      {"swizzle(ROTATE,0,5)", [](unsigned l) { return l / 32 * 32 + (l + 5) % 32; }},
      {"swizzle(ROTATE,1,5)", [](unsigned l) { return l / 32 * 32 + (l + 27) % 32; }},
  };
  for (const swizzle_row& row : rows) {
    for (const uint64_t mask : {kAllLanes, kOdd}) {
      const std::string text = fmt::format("ds_swizzle_b32 v40, v21 offset:{}", row.offset);
      INFO(text << " exec " << mask);
      sim_test_wave t;
      t.set_vector(21, value);
      t.set_exec(mask);
      t.run(text);
      t.expect_lanes(40, [&](unsigned l) { return (mask >> row.from(l) & 1u) != 0 ? value(row.from(l)) : 0u; });
    }
  }
}

TEST_CASE("lanes chosen must have values") {
  for (const char* text : {"ds_bpermute_b32 v40, v20, v21", "ds_permute_b32 v40, v20, v21",
                           "ds_swizzle_b32 v40, v21 offset:swizzle(SWAP,1)"}) {
    INFO(text);
    sim_test_wave t;
    t.set_vector(20, [](unsigned l) { return 4 * (l ^ 1); });
    t.set_vector(21, value);
    t.state().vgpr_defined[21] = ~uint64_t{8};  // lane 3 has none; lane 2 reads it
    CHECK(t.fault_of(text) == "read of a register never written");
    t.set_exec(~uint64_t{12});  // lanes 2 and 3 off
    CHECK(t.fault_of(text) == "");
  }
}

// Sixteen lanes read the rows of a matrix of 16 columns: element (k, column) of group g is e(g, k, column).
TEST_CASE("transposing reads give lane l column l % 16 of its group's matrix") {
  struct transpose_row {
    std::string_view mnemonic;
    unsigned bits, dwords;
  };
  const transpose_row rows[] = {{"ds_read_b64_tr_b16", 16, 2},
                                {"ds_read_b64_tr_b8", 8, 2},
                                {"ds_read_b64_tr_b4", 4, 2},
                                {"ds_read_b96_tr_b6", 6, 3}};
  for (const transpose_row& row : rows) {
    INFO(row.mnemonic);
    const unsigned elements = 32 * row.dwords / row.bits, row_bits = 16 * row.bits, lane_bytes = 4 * row.dwords;
    const auto element = [&](unsigned group, unsigned k, unsigned column) {
      return (group * 0x2C1u + k * 0x4Fu + column * 0x13u + k * column) & ((1u << row.bits) - 1);
    };
    sim_test_wave t;
    t.settings().check.uninitialized = false;
    lds_memory lds;
    lds.begin_workgroup(2048);
    t.group().lds = &lds;
    std::memset(lds.data(0), 0, 2048);
    // Each group's rows lie one behind the other; the groups in descending order, 8 bytes further on.
    const auto group_at = [&](unsigned group) { return 8 + (3 - group) * 16 * lane_bytes; };
    for (unsigned g = 0; g < 4; ++g)
      for (unsigned k = 0; k < elements; ++k)
        for (unsigned c = 0; c < 16; ++c)
          for (unsigned b = 0; b < row.bits; ++b) {
            const unsigned bit = k * row_bits + c * row.bits + b;
            if ((element(g, k, c) >> b & 1u) != 0) lds.data(group_at(g))[bit / 8] |= std::byte{1} << (bit % 8);
          }
    t.set_vector(20, [&](unsigned l) { return group_at(l / 16) + l % 16 * lane_bytes - 8; });
    t.run(fmt::format("{} v[40:{}], v20 offset:8", row.mnemonic, 39 + row.dwords));
    for (unsigned d = 0; d < row.dwords; ++d)
      t.expect_lanes(40 + d, [&](unsigned l) {
        uint32_t v = 0;
        for (unsigned bit = 0; bit < 32; ++bit) {
          const unsigned at = 32 * d + bit;
          v |= (element(l / 16, at / row.bits, l % 16) >> (at % row.bits) & 1u) << bit;
        }
        return v;
      });
    t.set_exec(kAllLanes - 1);
    CHECK(t.fault_of(fmt::format("{} v[40:{}], v20 offset:8", row.mnemonic, 39 + row.dwords)) ==
          "transposing read with lanes switched off");
  }
}

// Lane and element of AMD's emulator for 16 and 8 bits, said by lane numbers.
TEST_CASE("transposing reads by lane numbers") {
  sim_test_wave t;
  t.settings().check.uninitialized = false;
  lds_memory lds;
  lds.begin_workgroup(512);
  t.group().lds = &lds;
  t.set_vector(20, [](unsigned l) { return 8 * l; });
  SECTION("ds_read_b64_tr_b16") {
    for (unsigned l = 0; l < kLanes; ++l)
      for (unsigned h = 0; h < 4; ++h) {
        const auto v = static_cast<uint16_t>(l * 16 + h);
        std::memcpy(lds.data(8 * l + 2 * h), &v, 2);
      }
    t.run("ds_read_b64_tr_b16 v[40:41], v20");
    const auto half = [](unsigned l, unsigned n) { return ((l & ~15u) + (l >> 2 & 3u) + 4 * n) * 16 + (l & 3u); };
    t.expect_lanes(40, [&](unsigned l) { return half(l, 0) | half(l, 1) << 16; });
    t.expect_lanes(41, [&](unsigned l) { return half(l, 2) | half(l, 3) << 16; });
  }
  SECTION("ds_read_b64_tr_b8") {
    for (unsigned l = 0; l < kLanes; ++l)
      for (unsigned b = 0; b < 8; ++b) *lds.data(8 * l + b) = static_cast<std::byte>(l + 64 * (b % 4) + b / 4);
    t.run("ds_read_b64_tr_b8 v[40:41], v20");
    const auto byte = [](unsigned l, unsigned n) {
      const unsigned from = (l & ~15u) + (l >> 3 & 1u) + 2 * n, b = l & 7u;
      return (from + 64 * (b % 4) + b / 4) & 0xFFu;
    };
    const auto dword = [&](unsigned l, unsigned n) {
      return byte(l, n) | byte(l, n + 1) << 8 | byte(l, n + 2) << 16 | byte(l, n + 3) << 24;
    };
    t.expect_lanes(40, [&](unsigned l) { return dword(l, 0); });
    t.expect_lanes(41, [&](unsigned l) { return dword(l, 4); });
  }
}

}  // namespace adahop::hip::sim::test
