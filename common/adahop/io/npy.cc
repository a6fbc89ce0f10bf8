// The .npy container: magic, version, header length, and a header that is one line of a Python dict, read by a parser
// that knows exactly that line's grammar. Implements SPEC 12.5.
#include "adahop/io/npy.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "adahop/io/file.h"
#include "adahop/io/mapping.h"

namespace adahop::io {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr size_t kAlignment = 64;
// NumPy itself refuses to evaluate more than 10,000 characters; a legal header with 8 dimensions has under 300.
constexpr size_t kMaxHeader = 65536;

struct header {
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } with the keys in any order, each once.
class header_parser {
 public:
  header_parser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  result<header> parse() {
    header h;
    bool seen_descr = false, seen_order = false, seen_shape = false;
    if (!take('{')) return wrong("header", "'{'");
    while (!take('}')) {
      std::string key;
      if (!string_literal(key)) return wrong("header", "a quoted key or '}'");
      bool& seen = key == "descr" ? seen_descr : key == "fortran_order" ? seen_order : seen_shape;
      if (key != "descr" && key != "fortran_order" && key != "shape")
        return bad_file(fmt::format("{}: header: expected the keys descr, fortran_order and shape, found '{}'", where_,
                                    printable(key)));
      if (seen) return bad_file(fmt::format("{}: header: expected each key once, found '{}' twice", where_, key));
      seen = true;
      if (!take(':')) return wrong("header", "':'");
      if (key == "descr") {
        if (!string_literal(h.descr)) return wrong("descr", "a quoted type such as '<f4'");
      } else if (key == "fortran_order") {
        if (!boolean(h.fortran_order)) return wrong("fortran_order", "True or False");
      } else if (status s = tuple(h.shape); !s.ok()) {
        return s;
      }
      if (!take(',')) {
        if (!take('}')) return wrong("header", "',' or '}'");
        break;
      }
    }
    skip_spaces();
    if (rest() != "\n") return wrong("header", "spaces and one newline after '}'");
    if (!seen_descr || !seen_order || !seen_shape)
      return bad_file(fmt::format("{}: header: expected the keys descr, fortran_order and shape, found no {}", where_,
                                  !seen_descr   ? "descr"
                                  : !seen_order ? "fortran_order"
                                                : "shape"));
    return h;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
  }

  bool take(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // A string without escapes: no type and no key needs one.
  bool string_literal(std::string& out) {
    skip_spaces();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return false;
    const size_t end = text_.find(text_[at_], at_ + 1);
    if (end == text_.npos) return false;
    out = text_.substr(at_ + 1, end - at_ - 1);
    if (out.find('\\') != out.npos) return false;
    at_ = end + 1;
    return true;
  }

  bool boolean(bool& out) {
    skip_spaces();
    out = rest().starts_with("True");
    if (!out && !rest().starts_with("False")) return false;
    at_ += out ? 4 : 5;
    return true;
  }

  // (), (3,), (3, 4), (3, 4,): a lone (3) is a number in Python, not a shape.
  status tuple(std::vector<int64_t>& out) {
    if (!take('(')) return wrong("shape", "a tuple such as (3, 4)");
    bool comma = true;
    while (!take(')')) {
      if (!comma) return wrong("shape", "',' or ')'");
      const std::optional<int64_t> d = number();
      if (!d) return wrong("shape", "a dimension from 0 to 999999999999999999");
      if (out.size() == kMaxDimensions) return wrong("shape", fmt::format("at most {} dimensions", kMaxDimensions));
      out.push_back(*d);
      comma = take(',');
    }
    if (out.size() == 1 && !comma) return wrong("shape", "a comma after a single dimension, as in (3,)");
    return {};
  }

  std::optional<int64_t> number() {
    skip_spaces();
    int64_t value = 0;
    size_t digits = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, ++digits) {
      if (digits == 18) return std::nullopt;               // 10^18 - 1 still fits in 63 bits
      if (digits == 1 && value == 0) return std::nullopt;  // Python refuses leading zeros
      value = value * 10 + (text_[at_] - '0');
    }
    if (digits == 0) return std::nullopt;
    return value;
  }

  status wrong(std::string_view field, std::string_view expected) {
    skip_spaces();
    return bad_file(fmt::format("{}: {}: expected {}, found {}", where_, field, expected,
                                rest().empty() ? std::string("the end") : in_quotes(rest().substr(0, 24))));
  }

