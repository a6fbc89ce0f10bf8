// The quantized file: round trip, each check of metadata against data, U8 scales, nibble order. [spec:12.1]
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "adahop/io/mx_file.h"
#include "io_support.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;

namespace {

io::mx_file sample(std::vector<int64_t> shape, int axis) {
  io::mx_file m;
  m.logical_shape = std::move(shape);
  m.axis = axis;
  const io::extents e = io::flattened(m.logical_shape);
  mx_matrix data = axis == 1 ? mx_matrix(e.rows, e.cols) : mx_matrix(e.cols, e.rows);
  for (size_t i = 0; i < data.codes.size(); ++i)
    data.codes[i] = static_cast<uint8_t>(31 * i + 7);
  for (size_t i = 0; i < data.scales.size(); ++i)
    data.scales[i] = static_cast<uint8_t>(120 + i);
  m.data = std::move(data);
  m.clipped = 3;
  return m;
}

// The file of sample({2, 64}, 1) in its parts, to be spoilt one part at a time.
struct parts {
  io::array codes, scales;
  io::metadata meta;
};

parts parts_of(const io::mx_file& m) {
  const auto f = io::safetensors::parse(io::encode_mx_file(m).value(), "t");
  REQUIRE(f.ok());
  return {f.value().load("codes").value(), f.value().load("scales").value(), f.value().meta()};
}

result<io::mx_file> parse(const parts& p) {
  const auto bytes = io::encode_safetensors({{"codes", p.codes}, {"scales", p.scales}}, p.meta);
  if (!bytes.ok()) return bytes.why();
  const auto f = io::safetensors::parse(bytes.value(), "t.safetensors");
  if (!f.ok()) return f.why();
  return io::parse_mx_file(f.value());
}

void set_policy(parts& p, const policy& how) {
  p.meta["policy"] = canonical_line(how);
  p.meta["policy_sha256"] = policy_hash(how);
}

}  // namespace

TEST_CASE("quantized file: names, types, shapes and metadata", "[spec:12.1]") {
  const io::mx_file m = sample({2, 64}, 1);
  const auto f = io::safetensors::parse(io::encode_mx_file(m).value(), "t");
  REQUIRE(f.ok());
  CHECK(io::is_mx_file(f.value()));
  const io::tensor_entry* codes = f.value().find("codes");
  const io::tensor_entry* scales = f.value().find("scales");
  REQUIRE(codes != nullptr);
  REQUIRE(scales != nullptr);
  CHECK(codes->dtype_name == "F4");
  CHECK(codes->shape == std::vector<int64_t>{2, 64});
  CHECK(scales->dtype_name == "F8_E8M0");
  CHECK(scales->shape == std::vector<int64_t>{2, 2});
  const io::metadata& meta = f.value().meta();
  CHECK(meta.at("policy") == canonical_line(default_policy()));
  CHECK(meta.at("policy_sha256") == policy_hash(default_policy()));
  CHECK(meta.at("axis") == "1");
  CHECK(meta.at("logical_shape") == "[2, 64]");
  CHECK(meta.at("clipped") == "3");
  CHECK(meta.at("nibble_order") == "linear");
}

TEST_CASE("quantized file: what is written comes back, either axis, any rank", "[spec:12.1][spec:12.2]") {
  const std::vector<std::pair<std::vector<int64_t>, int>> cases = {
      {{2, 64}, 1}, {{64, 3}, 0}, {{32}, 1}, {{2, 3, 32}, 1}, {{2, 16, 5}, 0}, {{0, 32}, 1}, {{32, 0}, 0}};
  for (const auto& [shape, axis] : cases)
    for (const io::transform t : {io::transform::none, io::transform::hadamard}) {
      CAPTURE(io::shape_text(shape), axis);
      io::mx_file m = sample(shape, axis);
      m.clipped = 0;
      m.applied = t;
      m.how = preset_policy("adahop_port").value();
      const auto f = io::safetensors::parse(io::encode_mx_file(m).value(), "t");
      REQUIRE(f.ok());
      const auto back = io::parse_mx_file(f.value());
      REQUIRE(back.ok());
      CHECK(back.value().logical_shape == shape);
      CHECK(back.value().axis == axis);
      CHECK(back.value().applied == t);
      CHECK(canonical_line(back.value().how) == canonical_line(m.how));
      CHECK(back.value().data.outer == m.data.outer);
      CHECK(back.value().data.inner == m.data.inner);
      CHECK(back.value().data.codes == m.data.codes);
      CHECK(back.value().data.scales == m.data.scales);
    }
}

