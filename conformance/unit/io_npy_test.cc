// .npy: round trips, hostile headers with the message each must give, truncation at every length. [spec:12.5]
#include "adahop/io/npy.h"

#include "adahop/io/file.h"
#include "io_support.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;

namespace {

const std::string kGood = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";

std::string header(std::string_view descr, std::string_view shape, std::string_view order = "False") {
  return "{'descr': " + std::string(descr) + ", 'fortran_order': " + std::string(order) +
         ", 'shape': " + std::string(shape) + ", }\n";
}

}  // namespace

TEST_CASE("npy: each type and rank comes back as it was written", "[spec:12.5]") {
  const std::vector<std::vector<int64_t>> shapes = {{},     {1},       {5},          {0},
                                                    {2, 3}, {3, 0, 4}, {2, 1, 3, 2}, {1, 2, 1, 2, 1, 2, 1, 2}};
  for (const io::dtype type : {io::dtype::f32, io::dtype::f64, io::dtype::u8, io::dtype::bf16})
    for (const auto& shape : shapes) {
      const io::array a = sample_array(type, shape);
      const auto file = io::encode_npy(a);
      REQUIRE(file.ok());
      CAPTURE(io::name(type), io::shape_text(shape));
      CHECK((file.value().size() - a.bytes.size()) % 64 == 0);
      const auto back = io::parse_npy(file.value(), "t.npy");
      REQUIRE(back.ok());
      CHECK(back.value().type == type);
      CHECK(back.value().shape == shape);
      CHECK(back.value().bytes == a.bytes);
    }
  const temporary_folder folder;
  const io::array a = sample_array(io::dtype::bf16, {3, 5});
  REQUIRE(io::write_npy(folder / "a.npy", a).ok());
  CHECK(io::read_file(folder / "a.npy").value() == io::encode_npy(a).value());
  CHECK(io::encode_npy(sample_array(io::dtype::f4, {2, 4})).why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(io::encode_npy(sample_array(io::dtype::f8_e8m0, {2, 4})).why().code() == ADAHOP_INVALID_ARGUMENT);
}

TEST_CASE("npy: the bytes NumPy writes", "[spec:12.5]") {
  // numpy.save of numpy.arange(3, dtype='<f4'), NumPy 1.24: 128 bytes of header, then 0.0, 1.0, 2.0.
  bytes file = to_bytes("\x93NUMPY") + bytes{1, 0, 0x76, 0} +
               to_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }");
  file.resize(127, ' ');
  file.push_back('\n');
  const bytes data = {0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0x40};
  const auto a = io::parse_npy(file + data, "t.npy");
  REQUIRE(a.ok());
  CHECK(a.value().shape == std::vector<int64_t>{3});
  CHECK(a.value().bytes == data);
  const auto mine = io::encode_npy(a.value());
  REQUIRE(mine.ok());
  CHECK(mine.value() == file + data);
}

TEST_CASE("npy: versions, key order, quotes and the two spellings of BF16 are read", "[spec:12.5]") {
  for (const uint8_t major : {uint8_t{1}, uint8_t{2}, uint8_t{3}})
    CHECK(io::parse_npy(npy(kGood, 24, major), "t.npy").ok());
  CHECK(io::parse_npy(npy("{\"shape\": (2, 3), \"fortran_order\": False, \"descr\": \"<f4\"}\n", 24), "t.npy").ok());
  CHECK(io::parse_npy(npy("{'descr':'<f4','fortran_order':False,'shape':(2,3,)}   \n", 24), "t.npy").ok());
  for (const std::string_view descr : {"'<V2'", "'|V2'"}) {
    const auto a = io::parse_npy(npy(header(descr, "(4,)"), 8), "t.npy");
    REQUIRE(a.ok());
    CHECK(a.value().type == io::dtype::bf16);
  }
  const bytes u2 = npy(header("'<u2'", "(4,)"), 8);
  CHECK_THAT(io::parse_npy(u2, "t.npy").why().message(), Contains("found '<u2', not declared to be BF16"));
  const auto declared = io::parse_npy(u2, "t.npy", io::u2_meaning::bf16);
  REQUIRE(declared.ok());
  CHECK(declared.value().type == io::dtype::bf16);
}

