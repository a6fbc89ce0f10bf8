// Metadata and cross-checks of the quantized file. Implements SPEC 3.7, 12.1 to 12.5.
#include "adahop/io/mx_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "adahop/formats/scale_layout.h"
#include "adahop/io/file.h"

namespace adahop::io {
namespace {

constexpr std::string_view kFormat = "adahop-mxfp4/1";
constexpr std::string_view kPolicyPrefix = "adahop-policy/1 ";

std::string name(transform t, const policy& how) {
  return t == transform::hadamard ? fmt::format("hadamard{}", how.hadamard_size) : "none";
}

// The dimension that a policy stores for a logical one (SPEC 3.7).
int64_t stored_inner(const policy& how, int64_t logical) {
  return how.pad == ADAHOP_PAD_ZERO ? round_up(logical, std::max(kBlockSize, how.hadamard_size)) : logical;
}

// The shape of the tensor `scales`.
std::vector<int64_t> scales_shape(const policy& how, int64_t outer, int64_t inner) {
  const int64_t blocks = inner / kBlockSize;
  if (how.scale_layout == ADAHOP_LAYOUT_LINEAR) return {outer, blocks};
  return {round_up(outer, kShuffleRows), round_up(blocks, kShuffleBlocks)};
}

// Errors and look-ups for one file's metadata.
class fields {
 public:
  explicit fields(const safetensors& file) : file_(file) {}

  status wrong(std::string_view field, std::string_view expected, std::string_view found) const {
    return bad_file(fmt::format("{}: {}: expected {}, found {}", file_.where(), field, expected, found));
  }
  status wrong_text(std::string_view field, std::string_view expected) const {
    const std::string* text = find(field);
    return wrong(fmt::format("metadata {}", field), expected, text == nullptr ? std::string("none") : in_quotes(*text));
  }
  const std::string* find(std::string_view field) const {
    const auto at = file_.meta().find(std::string(field));
    return at == file_.meta().end() ? nullptr : &at->second;
  }
  bool is(std::string_view field, std::string_view value) const {
    const std::string* text = find(field);
    return text != nullptr && *text == value;
  }