TEST_CASE("quantized file: each contradiction is refused by name", "[spec:12.1][spec:12.5]") {
  struct spoilt {
    const char* what;
    std::function<void(parts&)> spoil;
    const char* message;
  };
  const auto meta = [](const char* key, const char* value) { return [=](parts& p) { p.meta[key] = value; }; };
  const auto drop = [](const char* key) { return [=](parts& p) { p.meta.erase(key); }; };
  const std::vector<spoilt> table = {
      {"no format", drop("format"), "metadata format: expected 'adahop-mxfp4/1', found none"},
      {"later format", meta("format", "adahop-mxfp4/2"), "found 'adahop-mxfp4/2'"},
      {"no policy", drop("policy"), "metadata policy: expected a line that begins with"},
      {"policy of another version", meta("policy", "adahop-policy/2 scale_rule=even"),
       "metadata policy: expected a line"},
      {"policy with an unknown rule", meta("policy", "adahop-policy/1 scale_rule=round"), "policy: scale_rule=round"},
      {"policy line not canonical", meta("policy", "adahop-policy/1 scale_rule=even"),
       "metadata policy: expected the canonical line"},
      {"no hash", drop("policy_sha256"), "metadata policy_sha256: expected the hash"},
      {"wrong hash", meta("policy_sha256", "00"), "metadata policy_sha256: expected the hash"},
      {"no axis", drop("axis"), "metadata axis: expected '0' or '1', found none"},
      {"axis 2", meta("axis", "2"), "metadata axis: expected '0' or '1', found '2'"},
      {"the other axis", meta("axis", "0"),
       "'codes' shape: expected [64, 2] for logical shape [2, 64] and axis 0, found [2, 64]"},
      {"no logical shape", drop("logical_shape"), "metadata logical_shape: expected a shape"},
      {"logical shape not one", meta("logical_shape", "2x64"), "metadata logical_shape: expected a shape"},
      {"logical shape negative", meta("logical_shape", "[-2, 64]"), "metadata logical_shape: expected a shape"},
      {"logical shape open", meta("logical_shape", "[2, 64, ]"), "metadata logical_shape: expected a shape"},
      {"logical shape of nine", meta("logical_shape", "[1, 1, 1, 1, 1, 1, 1, 2, 64]"),
       "metadata logical_shape: expected a shape"},
      {"logical shape wraps", meta("logical_shape", "[4294967296, 4294967296, 128]"), "at most 2^40 elements"},
      {"padded length said to be logical (F13)", meta("logical_shape", "[2, 33]"), "'codes' shape: expected [2, 33]"},
      {"another logical shape", meta("logical_shape", "[4, 32]"), "'codes' shape: expected [4, 32]"},
      {"no transform", drop("transform"), "metadata transform: expected 'none' or 'hadamard32', found none"},
      {"another transform", meta("transform", "hadamard64"), "found 'hadamard64'"},
      {"no clipped", drop("clipped"), "metadata clipped: expected a count"},
      {"clipped negative", meta("clipped", "-1"), "metadata clipped: expected a count, found '-1'"},
      {"clipped with a tail", meta("clipped", "1x"), "metadata clipped: expected a count"},
      {"more clipped than elements", meta("clipped", "129"), "metadata clipped: expected at most 128 elements"},
      {"no nibble order", drop("nibble_order"), "metadata nibble_order: expected 'linear'"},
      {"nibble order against the policy", meta("nibble_order", "ggml_split"),
       "expected 'linear' as the policy says, found 'ggml_split'"},
      {"unknown nibble order", meta("nibble_order", "swapped"), "found 'swapped'"},
      {"scale layout",
       [](parts& p) { set_policy(p, parse_policy("scale_layout=gfx950_shuffle", default_policy()).value()); },
       "'scales' shape: expected [32, 8], found [2, 2]"},
      {"padding that the policy would have extended",
       [](parts& p) {
         set_policy(p, parse_policy("pad=zero", default_policy()).value());
         p.meta["logical_shape"] = "[2, 65]";
       },
       "'codes' shape: expected [2, 96]"},
      {"padding of the other axis",
       [](parts& p) {
         set_policy(p, parse_policy("pad=zero", default_policy()).value());
         p.meta["logical_shape"] = "[1, 64]";
       },
       "'codes' shape: expected [1, 64]"},
      {"transform of another size than the policy's",
       [](parts& p) {
         set_policy(p, parse_policy("hadamard_size=64", default_policy()).value());
         p.meta["transform"] = "hadamard32";
       },
       "metadata transform: expected 'none' or 'hadamard64', found 'hadamard32'"},
      {"codes as U8",
       [](parts& p) {
         p.codes = {io::dtype::u8, {2, 32}, p.codes.bytes};
       },
       "'codes' dtype: expected F4, found U8"},
      {"scales as BF16",
       [](parts& p) {
         p.scales = {io::dtype::bf16, {2, 1}, p.scales.bytes};
       },
       "'scales' dtype: expected F8_E8M0, found BF16"},
      {"codes transposed",
       [](parts& p) {
         p.codes.shape = {64, 2};
       },
       "'codes' shape: expected [2, 64]"},
      {"codes flat", [](parts& p) { p.codes.shape = {128}; }, "'codes' shape: expected [2, 64]"},
      {"scales transposed",
       [](parts& p) {
         p.scales.shape = {4, 1};
       },
       "'scales' shape: expected [2, 2], found [4, 1]"},
      {"a scale too few",
       [](parts& p) {
         p.scales = {io::dtype::f8_e8m0, {3}, zeros(3)};
       },
       "'scales' shape: expected [2, 2], found [3]"},
      {"inner no multiple of 32",
       [](parts& p) {
         p.codes = {io::dtype::f4, {2, 48}, zeros(48)};
         p.meta["logical_shape"] = "[2, 48]";
       },
       "'codes' shape: expected an inner dimension that is a multiple of 32, found [2, 48]"},
  };
  const parts good = parts_of(sample({2, 64}, 1));
  REQUIRE(parse(good).ok());
  for (const spoilt& s : table) {
    CAPTURE(s.what);
    parts p = good;
    s.spoil(p);
    const auto m = parse(p);
    REQUIRE_FALSE(m.ok());
    CHECK(m.why().code() == ADAHOP_BAD_FILE);
    CHECK_THAT(m.why().message(), Contains(s.message));
    CHECK(m.why().message().starts_with("t.safetensors: "));
    CHECK(m.why().message().find('\n') == std::string::npos);
  }
}

