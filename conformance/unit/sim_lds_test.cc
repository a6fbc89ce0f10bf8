// Reads and writes of LDS: which bytes move where, for every mnemonic, under EXEC and with offsets.
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr unsigned kBytes = 4096, kData = 40, kOther = 50;
constexpr uint64_t kMasks[] = {kAllLanes, 0x5555555555555555u, 0x8000000000000001u, 0};

// Every lane another address, not in order.
uint32_t address(unsigned lane) { return lane * 37 % 64 * 16; }

struct lds_row {
  std::string_view mnemonic;
  std::string_view operands;
  std::vector<moved_piece> pieces;
  bool is_signed = false;
};

// Reads go to v40...; what the pieces do not name of a destination is kept where `keeps`, else zero or sign.
struct read_row : lds_row {
  bool keeps = false;
};

void fill(lds_memory& lds, const wave& w) {
  const instruction& by = parsed("ds_write_b128 v0, v[2:5]");
  lane_row rows[4];
  const uint32_t* in[4] = {rows[0], rows[1], rows[2], rows[3]};
  for (unsigned block = 0; block < kBytes; block += 1024) {
    lds_addresses at;
    for (unsigned l = 0; l < kLanes; ++l) {
      at[l] = block + 16 * l;
      for (unsigned d = 0; d < 4; ++d) rows[d][l] = pattern_value(at[l] + 4 * d, 4);
    }
    lds.store(w, by, at, kAllLanes, 16, in);
  }
}

uint32_t expected_read(const read_row& row, unsigned reg, unsigned lane, uint32_t old) {
  uint32_t v = row.keeps ? old : 0;
  for (const moved_piece& p : row.pieces) {
    if (p.reg != reg) continue;
    uint32_t moved = pattern_value(address(lane) + static_cast<size_t>(p.offset), p.bytes);
    if (row.is_signed && (moved >> (8 * p.bytes - 1) & 1u) != 0) moved |= ~uint32_t{0} << (8 * p.bytes);
    if (!row.keeps) {
      v = moved;
    } else {
      v = (v & ~(0xFFFFu << p.shift)) | (moved & 0xFFFFu) << p.shift;
    }
  }
  return v;
}

const std::vector<read_row>& reads() {
  static const std::vector<read_row> rows = {
      {{"ds_read_u8", "v40, v20 offset:3", {{0, 3, 1}}}},
      {{"ds_read_i8", "v40, v20 offset:255", {{0, 255, 1}}, true}},
      {{"ds_read_u16", "v40, v20 offset:2", {{0, 2, 2}}}},
      {{"ds_read_i16", "v40, v20", {{0, 0, 2}}, true}},
      {{"ds_read_b32", "v40, v20 offset:8", {{0, 8, 4}}}},
      {{"ds_read_b64", "v[40:41], v20 offset:16", {{0, 16, 4}, {1, 20, 4}}}},
      {{"ds_read_b96", "v[40:42], v20 offset:4", {{0, 4, 4}, {1, 8, 4}, {2, 12, 4}}}},
      {{"ds_read_b128", "v[40:43], v20 offset:1024", {{0, 1024, 4}, {1, 1028, 4}, {2, 1032, 4}, {3, 1036, 4}}}},
      {{"ds_read_u8_d16", "v40, v20 offset:1", {{0, 1, 1, 0}}}, true},
      {{"ds_read_u8_d16_hi", "v40, v20 offset:1", {{0, 1, 1, 16}}}, true},
      {{"ds_read_i8_d16", "v40, v20 offset:5", {{0, 5, 1, 0}}, true}, true},
      {{"ds_read_i8_d16_hi", "v40, v20 offset:5", {{0, 5, 1, 16}}, true}, true},
      {{"ds_read_u16_d16", "v40, v20 offset:6", {{0, 6, 2, 0}}}, true},
      {{"ds_read_u16_d16_hi", "v40, v20 offset:6", {{0, 6, 2, 16}}}, true},
      {{"ds_read2_b32", "v[40:41], v20 offset0:3 offset1:255", {{0, 12, 4}, {1, 1020, 4}}}},
      {{"ds_read2_b64", "v[40:43], v20 offset0:1 offset1:3", {{0, 8, 4}, {1, 12, 4}, {2, 24, 4}, {3, 28, 4}}}},
      {{"ds_read2st64_b32", "v[40:41], v20 offset1:2", {{0, 0, 4}, {1, 512, 4}}}},
      {{"ds_read2st64_b64",
        "v[40:43], v20 offset0:1 offset1:4",
        {{0, 512, 4}, {1, 516, 4}, {2, 2048, 4}, {3, 2052, 4}}}},
  };
  return rows;
}

