// safetensors: round trips, the order and padding of the Python package, hostile headers, truncation. [spec:12.5]
#include "adahop/io/safetensors.h"

#include "adahop/io/file.h"
#include "io_support.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;

namespace {

std::string header_of(const bytes& file) {
  uint64_t n = 0;
  for (size_t i = 0; i < 8; ++i)
    n |= uint64_t{file[i]} << (8 * i);
  return {file.begin() + 8, file.begin() + 8 + static_cast<ptrdiff_t>(n)};
}

std::string one(std::string_view dtype, std::string_view shape, std::string_view offsets) {
  return R"({"a":{"dtype":")" + std::string(dtype) + R"(","shape":)" + std::string(shape) + R"(,"data_offsets":)" +
         std::string(offsets) + "}}";
}

}  // namespace

TEST_CASE("safetensors: each type comes back as it was written", "[spec:12.5]") {
  std::vector<io::named_array> tensors = {
      {"f4", sample_array(io::dtype::f4, {2, 8})},
      {"u8", sample_array(io::dtype::u8, {3})},
      {"e8m0", sample_array(io::dtype::f8_e8m0, {2, 1})},
      {"bf16", sample_array(io::dtype::bf16, {2, 1, 3})},
      {"f32", sample_array(io::dtype::f32, {})},
      {"f32 empty", sample_array(io::dtype::f32, {0, 7})},
      {"u8 of 8", sample_array(io::dtype::u8, {1, 1, 1, 1, 1, 1, 1, 2})},
  };
  const io::metadata meta = {{"k", "v"}, {"text", "line\nbreak \"quoted\" \xC3\xA9"}, {"", ""}};
  const auto file = io::encode_safetensors(tensors, meta);
  REQUIRE(file.ok());
  const temporary_folder folder;
  REQUIRE(io::write_safetensors(folder / "t", tensors, meta).ok());
  CHECK(io::read_file(folder / "t").value() == file.value());
  const auto back = io::safetensors::parse(file.value(), "t.safetensors");
  REQUIRE(back.ok());
  CHECK(back.value().meta() == meta);
  REQUIRE(back.value().tensors().size() == tensors.size());
  for (const io::named_array& t : tensors) {
    CAPTURE(t.name);
    const auto a = back.value().load(t.name);
    REQUIRE(a.ok());
    CHECK(a.value().type == t.data.type);
    CHECK(a.value().shape == t.data.shape);
    CHECK(a.value().bytes == t.data.bytes);
  }
  CHECK(back.value().load("none").why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK_THAT(back.value().load("none").why().message(),
             Contains("tensor 'none': expected one of") && Contains("'bf16'"));
}

TEST_CASE("safetensors: widest type first, then by name, header padded to 8", "[spec:12.5]") {
  const auto file = io::encode_safetensors({{"b", sample_array(io::dtype::u8, {1})},
                                            {"c", sample_array(io::dtype::f4, {2})},
                                            {"a", sample_array(io::dtype::u8, {1})},
                                            {"z", sample_array(io::dtype::f32, {1})},
                                            {"y", sample_array(io::dtype::bf16, {1})},
                                            {"x", sample_array(io::dtype::f8_e8m0, {1})}},
                                           {{"m", "1"}});
  REQUIRE(file.ok());
  const std::string header = header_of(file.value());
  CHECK(header.size() % 8 == 0);
  const std::string expected =
      R"({"__metadata__":{"m":"1"},"z":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
      R"("y":{"dtype":"BF16","shape":[1],"data_offsets":[4,6]},"x":{"dtype":"F8_E8M0","shape":[1],"data_offsets":[6,7]},)"
      R"("a":{"dtype":"U8","shape":[1],"data_offsets":[7,8]},"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},)"
      R"("c":{"dtype":"F4","shape":[2],"data_offsets":[9,10]}})";
  CHECK(header.substr(0, expected.size()) == expected);
  CHECK(header.find_first_not_of(' ', expected.size()) == std::string::npos);
}