TEST_CASE("quantized file: a missing tensor is named", "[spec:12.1]") {
  const parts p = parts_of(sample({2, 64}, 1));
  for (const bool with_codes : {true, false}) {
    const auto bytes =
        io::encode_safetensors({{with_codes ? "codes" : "scales", with_codes ? p.codes : p.scales}}, p.meta);
    const auto f = io::safetensors::parse(bytes.value(), "t");
    REQUIRE(f.ok());
    CHECK_THAT(io::parse_mx_file(f.value()).why().message(),
               Contains(with_codes ? "tensor 'scales'" : "tensor 'codes'"));
  }
}

TEST_CASE("quantized file: U8 scales only where they are declared E8M0 (known fault F14)", "[spec:12.3]") {
  parts p = parts_of(sample({2, 64}, 1));
  p.scales.type = io::dtype::u8;
  const auto declared = parse(p);
  REQUIRE(declared.ok());
  CHECK(declared.value().data.scales == p.scales.bytes);
  p.meta.erase("scales_format");
  CHECK_THAT(parse(p).why().message(),
             Contains("'scales' dtype: expected F8_E8M0, or U8 with metadata scales_format 'e8m0'"));
  p.meta["scales_format"] = "u8";
  CHECK(parse(p).why().code() == ADAHOP_BAD_FILE);
  // Declared or not, F8_E8M0 needs no word.
  p.scales.type = io::dtype::f8_e8m0;
  CHECK(parse(p).ok());
}

TEST_CASE("quantized file: GGML's nibble order is converted (known fault F10)", "[spec:12.4]") {
  // Codes 0..15, then sixteen 0.
  const bytes linear = {0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE, 0, 0, 0, 0, 0, 0, 0, 0};
  const bytes split = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F};
  parts p = parts_of(sample({2, 64}, 1));
  p.codes.bytes = split + split + split + split;
  set_policy(p, parse_policy("nibble_order=ggml_split", default_policy()).value());
  // The policy says split, the metadata still says linear: contradiction, not a guess.
  CHECK_THAT(parse(p).why().message(), Contains("metadata nibble_order: expected 'ggml_split' as the policy says"));
  p.meta["nibble_order"] = "ggml_split";
  const auto m = parse(p);
  REQUIRE(m.ok());
  for (size_t block = 0; block < 4; ++block)
    CHECK(m.value().data.codes.part(16 * block, 16) == linear);
  CHECK(m.value().how.nibble_order == ADAHOP_NIBBLES_LINEAR);
}