  std::string_view text_;
  const std::string& where_;
  size_t at_ = 0;
};

result<dtype> type_of(const std::string& descr, u2_meaning u2, const std::string& where) {
  if (descr == "<f4") return dtype::f32;
  if (descr == "<f8") return dtype::f64;
  if (descr == "|u1") return dtype::u8;
  if (descr == "<V2" || descr == "|V2") return dtype::bf16;
  if (descr == "<u2" && u2 == u2_meaning::bf16) return dtype::bf16;
  const char* remark = descr.starts_with('>') ? " (big-endian)" : descr == "<u2" ? ", not declared to be BF16" : "";
  return bad_file(fmt::format("{}: descr: expected '<f4', '<f8', '|u1', '<V2' or '|V2' (BF16), found '{}'{}", where,
                              printable(descr), remark));
}

uint32_t little_endian(std::span<const uint8_t> bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    value |= uint32_t{bytes[i]} << (8 * i);
  return value;
}

// What stands in front of the data.
struct front {
  dtype type;
  std::vector<int64_t> shape;
  size_t data_at;
};

// `file` is the file or at least the first kLongestFront of its `file_bytes`.
constexpr size_t kLongestFront = kMagic.size() + 2 + 4 + kMaxHeader;
result<front> parse_front(std::span<const uint8_t> file, uint64_t file_bytes, const std::string& where, u2_meaning u2) {
  const auto wrong = [&](std::string_view field, std::string_view expected, const std::string& found) {
    return bad_file(fmt::format("{}: {}: expected {}, found {}", where, field, expected, found));
  };
  if (file.size() < kMagic.size() || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0)
    return wrong("magic", "\\x93NUMPY", "another beginning");
  if (file.size() < 8) return wrong("version", "two bytes", "the end of the file");
  const int major = file[6], minor = file[7];
  if (major < 1 || major > 3 || minor != 0)
    return wrong("version", "1.0, 2.0 or 3.0", fmt::format("{}.{}", major, minor));
  const size_t length_bytes = major == 1 ? 2 : 4;
  const size_t header_at = 8 + length_bytes;
  if (file.size() < header_at)
    return wrong("header length", fmt::format("{} bytes", length_bytes), fmt::format("{}", file.size() - 8));
  const size_t header_bytes = little_endian(file.subspan(8, length_bytes));
  const uint64_t left = file_bytes - header_at;
  if (header_bytes > kMaxHeader)
    return wrong("header length", fmt::format("at most {}", kMaxHeader), fmt::format("{}", header_bytes));
  if (header_bytes > left)
    return wrong("header length", fmt::format("at most the {} bytes left in the file", left),
                 fmt::format("{}", header_bytes));

  const auto* text = reinterpret_cast<const char*>(file.data()) + header_at;
  const result<header> parsed = header_parser({text, header_bytes}, where).parse();
  if (!parsed.ok()) return parsed.why();
  const header& h = parsed.value();
  const result<dtype> type = type_of(h.descr, u2, where);
  if (!type.ok()) return type.why();
  if (h.fortran_order) return wrong("fortran_order", "False (C order)", "True (Fortran order)");
  const result<uint64_t> bytes = storage_bytes(bits_of_element(type.value()), h.shape, where);
  if (!bytes.ok()) return bytes.why();
  if (left - header_bytes != bytes.value())
    return wrong("data", fmt::format("{} bytes for shape {}", bytes.value(), shape_text(h.shape)),
                 fmt::format("{}", left - header_bytes));
  return front{type.value(), h.shape, header_at + header_bytes};
}

// What is written in front of the data.
result<std::vector<uint8_t>> encode_front(const array& a) {
  std::string_view descr;
  switch (a.type) {
    case dtype::f32: descr = "<f4"; break;
    case dtype::f64: descr = "<f8"; break;
    case dtype::u8: descr = "|u1"; break;
    case dtype::bf16: descr = "<V2"; break;
    case dtype::f4:
    case dtype::f8_e8m0:
      return invalid_argument(fmt::format(".npy: dtype: expected one that NumPy has, found {}", name(a.type)));
  }
  std::string shape;
  for (const int64_t d : a.shape)
    shape += fmt::format("{}{}", shape.empty() ? "" : ", ", d);
  if (a.shape.size() == 1) shape += ',';
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
  const size_t unpadded = kMagic.size() + 4 + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';

  std::string file{kMagic};
  file += {'\x01', '\x00', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  file += text;
  return std::vector<uint8_t>(file.begin(), file.end());
}

}  // namespace

result<array> parse_npy(const tensor_bytes& file, const std::string& where, u2_meaning u2) {
  result<front> f = parse_front(file, file.size(), where, u2);
  if (!f.ok()) return f.why();
  return array{f->type, std::move(f->shape), file.part(f->data_at, file.size() - f->data_at)};
}

result<array> read_npy(const std::string& path, u2_meaning u2) {
  result<input_file> file = input_file::open(path);
  if (!file.ok()) return file.why();
  ADAHOP_TRY(file->read_to(kLongestFront));
  result<front> f = parse_front(file->bytes(), file->size(), path, u2);
  if (!f.ok()) return f.why();
  const result<tensor_bytes> content = content_of(file.value());
  if (!content.ok()) return content.why();
  return array{f->type, std::move(f->shape), content->part(f->data_at, content->size() - f->data_at)};
}

result<std::vector<uint8_t>> encode_npy(const array& a) {
  result<std::vector<uint8_t>> file = encode_front(a);
  if (file.ok()) file->insert(file->end(), a.bytes.begin(), a.bytes.end());
  return file;
}

status write_npy(const std::string& path, const array& a) {
  const result<std::vector<uint8_t>> front = encode_front(a);
  if (!front.ok()) return front.why();
  return write_parts(path, {front.value(), a.bytes});
}

}  // namespace adahop::io