// Data in v40... and, of two-address instructions, v50...: registers of pieces count from 0 and from 10.
const std::vector<lds_row>& writes() {
  static const std::vector<lds_row> rows = {
      {"ds_write_b8", "v20, v40 offset:3", {{0, 3, 1}}},
      {"ds_write_b8_d16_hi", "v20, v40 offset:3", {{0, 3, 1, 16}}},
      {"ds_write_b16", "v20, v40 offset:2", {{0, 2, 2}}},
      {"ds_write_b16_d16_hi", "v20, v40 offset:2", {{0, 2, 2, 16}}},
      {"ds_write_b32", "v20, v40 offset:4", {{0, 4, 4}}},
      {"ds_write_b64", "v20, v[40:41] offset:8", {{0, 8, 4}, {1, 12, 4}}},
      {"ds_write_b96", "v20, v[40:42] offset:4", {{0, 4, 4}, {1, 8, 4}, {2, 12, 4}}},
      {"ds_write_b128", "v20, v[40:43] offset:2048", {{0, 2048, 4}, {1, 2052, 4}, {2, 2056, 4}, {3, 2060, 4}}},
      {"ds_write2_b32", "v20, v40, v50 offset0:1 offset1:3", {{0, 4, 4}, {10, 12, 4}}},
      {"ds_write2_b64",
       "v20, v[40:41], v[50:51] offset1:128",
       {{0, 0, 4}, {1, 4, 4}, {10, 1024, 4}, {11, 1028, 4}}},
      {"ds_write2st64_b32", "v20, v40, v50 offset1:5", {{0, 0, 4}, {10, 1280, 4}}},
      {"ds_write2st64_b64",
       "v20, v[40:41], v[50:51] offset1:3",
       {{0, 0, 4}, {1, 4, 4}, {10, 1536, 4}, {11, 1540, 4}}},
  };
  return rows;
}

// LDS that holds the pattern, and the lanes' addresses in v20.
void give_lds(sim_test_wave& w, lds_memory& lds) {
  lds.begin_workgroup(kBytes);
  w.group().lds = &lds;
  fill(lds, w.state());
  w.set_vector(20, address);
}

std::string line(const lds_row& row) { return fmt::format("{} {}", row.mnemonic, row.operands); }

}  // namespace

TEST_CASE("LDS reads: bytes, extension, halves, two addresses") {
  for (const read_row& row : reads()) {
    for (const uint64_t mask : kMasks) {
      INFO(line(row) << " exec " << mask);
      sim_test_wave w;
      lds_memory lds;
      give_lds(w, lds);
      const unsigned registers = row.pieces.back().reg + 1;
      for (unsigned r = 0; r < registers; ++r)
        w.set_vector(kData + r, [&](unsigned l) { return 0xABCD0000u + r * 256 + l; });
      w.set_exec(mask);
      w.run(line(row));
      for (unsigned r = 0; r < registers; ++r)
        w.expect_lanes(kData + r, [&](unsigned l) { return expected_read(row, r, l, 0xABCD0000u + r * 256 + l); });
    }
  }
}

TEST_CASE("LDS reads into accumulation registers") {
  sim_test_wave w;
  lds_memory lds;
  give_lds(w, lds);
  w.run("ds_read_b64 a[2:3], v20 offset:8");
  w.expect_lanes(kFirstAgpr + 2, [](unsigned l) { return pattern_value(address(l) + 8, 4); });
  w.expect_lanes(kFirstAgpr + 3, [](unsigned l) { return pattern_value(address(l) + 12, 4); });
}

TEST_CASE("LDS writes: the bytes named and no others") {
  for (const lds_row& row : writes()) {
    for (const uint64_t mask : kMasks) {
      INFO(line(row) << " exec " << mask);
      sim_test_wave w;
      lds_memory lds;
      give_lds(w, lds);
      for (const unsigned r : {0u, 1u, 2u, 3u, 10u, 11u})
        w.set_vector(kData + r, [&](unsigned l) { return stored_value(r, l); });
      w.set_exec(mask);
      w.run(line(row));
      std::vector<uint8_t> expected = pattern_bytes(kBytes);
      for (unsigned l = 0; l < kLanes; ++l)
        for (const moved_piece& p : row.pieces)
          for (unsigned b = 0; b < p.bytes && (mask >> l & 1u) != 0; ++b)
            expected[address(l) + static_cast<unsigned>(p.offset) + b] =
                static_cast<uint8_t>(stored_value(p.reg, l) >> (p.shift + 8 * b));
      CHECK(std::memcmp(expected.data(), lds.data(0), kBytes) == 0);
    }
  }
  static_assert(kOther == kData + 10);
}

TEST_CASE("LDS addresses wrap at 32 bits: a negative base with an offset") {
  sim_test_wave w;
  lds_memory lds;
  give_lds(w, lds);
  w.set_vector(20, [](unsigned l) { return 4 * l - 64; });
  w.run("ds_read_b32 v40, v20 offset:64");
  w.expect_lanes(40, [](unsigned l) { return pattern_value(4 * l, 4); });
}

}  // namespace adahop::hip::sim::test