TEST_CASE("safetensors: an F4 shape counts elements, storage half bytes (known fault F14)", "[spec:12.1]") {
  const auto good = io::safetensors::parse(safetensors_file(one("F4", "[2,8]", "[0,8]"), 8), "t");
  REQUIRE(good.ok());
  CHECK(good.value().load("a").value().bytes.size() == 8);
  CHECK_FALSE(io::safetensors::parse(safetensors_file(one("F4", "[2,8]", "[0,16]"), 16), "t").ok());
  CHECK_THAT(io::safetensors::parse(safetensors_file(one("F4", "[2,7]", "[0,7]"), 7), "t").why().message(),
             Contains("fills whole bytes with 4-bit elements"));
  CHECK_THAT(io::encode_safetensors({{"a", {io::dtype::f4, {2, 7}, zeros(7)}}}, {}).why().message(),
             Contains("fills whole bytes"));
}

TEST_CASE("safetensors: the format's other types are listed and refused as data", "[spec:12.5]") {
  const std::vector<std::pair<const char*, size_t>> others = {
      {"BOOL", 4}, {"I8", 4},   {"F8_E5M2", 4}, {"F8_E4M3", 4}, {"F6_E2M3", 3}, {"F6_E3M2", 3}, {"I16", 8}, {"U16", 8},
      {"F16", 8},  {"I32", 16}, {"U32", 16},    {"F64", 32},    {"I64", 32},    {"U64", 32},    {"C64", 32}};
  for (const auto& [dtype, size] : others) {
    CAPTURE(dtype);
    const auto f =
        io::safetensors::parse(safetensors_file(one(dtype, "[4]", "[0," + std::to_string(size) + "]"), size), "t");
    REQUIRE(f.ok());
    CHECK(f.value().tensors().front().dtype_name == dtype);
    CHECK_THAT(f.value().load("a").why().message(),
               Contains("dtype: expected BF16, F32, U8, F4 or F8_E8M0, found " + std::string(dtype)));
  }
}