 private:
  const safetensors& file_;
};

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// "[3, 64]" as shape_text() writes it.
std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<int64_t> shape;
  while (!text.empty()) {
    const size_t comma = text.find(", ");
    const std::optional<int64_t> d = parse_integer(text.substr(0, comma));
    if (!d || shape.size() == kMaxDimensions) return std::nullopt;
    shape.push_back(*d);
    if (comma == text.npos) return shape;
    text.remove_prefix(comma + 2);
    if (text.empty()) return std::nullopt;
  }
  return shape;
}

result<policy> read_policy(const fields& f) {
  const std::string* line = f.find("policy");
  if (line == nullptr || !line->starts_with(kPolicyPrefix))
    return f.wrong_text("policy", fmt::format("a line that begins with '{}'", kPolicyPrefix));
  const result<policy> p = parse_policy(std::string_view(*line).substr(kPolicyPrefix.size()), default_policy());
  if (!p.ok()) return f.wrong("metadata policy", "a policy of this version", printable(p.why().message()));
  if (canonical_line(p.value()) != *line) return f.wrong_text("policy", "the canonical line");
  if (!f.is("policy_sha256", policy_hash(p.value())))
    return f.wrong_text("policy_sha256", "the hash of the policy line, " + policy_hash(p.value()));
  return p;
}

// The metadata alone.
result<mx_file> read_metadata(const fields& f) {
  mx_file out;
  if (!f.is("format", kFormat)) return f.wrong_text("format", fmt::format("'{}'", kFormat));
  result<policy> p = read_policy(f);
  if (!p.ok()) return p.why();
  out.how = p.value();

  const bool split = out.how.nibble_order == ADAHOP_NIBBLES_GGML_SPLIT;
  if (!f.is("nibble_order", split ? "ggml_split" : "linear"))
    return f.wrong_text("nibble_order", fmt::format("'{}' as the policy says", split ? "ggml_split" : "linear"));

  const std::string* shape_line = f.find("logical_shape");
  const auto shape = shape_line == nullptr ? std::nullopt : parse_shape(*shape_line);
  if (!shape) return f.wrong_text("logical_shape", "a shape such as '[3, 64]'");
  out.logical_shape = *shape;
  if (!f.is("axis", "0") && !f.is("axis", "1")) return f.wrong_text("axis", "'0' or '1'");
  out.axis = f.is("axis", "1") ? 1 : 0;
  const std::string transformed = name(transform::hadamard, out.how);
  if (f.is("transform", transformed)) out.applied = transform::hadamard;
  else if (!f.is("transform", name(transform::none, out.how)))
    return f.wrong_text("transform", fmt::format("'none' or '{}'", transformed));
  const std::string* clipped = f.find("clipped");
  const auto count = clipped == nullptr ? std::nullopt : parse_integer(*clipped);
  if (!count) return f.wrong_text("clipped", "a count");
  out.clipped = *count;
  return out;
}

// [outer, inner] of the tensor that was quantized.
extents logical_extents(const mx_file& m) {
  const extents e = flattened(m.logical_shape);
  return m.axis == 1 ? e : extents{e.cols, e.rows};
}

// The same as it is stored.
extents stored_extents(const mx_file& m) {
  const extents e = logical_extents(m);
  return {e.rows, stored_inner(m.how, e.cols)};
}

// The tensors and the metadata of a quantized file, sharing its bytes.
struct container {
  std::vector<named_array> tensors;
  metadata meta;
};
result<container> container_of(const mx_file& m) {
  const extents e = stored_extents(m);
  if (e.rows != m.data.outer || e.cols != m.data.inner)
    return invalid_argument(
        fmt::format("quantized file: shape: expected [{}, {}] for logical shape {} and axis {}, found [{}, {}]", e.rows,
                    e.cols, shape_text(m.logical_shape), m.axis, m.data.outer, m.data.inner));
  if (m.how.nibble_order != ADAHOP_NIBBLES_LINEAR)
    return unsupported("quantized file: policy: expected nibble_order=linear");
  return container{{{"codes", {dtype::f4, {m.data.outer, m.data.inner}, m.data.codes}},
                    {"scales", {dtype::f8_e8m0, scales_shape(m.how, e.rows, e.cols), m.data.scales}}},
                   {{"format", std::string(kFormat)},
                    {"policy", canonical_line(m.how)},
                    {"policy_sha256", policy_hash(m.how)},
                    {"logical_shape", shape_text(m.logical_shape)},
                    {"axis", fmt::format("{}", m.axis)},
                    {"transform", name(m.applied, m.how)},
                    {"clipped", fmt::format("{}", m.clipped)},
                    {"nibble_order", "linear"},
                    {"scales_format", "e8m0"}}};
}

}  // namespace

int64_t mx_file::logical_inner() const { return logical_extents(*this).cols; }

adahop_mx view_of(mx_buffer& m) {
  return {m.codes.data(), m.scales.data(), m.outer, m.inner, m.inner / 2, m.inner / kBlockSize};
}

// The ABI's views are not const, and input views are only read.
adahop_mx view_of(const mx_data& m) {
  return {const_cast<uint8_t*>(m.codes.data()), const_cast<uint8_t*>(m.scales.data()), m.outer, m.inner, m.inner / 2,
          m.inner / kBlockSize};
}

mx_data::mx_data(mx_matrix m)
    : outer(m.outer), inner(m.inner), codes(std::move(m.codes)), scales(std::move(m.scales)) {}
mx_data::mx_data(mx_buffer m)
    : outer(m.outer), inner(m.inner), codes(std::move(m.codes)), scales(std::move(m.scales)) {}

tensor_bytes mx_file::linear_scales() const {
  if (how.scale_layout == ADAHOP_LAYOUT_LINEAR) return data.scales;
  const int64_t blocks = data.inner / kBlockSize;
  tensor_buffer linear(static_cast<size_t>(data.outer * blocks));
  for (int64_t r = 0; r < data.outer; ++r)
    for (int64_t b = 0; b < blocks; ++b)
      linear.data()[r * blocks + b] = data.scales[static_cast<size_t>(shuffled_scale_offset(r, b, blocks))];
  return linear;
}

mx_buffer make_mx_buffer(const policy& how, int64_t outer, int64_t inner) {
  mx_buffer m{outer, stored_inner(how, inner), {}, {}};
  m.codes = tensor_buffer(static_cast<size_t>(m.outer * m.inner / 2));
  const std::vector<int64_t> shape = scales_shape(how, m.outer, m.inner);
  m.scales = tensor_buffer(static_cast<size_t>(shape[0] * shape[1]));
  return m;
}