TEST_CASE("npy: hostile headers are refused by name", "[spec:12.5]") {
  struct hostile {
    const char* what;
    bytes file;
    const char* message;
  };
  const std::string f4 = "'<f4'";
  const std::vector<hostile> table = {
      {"empty", {}, "magic: expected"},
      {"another magic", to_bytes("\x93NUMPX") + zeros(80), "magic: expected"},
      {"zip archive", to_bytes("PK\x03\x04") + zeros(80), "magic: expected"},
      {"version 0.0", to_bytes("\x93NUMPY") + zeros(80), "version: expected 1.0, 2.0 or 3.0, found 0.0"},
      {"version 4.0", npy(kGood, 24, 4), "version: expected 1.0, 2.0 or 3.0, found 4.0"},
      {"version 1.1", to_bytes("\x93NUMPY") + bytes{1, 1} + zeros(80), "found 1.1"},
      {"length beyond the file", npy(kGood, 24, 1, 5000), "header length: expected at most the"},
      {"length of 4 GiB", npy(kGood, 24, 2, 0xFFFFFFFF), "header length: expected at most 65536, found 4294967295"},
      {"length 0", npy(kGood, 24, 1, 0), "header: expected '{', found the end"},
      {"length one short", npy(kGood, 24, 1, static_cast<int64_t>(kGood.size()) - 1), "one newline after '}'"},
      {"length into the data", npy(kGood, 24, 1, static_cast<int64_t>(kGood.size()) + 4), "one newline after '}'"},
      {"no dict", npy("['<f4']\n", 24), "header: expected '{'"},
      {"no newline", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24), "one newline"},
      {"code after the dict", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} or 1\n", 24),
       "one newline"},
      {"unclosed dict", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)\n", 24), "expected ',' or '}'"},
      {"unclosed string", npy("{'descr: <f4}\n", 24), "a quoted key"},
      {"escape in a string", npy("{'de\\x73cr': '<f4'}\n", 24), "a quoted key"},
      {"missing colon", npy("{'descr' '<f4'}\n", 24), "expected ':'"},
      {"missing comma", npy("{'descr': '<f4' 'fortran_order': False}\n", 24), "expected ',' or '}'"},
      {"no keys", npy("{}\n", 24), "found no descr"},
      {"no shape", npy("{'descr': '<f4', 'fortran_order': False}\n", 24), "found no shape"},
      {"no order", npy("{'descr': '<f4', 'shape': (2, 3)}\n", 24), "found no fortran_order"},
      {"key twice", npy("{'descr': '<f4', 'descr': '<f8'}\n", 24), "'descr' twice"},
      {"unknown key", npy("{'descr': '<f4', 'os': 'x'}\n", 24), "found 'os'"},
      {"control characters in a key", npy("{'\x1b[2J': 1}\n", 24), "found '\\x1b[2J'"},
      {"big-endian", npy(header("'>f4'", "(2, 3)"), 24), "found '>f4' (big-endian)"},
      {"big-endian BF16", npy(header("'>V2'", "(2, 3)"), 12), "found '>V2' (big-endian)"},
      {"int32", npy(header("'<i4'", "(2, 3)"), 24), "found '<i4'"},
      {"float16", npy(header("'<f2'", "(2, 3)"), 12), "found '<f2'"},
      {"objects", npy(header("'|O'", "(2, 3)"), 24), "found '|O'"},
      {"structured type", npy(header("[('a', '<f4')]", "(2, 3)"), 24), "descr: expected a quoted type"},
      {"empty type", npy(header("''", "(2, 3)"), 24), "found ''"},
      {"Fortran order", npy(header(f4, "(2, 3)", "True"), 24), "fortran_order: expected False (C order), found True"},
      {"order 0", npy(header(f4, "(2, 3)", "0"), 24), "fortran_order: expected True or False"},
      {"shape a list", npy(header(f4, "[2, 3]"), 24), "shape: expected a tuple"},
      {"shape a number", npy(header(f4, "6"), 24), "shape: expected a tuple"},
      {"shape (6)", npy(header(f4, "(6)"), 24), "shape: expected a comma"},
      {"negative dimension", npy(header(f4, "(-2, 3)"), 24), "shape: expected a dimension"},
      {"fractional dimension", npy(header(f4, "(2.0, 3)"), 24), "shape: expected ',' or ')'"},
      {"hexadecimal dimension", npy(header(f4, "(0x2, 3)"), 24), "shape: expected ',' or ')'"},
      {"leading zero", npy(header(f4, "(02, 3)"), 24), "shape: expected a dimension"},
      {"Python 2 long", npy(header(f4, "(2L, 3L)"), 24), "shape: expected ',' or ')'"},
      {"lone comma", npy(header(f4, "(,)"), 24), "shape: expected a dimension"},
      {"two commas", npy(header(f4, "(2,,3)"), 24), "shape: expected a dimension"},
      {"unclosed tuple", npy(header(f4, "(2, 3"), 24), "shape: expected a dimension"},
      {"19 digits", npy(header(f4, "(9223372036854775807,)"), 24), "shape: expected a dimension"},
      {"nine dimensions", npy(header(f4, "(1, 1, 1, 1, 1, 1, 1, 1, 6)"), 24), "shape: expected at most 8 dimensions"},
      {"2^60 elements", npy(header(f4, "(1152921504606846976,)"), 24), "shape: expected a dimension"},
      {"2^41 elements", npy(header(f4, "(2199023255552,)"), 24), "shape: expected at most 2^40 elements"},
      {"product wraps to 6", npy(header(f4, "(4294967296, 4294967296, 6)"), 24),
       "shape: expected at most 2^40 elements"},
      {"product wraps beside a zero", npy(header(f4, "(4294967296, 0, 4294967296)"), 0), "at most 2^40 elements"},
      {"too little data", npy(kGood, 23), "data: expected 24 bytes for shape [2, 3], found 23"},
      {"too much data", npy(kGood, 25), "data: expected 24 bytes for shape [2, 3], found 25"},
      {"data for an empty shape", npy(header(f4, "(0, 3)"), 4), "data: expected 0 bytes"},
      {"no data for a scalar", npy(header(f4, "()"), 0), "data: expected 4 bytes for shape [], found 0"},
  };
  CHECK(table.size() >= 50);
  for (const hostile& h : table) {
    CAPTURE(h.what);
    const auto a = io::parse_npy(h.file, "t.npy");
    REQUIRE_FALSE(a.ok());
    CHECK(a.why().code() == ADAHOP_BAD_FILE);
    CHECK_THAT(a.why().message(), Contains(h.message));
    CHECK(a.why().message().starts_with("t.npy: "));
    CHECK(a.why().message().find('\n') == std::string::npos);
  }
}