TEST_CASE("safetensors: hostile headers are refused by name", "[spec:12.5]") {
  struct hostile {
    const char* what;
    bytes file;
    const char* message;
  };
  const auto two = [](std::string_view first, std::string_view second) {
    return R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + std::string(first) +
           R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + std::string(second) + "}}";
  };
  const std::string deep(10000, '[');
  const std::vector<hostile> table = {
      {"empty", {}, "header length: expected 8 bytes, found 0"},
      {"seven bytes", zeros(7), "header length: expected 8 bytes, found 7"},
      {"length beyond the file", safetensors_file("{}", 0, 3), "header length: expected at most 2, found 3"},
      {"length 2^63", bytes{0, 0, 0, 0, 0, 0, 0, 0x80} + to_bytes("{}"),
       "header length: expected at most 2, found 9223372036854775808"},
      {"length of all ones", bytes(8, 0xFF) + to_bytes("{}"),
       "header length: expected at most 2, found 18446744073709551615"},
      {"length 0", safetensors_file("", 8), "header: expected '{' first"},
      {"blank first", safetensors_file(" {}", 0), "header: expected '{' first"},
      {"byte order mark", safetensors_file("\xEF\xBB\xBF{}", 0), "header: expected '{' first"},
      {"array", safetensors_file("[]", 0), "header: expected '{' first"},
      {"unclosed", safetensors_file("{", 0), "header: expected JSON"},
      {"text after it", safetensors_file("{} x", 0), "header: expected JSON"},
      {"NUL padding", safetensors_file(std::string("{}\0\0", 4), 0), "header: expected JSON, found a NUL byte"},
      {"text after a NUL", safetensors_file(std::string("{}\0{", 4), 0), "header: expected JSON, found a NUL byte"},
      {"not UTF-8", safetensors_file("{\"\xFF\":1}", 0), "header: expected JSON"},
      {"trailing comma", safetensors_file(R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1],}})", 1),
       "expected JSON"},
      {"comment", safetensors_file("{/**/}", 0), "header: expected JSON"},
      {"deep nesting", safetensors_file("{\"a\":" + deep, 0), "'a': expected an object, found an array"},
      {"deep shape", safetensors_file(R"({"a":{"shape":)" + deep, 0),
       "'a' shape: expected non-negative integers, found an array"},
      {"tensor a number", safetensors_file(R"({"a":1})", 0), "'a': expected an object, found a number"},
      {"tensor null", safetensors_file(R"({"a":null})", 0), "'a': expected an object, found null"},
      {"unknown key", safetensors_file(R"({"a":{"type":"U8"}})", 0),
       "'a': expected the keys dtype, shape and data_offsets, found 'type'"},
      {"no dtype", safetensors_file(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1), "found no dtype"},
      {"no shape", safetensors_file(R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", 1), "found no shape"},
      {"no offsets", safetensors_file(R"({"a":{"dtype":"U8","shape":[1]}})", 1), "found no data_offsets"},
      {"empty tensor object", safetensors_file(R"({"a":{}})", 0), "found no dtype"},
      {"key twice", safetensors_file(R"({"a":{"dtype":"U8","dtype":"F32"}})", 0),
       "'a': expected each key once, found 'dtype' twice"},
      {"name twice", safetensors_file(R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"a":{"dtype":"U8"}})", 1),
       "each name once, found 'a' twice"},
      {"name twice, escaped",
       safetensors_file(R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"\u0061":{}})", 1), "found 'a' twice"},
      {"empty name", safetensors_file(R"({"":{}})", 0), "header: expected names, found an empty one"},
      {"control character in a name", safetensors_file(R"({"a\u001b[2J":{}})", 0), "names without control characters"},
      {"metadata a list", safetensors_file(R"({"__metadata__":[]})", 0), "'__metadata__': expected an object"},
      {"metadata of numbers", safetensors_file(R"({"__metadata__":{"k":1}})", 0),
       "__metadata__ 'k': expected a text, found a number"},
      {"metadata nested", safetensors_file(R"({"__metadata__":{"k":{}}})", 0), "expected a text, found an object"},
      {"metadata key twice", safetensors_file(R"({"__metadata__":{"k":"1","k":"2"}})", 0), "'k' twice"},
      {"metadata twice", safetensors_file(R"({"__metadata__":{},"__metadata__":{}})", 0), "'__metadata__' twice"},
      {"dtype a number", safetensors_file(R"({"a":{"dtype":4}})", 0), "'a' dtype: expected a text"},
      {"dtype unknown", safetensors_file(one("F7", "[4]", "[0,4]"), 4),
       "dtype: expected a type of the format, found 'F7'"},
      {"dtype in lower case", safetensors_file(one("f32", "[1]", "[0,4]"), 4), "found 'f32'"},
      {"shape a number", safetensors_file(one("U8", "4", "[0,4]"), 4), "'a' shape: expected an array"},
      {"shape a text", safetensors_file(one("U8", "\"4\"", "[0,4]"), 4), "'a' shape: expected an array"},
      {"shape negative", safetensors_file(one("U8", "[-4]", "[0,4]"), 4),
       "'a' shape: expected non-negative integers, found -4"},
      {"shape fractional", safetensors_file(one("U8", "[4.0]", "[0,4]"), 4),
       "expected non-negative integers, found 4.0"},
      {"shape exponent", safetensors_file(one("U8", "[1e9]", "[0,4]"), 4), "expected non-negative integers, found 1e9"},
      {"shape above 2^64", safetensors_file(one("U8", "[18446744073709551620]", "[0,4]"), 4),
       "expected non-negative integers"},
      {"shape 2^63", safetensors_file(one("U8", "[9223372036854775808]", "[0,4]"), 4), "expected numbers below 2^62"},
      {"shape of texts", safetensors_file(one("U8", "[\"4\"]", "[0,4]"), 4),
       "expected non-negative integers, found a text"},
      {"nine dimensions", safetensors_file(one("U8", "[1,1,1,1,1,1,1,1,4]", "[0,4]"), 4), "at most 8 dimensions"},
      {"product wraps", safetensors_file(one("U8", "[4294967296,4294967296,4]", "[0,4]"), 4), "at most 2^40 elements"},
      {"product wraps beside a zero", safetensors_file(one("U8", "[4294967296,0,4294967296]", "[0,0]"), 0),
       "at most 2^40 elements"},
      {"one offset", safetensors_file(one("U8", "[4]", "[0]"), 4), "expected two data_offsets, found 1"},
      {"no offsets inside", safetensors_file(one("U8", "[0]", "[]"), 0), "expected two data_offsets, found 0"},
      {"three offsets", safetensors_file(one("U8", "[4]", "[0,4,4]"), 4),
       "'a' data_offsets: expected two numbers, found more"},
      {"negative offset", safetensors_file(one("U8", "[4]", "[-4,0]"), 4), "expected non-negative integers, found -4"},
      {"backwards", safetensors_file(one("U8", "[4]", "[4,0]"), 4), "data_offsets: expected begin <= end"},
      {"shape says less", safetensors_file(one("U8", "[3]", "[0,4]"), 4), "expected 3 bytes for U8 [3], found 4"},
      {"shape says more", safetensors_file(one("BF16", "[4]", "[0,4]"), 4), "expected 8 bytes for BF16 [4], found 4"},
      {"hole in front", safetensors_file(one("U8", "[4]", "[4,8]"), 8), "expected to begin at 0"},
      {"beyond the file", safetensors_file(one("U8", "[4]", "[0,4]"), 3), "at most the 3 data bytes"},
      {"far beyond the file", safetensors_file(one("U8", "[1099511627776]", "[0,1099511627776]"), 3),
       "at most the 3 data bytes"},
      {"trailing bytes", safetensors_file(one("U8", "[4]", "[0,4]"), 5),
       "data: expected 4 bytes as the header says, found 5"},
      {"data without tensors", safetensors_file("{}", 1), "data: expected 0 bytes"},
      {"overlap", safetensors_file(two("[0,4]", "[2,6]"), 6), "'b': data_offsets: expected to begin at 4"},
      {"same bytes twice", safetensors_file(two("[0,4]", "[0,4]"), 4), "expected to begin at 4"},
      {"hole", safetensors_file(two("[0,4]", "[6,10]"), 10), "'b': data_offsets: expected to begin at 4"},
  };
  CHECK(table.size() >= 60);
  for (const hostile& h : table) {
    CAPTURE(h.what);
    const auto f = io::safetensors::parse(h.file, "t.safetensors");
    REQUIRE_FALSE(f.ok());
    CHECK(f.why().code() == ADAHOP_BAD_FILE);
    CHECK_THAT(f.why().message(), Contains(h.message));
    CHECK(f.why().message().starts_with("t.safetensors: "));
    CHECK(f.why().message().find('\n') == std::string::npos);
  }
}