bool is_mx_file(const safetensors& file) {
  const fields f(file);
  return f.is("format", kFormat) || (file.find("codes") != nullptr && file.find("scales") != nullptr);
}

result<mx_file> parse_mx_file(const safetensors& file) {
  const fields f(file);
  result<mx_file> meta = read_metadata(f);
  if (!meta.ok()) return meta.why();
  mx_file out = std::move(meta).value();

  const result<array> codes = file.load("codes");
  if (!codes.ok()) return bad_file(codes.why().message());
  const result<array> scales = file.load("scales");
  if (!scales.ok()) return bad_file(scales.why().message());
  const array& c = codes.value();
  const array& s = scales.value();
  if (c.type != dtype::f4) return f.wrong("'codes' dtype", "F4", io::name(c.type));
  if (s.type != dtype::f8_e8m0 && s.type != dtype::u8) return f.wrong("'scales' dtype", "F8_E8M0", io::name(s.type));
  if (s.type == dtype::u8 && !f.is("scales_format", "e8m0"))
    return f.wrong("'scales' dtype", "F8_E8M0, or U8 with metadata scales_format 'e8m0'", "U8 without it");

  // Bounds the product of the dimensions; 8 bits, since the last one may be odd where axis 0 was quantized.
  const auto bounded = storage_bytes(8, out.logical_shape, file.where() + ": metadata logical_shape");
  if (!bounded.ok()) return bounded.why();
  const extents e = stored_extents(out);
  const std::vector<int64_t> want_codes{e.rows, e.cols};
  if (c.shape != want_codes)
    return f.wrong("'codes' shape",
                   fmt::format("{} for logical shape {} and axis {}", shape_text(want_codes),
                               shape_text(out.logical_shape), out.axis),
                   shape_text(c.shape));
  if (e.cols % kBlockSize != 0)
    return f.wrong("'codes' shape", "an inner dimension that is a multiple of 32", shape_text(c.shape));
  const std::vector<int64_t> want_scales = scales_shape(out.how, e.rows, e.cols);
  if (s.shape != want_scales) return f.wrong("'scales' shape", shape_text(want_scales), shape_text(s.shape));
  if (out.clipped > e.rows * e.cols)
    return f.wrong("metadata clipped", fmt::format("at most {} elements", e.rows * e.cols),
                   fmt::format("{}", out.clipped));

  out.data.outer = e.rows;
  out.data.inner = e.cols;
  out.data.codes = c.bytes;
  out.data.scales = s.bytes;
  if (out.how.nibble_order == ADAHOP_NIBBLES_GGML_SPLIT) {
    std::vector<uint8_t> linear(c.bytes.begin(), c.bytes.end());
    linear_from_ggml_split(linear);
    out.data.codes = std::move(linear);
    out.how.nibble_order = ADAHOP_NIBBLES_LINEAR;
  }
  return out;
}

result<mx_file> read_mx_file(const std::string& path) {
  const result<safetensors> file = safetensors::read(path);
  if (!file.ok()) return file.why();
  return parse_mx_file(file.value());
}

result<std::vector<uint8_t>> encode_mx_file(const mx_file& m) {
  const result<container> c = container_of(m);
  if (!c.ok()) return c.why();
  return encode_safetensors(c->tensors, c->meta);
}

status write_mx_file(const std::string& path, const mx_file& m) {
  const result<container> c = container_of(m);
  if (!c.ok()) return c.why();
  return write_safetensors(path, c->tensors, c->meta);
}

void linear_from_ggml_split(std::vector<uint8_t>& codes) {
  for (size_t block = 0; block + kBlockBytes <= codes.size(); block += kBlockBytes) {
    uint8_t split[kBlockBytes];
    std::copy_n(codes.begin() + static_cast<ptrdiff_t>(block), kBlockBytes, split);
    // Element i is in the low nibble of byte i for i < 16, else in the high nibble of byte i - 16.
    const auto element = [&](uint32_t i) {
      return i < kBlockBytes ? unpack_e2m1(split[i], 0) : unpack_e2m1(split[i - kBlockBytes], 1);
    };
    for (uint32_t i = 0; i < kBlockBytes; ++i)
      codes[block + i] = pack_e2m1(element(2 * i), element(2 * i + 1));
  }
}

}  // namespace adahop::io
