// A SAX handler for the one schema {"__metadata__": {text: text}, NAME: {"dtype", "shape", "data_offsets"}}.
// Implements SPEC 12.5.
#include "adahop/io/safetensors_header.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_set>

#include "adahop/io/file.h"

namespace adahop::io {
namespace {

using json = nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";
constexpr uint64_t kMaxNumber = uint64_t{1} << 62;

// Every callback returns whether parsing goes on; the first refusal is kept in `why`.
class handler : public nlohmann::json_sax<json> {
 public:
  explicit handler(const std::string& where) : where_(where) {}

  safetensors_header out;
  status why;

  bool start_object(size_t) override {
    if (place_ == place::start) return enter(place::top);
    if (place_ == place::value_of_top) return enter(in_metadata_ ? place::metadata : place::tensor);
    return unexpected("an object");
  }

  bool key(string_t& text) override {
    key_ = text;
    if (place_ == place::metadata) {
      if (out.meta.contains(text)) return refuse(std::string(kMetadata), "each key once", in_quotes(text) + " twice");
      return true;
    }
    if (place_ == place::tensor) {
      unsigned& seen = text == "dtype" ? seen_dtype_ : text == "shape" ? seen_shape_ : seen_offsets_;
      if (text != "dtype" && text != "shape" && text != "data_offsets")
        return refuse(in_quotes(tensor_.name), "the keys dtype, shape and data_offsets", in_quotes(text));
      return seen++ == 0 || refuse(in_quotes(tensor_.name), "each key once", in_quotes(text) + " twice");
    }
    // A name is printed in messages and tables, so it must not be able to move a terminal's cursor.
    for (const char c : text)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
        return refuse("header", "names without control characters", in_quotes(text));
    if (text.empty()) return refuse("header", "names", "an empty one");
    if (!names_.insert(text).second) return refuse("header", "each name once", in_quotes(text) + " twice");
    in_metadata_ = text == kMetadata;
    place_ = place::value_of_top;
    tensor_ = {};
    tensor_.name = text;
    seen_dtype_ = seen_shape_ = seen_offsets_ = 0;
    return true;
  }

  bool end_object() override {
    if (place_ == place::tensor) {
      if (seen_dtype_ == 0 || seen_shape_ == 0 || seen_offsets_ == 0)
        return refuse(in_quotes(tensor_.name), "the keys dtype, shape and data_offsets",
                      fmt::format("no {}", seen_dtype_ == 0   ? "dtype"
                                           : seen_shape_ == 0 ? "shape"
                                                              : "data_offsets"));
      if (offsets_ != 2) return refuse(field(), "two data_offsets", fmt::format("{}", offsets_));
      out.tensors.push_back(tensor_);
    }
    return enter(place_ == place::top ? place::end : place::top);
  }

  bool string(string_t& text) override {
    if (place_ == place::metadata) {
      out.meta[key_] = text;
      return true;
    }
    if (place_ != place::tensor || key_ != "dtype") return unexpected("a text");
    tensor_.dtype_name = text;
    return true;
  }

  bool start_array(size_t) override {
    if (place_ != place::tensor || key_ == "dtype") return unexpected("an array");
    offsets_ = 0;
    return enter(place::numbers);
  }
  bool end_array() override { return enter(place::tensor); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ != place::numbers) return unexpected("a number");
    if (value > kMaxNumber) return refuse(field(), "numbers below 2^62", fmt::format("{}", value));
    if (key_ == "shape") {
      if (tensor_.shape.size() == kMaxDimensions)
        return refuse(field(), fmt::format("at most {} dimensions", kMaxDimensions), "more");
      tensor_.shape.push_back(static_cast<int64_t>(value));
      return true;
    }
    (offsets_ == 0 ? tensor_.begin : tensor_.end) = value;
    return ++offsets_ <= 2 || refuse(field(), "two numbers", "more");
  }

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("true or false"); }
  bool number_integer(number_integer_t v) override { return unexpected(fmt::format("{}", v)); }
  bool number_float(number_float_t, const string_t& text) override { return unexpected(printable(text)); }
  bool binary(binary_t&) override { return unexpected("binary"); }

  bool parse_error(size_t position, const std::string&, const json::exception&) override {
    return refuse("header", "JSON", fmt::format("an error at byte {}", position));
  }

 private:
  enum class place { start, top, value_of_top, metadata, tensor, numbers, end };

  std::string field() const { return fmt::format("'{}' {}", printable(tensor_.name), printable(key_)); }

  bool enter(place p) {
    place_ = p;
    return true;
  }

  bool refuse(std::string_view field, std::string_view expected, std::string_view found) {
    why = bad_file(fmt::format("{}: {}: expected {}, found {}", where_, field, expected, found));
    return false;
  }

  bool unexpected(std::string_view found) {
    switch (place_) {
      case place::start: return refuse("header", "an object", found);
      case place::value_of_top: return refuse(in_quotes(tensor_.name), "an object", found);
      case place::metadata: return refuse(fmt::format("{} {}", kMetadata, in_quotes(key_)), "a text", found);
      case place::tensor: return refuse(field(), key_ == "dtype" ? "a text" : "an array", found);
      case place::numbers: return refuse(field(), "non-negative integers", found);
      case place::top:
      case place::end: break;
    }
    return refuse("header", "nothing more", found);
  }

  const std::string& where_;
  place place_ = place::start;
  std::string key_;
  std::unordered_set<std::string> names_;
  bool in_metadata_ = false;
  tensor_entry tensor_;
  unsigned seen_dtype_ = 0, seen_shape_ = 0, seen_offsets_ = 0;
  int offsets_ = 0;
};

}  // namespace

result<safetensors_header> parse_safetensors_header(std::string_view text, const std::string& where) {
  // The JSON library would skip a byte order mark and leading blanks; the format allows neither.
  if (text.empty() || text.front() != '{')
    return bad_file(where + ": header: expected '{' first, found another beginning");
  // It would also take a NUL for the end of the text and never look at what follows.
  if (text.find('\0') != text.npos) return bad_file(where + ": header: expected JSON, found a NUL byte");
  handler h(where);
  if (!json::sax_parse(text.begin(), text.end(), &h) || !h.why.ok()) return h.why;
  return std::move(h.out);
}

}  // namespace adahop::io