TEST_CASE("safetensors: every truncation is an error", "[spec:12.5]") {
  const auto whole = io::encode_safetensors(
      {{"a", sample_array(io::dtype::bf16, {2, 3})}, {"b", sample_array(io::dtype::f4, {2, 4})}}, {{"k", "v"}});
  REQUIRE(whole.ok());
  for (size_t n = 0; n < whole.value().size(); ++n) {
    CAPTURE(n);
    const bytes part(whole.value().begin(), whole.value().begin() + static_cast<ptrdiff_t>(n));
    CHECK(io::safetensors::parse(part, "t").why().code() == ADAHOP_BAD_FILE);
  }
}

TEST_CASE("safetensors: every one-byte change of a header is read or refused, never anything else", "[spec:12.5]") {
  const auto whole = io::encode_safetensors(
      {{"a", sample_array(io::dtype::bf16, {2, 3})}, {"b", sample_array(io::dtype::f4, {2, 4})}}, {{"k", "v"}});
  REQUIRE(whole.ok());
  const size_t header_end = whole.value().size() - 16;
  for (size_t at = 0; at < header_end; ++at)
    for (int value = 0; value < 256; ++value) {
      bytes changed = whole.value();
      changed[at] = static_cast<uint8_t>(value);
      const auto f = io::safetensors::parse(changed, "t");
      if (!f.ok()) {
        REQUIRE(f.why().code() == ADAHOP_BAD_FILE);
        continue;
      }
      for (const io::tensor_entry& t : f.value().tensors())
        if (t.type) REQUIRE(f.value().load(t.name).ok());
    }
}

TEST_CASE("safetensors: what the reader would refuse is not written", "[spec:12.5]") {
  const io::array a = sample_array(io::dtype::u8, {4});
  for (const char* name : {"", "__metadata__", "a\nb", "\x1b[2J", "\xFF"}) {
    CAPTURE(name);
    CHECK(io::encode_safetensors({{name, a}}, {}).why().code() == ADAHOP_INVALID_ARGUMENT);
  }
  CHECK(io::encode_safetensors({{"a", a}, {"a", a}}, {}).why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(io::encode_safetensors({{"a", {io::dtype::u8, {5}, a.bytes}}}, {}).why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(io::encode_safetensors({{"a", a}}, {{"k", "\xFF"}}).why().code() == ADAHOP_INVALID_ARGUMENT);
}
