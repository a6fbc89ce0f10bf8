// The safetensors container around its header: sizes, offsets, types; and the writer. Implements SPEC 12.5.
#include "adahop/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "adahop/io/file.h"
#include "adahop/io/mapping.h"
#include "adahop/io/safetensors_header.h"

namespace adahop::io {
namespace {

constexpr uint64_t kMaxHeader = 100'000'000;
constexpr size_t kLengthBytes = 8;
constexpr size_t kListedNames = 32;  // in a message

struct known_type {
  std::string_view name;
  uint64_t bits;
  std::optional<dtype> type;
};

// In the format's own order, narrow to wide, by which its Python package sorts (reversed).
constexpr std::array<known_type, 20> kTypes{{
    {"BOOL", 8, {}},           {"F4", 4, dtype::f4}, {"F6_E2M3", 6, {}},
    {"F6_E3M2", 6, {}},        {"U8", 8, dtype::u8}, {"I8", 8, {}},
    {"F8_E5M2", 8, {}},        {"F8_E4M3", 8, {}},   {"F8_E8M0", 8, dtype::f8_e8m0},
    {"I16", 16, {}},           {"U16", 16, {}},      {"F16", 16, {}},
    {"BF16", 16, dtype::bf16}, {"I32", 32, {}},      {"U32", 32, {}},
    {"F32", 32, dtype::f32},   {"C64", 64, {}},      {"F64", 64, {}},
    {"I64", 64, {}},           {"U64", 64, {}},
}};

// Index into kTypes, or nothing.
std::optional<size_t> find_type(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i)
    if (kTypes[i].name == name) return i;
  return std::nullopt;
}

status check_tensor(tensor_entry& t, const std::string& where) {
  const std::string field = fmt::format("{}: '{}'", where, printable(t.name));
  const std::optional<size_t> type = find_type(t.dtype_name);
  if (!type)
    return bad_file(
        fmt::format("{}: dtype: expected a type of the format, found '{}'", field, printable(t.dtype_name)));
  t.type = kTypes[*type].type;
  const result<uint64_t> bytes = storage_bytes(kTypes[*type].bits, t.shape, field);
  if (!bytes.ok()) return bytes.why();
  if (t.end < t.begin)
    return bad_file(fmt::format("{}: data_offsets: expected begin <= end, found [{}, {}]", field, t.begin, t.end));
  if (t.end - t.begin != bytes.value())
    return bad_file(fmt::format("{}: data_offsets: expected {} bytes for {} {}, found {}", field, bytes.value(),
                                t.dtype_name, shape_text(t.shape), t.end - t.begin));
  return {};
}

// Tensors in order of begin must tile the data section.
status check_offsets(const std::vector<tensor_entry>& tensors, uint64_t data_bytes, const std::string& where) {
  uint64_t at = 0;
  for (const tensor_entry& t : tensors) {
    if (t.begin != at)
      return bad_file(fmt::format("{}: '{}': data_offsets: expected to begin at {}, without overlap or hole, found {}",
                                  where, printable(t.name), at, t.begin));
    if (t.end > data_bytes)
      return bad_file(fmt::format("{}: '{}': data_offsets: expected at most the {} data bytes of the file, found {}",
                                  where, printable(t.name), data_bytes, t.end));
    at = t.end;
  }
  if (at != data_bytes)
    return bad_file(fmt::format("{}: data: expected {} bytes as the header says, found {}", where, at, data_bytes));
  return {};
}

// Of the header, from the first bytes of a file of `file_bytes`.
result<uint64_t> header_length(std::span<const uint8_t> file, uint64_t file_bytes, const std::string& where) {
  if (file_bytes < kLengthBytes)
    return bad_file(fmt::format("{}: header length: expected {} bytes, found {}", where, kLengthBytes, file_bytes));
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i)
    length |= uint64_t{file[i]} << (8 * i);
  const uint64_t most = std::min(file_bytes - kLengthBytes, kMaxHeader);
  if (length > most)
    return bad_file(fmt::format("{}: header length: expected at most {}, found {}", where, most, length));
  return length;
}

}  // namespace