TEST_CASE("npy: a header has at most 65536 bytes", "[spec:12.5]") {
  const auto padded_to = [](size_t length) {
    std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    text.append(length - text.size() - 1, ' ');
    return npy(text + "\n", 24, 2);
  };
  CHECK(io::parse_npy(padded_to(65536), "t.npy").ok());
  const auto longer = io::parse_npy(padded_to(65537), "t.npy");
  REQUIRE_FALSE(longer.ok());
  CHECK_THAT(longer.why().message(), Contains("header length: expected at most 65536, found 65537"));
}

TEST_CASE("npy: every truncation is an error", "[spec:12.5]") {
  for (const uint8_t major : {uint8_t{1}, uint8_t{2}, uint8_t{3}}) {
    const bytes whole = npy(kGood, 24, major);
    REQUIRE(io::parse_npy(whole, "t.npy").ok());
    for (size_t n = 0; n < whole.size(); ++n) {
      CAPTURE(major, n);
      // An exact-size copy, so that a read past the end is one past the allocation and a sanitizer sees it.
      const bytes part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(n));
      CHECK(io::parse_npy(part, "t.npy").why().code() == ADAHOP_BAD_FILE);
    }
  }
}

TEST_CASE("npy: every one-byte change of a header is read or refused, never anything else", "[spec:12.5]") {
  const bytes whole = npy(kGood, 24);
  for (size_t at = 0; at < whole.size() - 24; ++at)
    for (int value = 0; value < 256; ++value) {
      bytes changed = whole;
      changed[at] = static_cast<uint8_t>(value);
      const auto a = io::parse_npy(changed, "t.npy");
      if (a.ok()) {
        const auto expected = io::storage_bytes(io::bits_of_element(a.value().type), a.value().shape, "t");
        REQUIRE(expected.ok());
        REQUIRE(a.value().bytes.size() == expected.value());
      } else {
        REQUIRE(a.why().code() == ADAHOP_BAD_FILE);
      }
    }
}