TEST_CASE("GGML's order: every element of a block lands in its place", "[spec:12.4]") {
  for (uint32_t element = 0; element < 32; ++element)
    for (uint32_t code = 0; code < 16; ++code) {
      bytes block = zeros(16);
      block[element % 16] = static_cast<uint8_t>(element < 16 ? code : code << 4);
      io::linear_from_ggml_split(block);
      for (uint32_t i = 0; i < 32; ++i)
        REQUIRE(code_of(unpack_e2m1(block[i / 2], i)) == (i == element ? code : 0));
    }
}

TEST_CASE("quantized file: data that does not fit its metadata is not written", "[spec:12.1]") {
  io::mx_file m = sample({2, 64}, 1);
  m.axis = 0;
  CHECK(io::encode_mx_file(m).why().code() == ADAHOP_INVALID_ARGUMENT);
  m = sample({2, 64}, 1);
  m.how.nibble_order = ADAHOP_NIBBLES_GGML_SPLIT;
  CHECK(io::encode_mx_file(m).why().code() == ADAHOP_UNSUPPORTED);
  m = sample({2, 64}, 1);
  m.data.scales = m.data.scales.part(0, m.data.scales.size() - 1);
  CHECK(io::encode_mx_file(m).why().code() == ADAHOP_INVALID_ARGUMENT);
}

TEST_CASE("quantized file: padding, layout and transforms of other sizes come back",
          "[spec:12.1][spec:12.2][spec:3.5][spec:3.7]") {
  const std::vector<std::pair<std::vector<int64_t>, int>> cases = {
      {{2, 33}, 1}, {{33, 3}, 0}, {{1}, 1}, {{2, 3, 100}, 1}, {{0, 5}, 1}};
  for (const auto& [shape, axis] : cases)
    for (const int size : {16, 32, 128})
      for (const char* layout : {"linear", "gfx950_shuffle"}) {
        CAPTURE(io::shape_text(shape), axis, size, layout);
        io::mx_file m;
        m.logical_shape = shape;
        m.axis = axis;
        m.applied = io::transform::hadamard;
        const std::string how =
            fmt::format("pad=zero,hadamard_size={},hadamard_signs=random(3),scale_layout={}", size, layout);
        m.how = parse_policy(how, default_policy()).value();
        const io::extents e = io::flattened(shape);
        const int64_t outer = axis == 1 ? e.rows : e.cols, inner = axis == 1 ? e.cols : e.rows;
        const int64_t multiple = std::max(32, size);
        io::mx_buffer data = io::make_mx_buffer(m.how, outer, inner);
        CHECK(data.inner == (inner + multiple - 1) / multiple * multiple);
        CHECK(m.logical_inner() == inner);
        for (size_t i = 0; i < data.codes.size(); ++i)
          data.codes.data()[i] = static_cast<uint8_t>(31 * i + 7);
        for (size_t i = 0; i < data.scales.size(); ++i)
          data.scales.data()[i] = static_cast<uint8_t>(3 * i + 1);
        m.data = std::move(data);
        const auto f = io::safetensors::parse(io::encode_mx_file(m).value(), "t");
        REQUIRE(f.ok());
        CHECK(f.value().meta().at("transform") == fmt::format("hadamard{}", size));
        const auto back = io::parse_mx_file(f.value());
        INFO(back.why().message());
        REQUIRE(back.ok());
        CHECK(canonical_line(back.value().how) == canonical_line(m.how));
        CHECK(back.value().applied == io::transform::hadamard);
        CHECK(back.value().data.inner == m.data.inner);
        CHECK(back.value().logical_shape == shape);
        CHECK(back.value().data.codes == m.data.codes);
        CHECK(back.value().data.scales == m.data.scales);
        CHECK(back.value().linear_scales().size() == static_cast<size_t>(m.data.outer * m.data.inner / 32));
      }
}

TEST_CASE("quantized file: scales of a shuffled file in linear order (known fault F11)", "[spec:3.5]") {
  io::mx_file m;
  m.logical_shape = {64, 160};
  m.how = parse_policy("scale_layout=gfx950_shuffle", default_policy()).value();
  io::mx_buffer data = io::make_mx_buffer(m.how, 64, 160);
  REQUIRE(data.scales.size() == 512);
  std::fill_n(data.scales.data(), 512, uint8_t{0});
  data.scales.data()[256] = 1;  // (32, 0)
  data.scales.data()[7] = 2;    // (17, 4)
  data.scales.data()[63] = 3;   // (31, 4)
  m.data = std::move(data);
  const io::tensor_bytes linear = m.linear_scales();
  REQUIRE(linear.size() == 320);
  CHECK(linear[32 * 5] == 1);
  CHECK(linear[17 * 5 + 4] == 2);
  CHECK(linear[31 * 5 + 4] == 3);
  CHECK(std::count(linear.begin(), linear.end(), 0) == 317);
}