result<safetensors> safetensors::parse_front(std::span<const uint8_t> front, uint64_t file_bytes,
                                             const std::string& where) {
  const result<uint64_t> length = header_length(front, file_bytes, where);
  if (!length.ok()) return length.why();
  const auto* text = reinterpret_cast<const char*>(front.data()) + kLengthBytes;
  result<safetensors_header> header = parse_safetensors_header({text, static_cast<size_t>(length.value())}, where);
  if (!header.ok()) return header.why();
  safetensors out;
  out.where_ = where;
  out.meta_ = std::move(header->meta);
  out.tensors_ = std::move(header->tensors);
  for (tensor_entry& t : out.tensors_)
    ADAHOP_TRY(check_tensor(t, where));
  std::sort(out.tensors_.begin(), out.tensors_.end(), [](const tensor_entry& a, const tensor_entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  ADAHOP_TRY(check_offsets(out.tensors_, file_bytes - kLengthBytes - length.value(), where));
  for (size_t i = 0; i < out.tensors_.size(); ++i)
    out.by_name_.emplace(out.tensors_[i].name, i);
  out.data_at_ = kLengthBytes + static_cast<size_t>(length.value());
  return out;
}

result<safetensors> safetensors::parse(tensor_bytes file, const std::string& where) {
  result<safetensors> out = parse_front(file, file.size(), where);
  if (out.ok()) out->file_ = std::move(file);
  return out;
}

result<safetensors> safetensors::read(const std::string& path) {
  result<input_file> file = input_file::open(path);
  if (!file.ok()) return file.why();
  ADAHOP_TRY(file->read_to(kLengthBytes));
  const result<uint64_t> length = header_length(file->bytes(), file->size(), path);
  if (!length.ok()) return length.why();
  ADAHOP_TRY(file->read_to(kLengthBytes + length.value()));
  result<safetensors> out = parse_front(file->bytes(), file->size(), path);
  if (!out.ok()) return out;
  result<tensor_bytes> content = content_of(file.value());
  if (!content.ok()) return content.why();
  out->file_ = std::move(content).value();
  return out;
}

const tensor_entry* safetensors::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? nullptr : &tensors_[at->second];
}

result<array> safetensors::load(std::string_view name) const {
  const tensor_entry* t = find(name);
  if (t == nullptr) {
    std::string names;
    for (size_t i = 0; i < tensors_.size() && i < kListedNames; ++i)
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", printable(tensors_[i].name));
    if (tensors_.size() > kListedNames) names += fmt::format(" and {} more", tensors_.size() - kListedNames);
    return invalid_argument(fmt::format("{}: tensor '{}': expected one of {}", where_, printable(name),
                                        names.empty() ? "none, the file has no tensors" : names));
  }
  if (!t->type)
    return bad_file(fmt::format("{}: '{}': dtype: expected BF16, F32, U8, F4 or F8_E8M0, found {}", where_,
                                printable(name), t->dtype_name));
  return array{*t->type, t->shape, file_.part(data_at_ + t->begin, t->end - t->begin)};
}

result<safetensors::front> safetensors::encode_front(const std::vector<named_array>& tensors, const metadata& meta) {
  front out;
  for (const named_array& t : tensors)
    out.order.push_back(&t);
  // Widest type first, so that each tensor is aligned.
  const auto rank = [](const named_array* t) { return find_type(io::name(t->data.type)).value_or(0); };
  std::sort(out.order.begin(), out.order.end(), [&](const named_array* a, const named_array* b) {
    return std::make_tuple(rank(b), std::string_view(a->name)) < std::make_tuple(rank(a), std::string_view(b->name));
  });

  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!meta.empty()) header["__metadata__"] = meta;
  uint64_t at = 0;
  for (const named_array* t : out.order) {
    const std::string what = fmt::format("tensor '{}'", printable(t->name));
    if (t->name.empty() || t->name == "__metadata__" || header.contains(t->name))
      return invalid_argument(what + ": name: expected one that is not empty, reserved or repeated");
    const result<uint64_t> bytes = storage_bytes(bits_of_element(t->data.type), t->data.shape, what);
    if (!bytes.ok()) return invalid_argument(bytes.why().message());
    if (bytes.value() != t->data.bytes.size())
      return invalid_argument(
          fmt::format("{}: data: expected {} bytes, found {}", what, bytes.value(), t->data.bytes.size()));
    auto& entry = header[t->name];
    entry["dtype"] = io::name(t->data.type);
    entry["shape"] = t->data.shape;
    entry["data_offsets"] = {at, at + bytes.value()};
    at += bytes.value();
  }

  // Broken UTF-8 becomes U+FFFD under `replace` and would change a name silently, so it is looked for first.
  const std::string strict = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::ignore);
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  if (strict != text) return invalid_argument("safetensors: names and metadata: expected UTF-8, found other bytes");
  text.append((8 - text.size() % 8) % 8, ' ');
  for (size_t i = 0; i < kLengthBytes; ++i)
    out.bytes.push_back(static_cast<uint8_t>(uint64_t{text.size()} >> (8 * i)));
  out.bytes.insert(out.bytes.end(), text.begin(), text.end());
  // What the reader would refuse, say a name with control characters, must not be written.
  if (const result<safetensors> back = parse_front(out.bytes, out.bytes.size() + at, "safetensors"); !back.ok())
    return invalid_argument(back.why().message());
  return out;
}

result<std::vector<uint8_t>> encode_safetensors(const std::vector<named_array>& tensors, const metadata& meta) {
  result<safetensors::front> front = safetensors::encode_front(tensors, meta);
  if (!front.ok()) return front.why();
  std::vector<uint8_t> file = std::move(front->bytes);
  for (const named_array* t : front->order)
    file.insert(file.end(), t->data.bytes.begin(), t->data.bytes.end());
  return file;
}

status write_safetensors(const std::string& path, const std::vector<named_array>& tensors, const metadata& meta) {
  const result<safetensors::front> front = safetensors::encode_front(tensors, meta);
  if (!front.ok()) return front.why();
  file_parts parts{front->bytes};
  for (const named_array* t : front->order)
    parts.push_back(t->data.bytes);
  return write_parts(path, parts);
}

}  // namespace adahop::io
