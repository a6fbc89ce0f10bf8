// Walking a msgpack document (github.com/msgpack/msgpack, spec.md).
#include "sim/metadata_note.h"

namespace adahop::hip::sim {
namespace {

constexpr unsigned kMaxDepth = 16;

enum class item_kind : uint8_t { number, text, array, map, other };

struct item {
  item_kind kind = item_kind::other;
  uint64_t number = 0;    ///< of a number its value, of an array or map how many items or pairs follow
  std::string_view text;
};

// Reads items one after another; once something reaches outside or is no msgpack, `failed` stays set.
class cursor {
 public:
  explicit cursor(byte_span document) : fields_(document) {}
  bool failed() const { return failed_; }

  item next() {
    const auto lead = static_cast<uint8_t>(unsigned_field(1));
    if (lead <= 0x7F) return {item_kind::number, lead, {}};
    if (lead <= 0x8F) return {item_kind::map, lead & 0xFu, {}};
    if (lead <= 0x9F) return {item_kind::array, lead & 0xFu, {}};
    if (lead <= 0xBF) return text(lead & 0x1Fu);
    if (lead >= 0xE0) return {};  // a negative number
    switch (lead) {
      case 0xC0: case 0xC2: case 0xC3: return {};                    // nil, false, true
      case 0xC4: case 0xC5: case 0xC6: return skip(unsigned_field(1u << (lead - 0xC4)));       // binary
      case 0xC7: case 0xC8: case 0xC9: return skip(unsigned_field(1u << (lead - 0xC7)) + 1);   // extension: and its type
      case 0xCA: case 0xCB: return skip(lead == 0xCA ? 4 : 8);       // floating point
      case 0xCC: case 0xCD: case 0xCE: case 0xCF: return {item_kind::number, unsigned_field(1u << (lead - 0xCC)), {}};
      case 0xD0: case 0xD1: case 0xD2: case 0xD3: return skip(1u << (lead - 0xD0));            // signed: none is wanted
      case 0xD4: case 0xD5: case 0xD6: case 0xD7: case 0xD8: return skip((1u << (lead - 0xD4)) + 1);
      case 0xD9: case 0xDA: case 0xDB: return text(unsigned_field(1u << (lead - 0xD9)));
      case 0xDC: case 0xDD: return {item_kind::array, unsigned_field(lead == 0xDC ? 2 : 4), {}};
      case 0xDE: case 0xDF: return {item_kind::map, unsigned_field(lead == 0xDE ? 2 : 4), {}};
      default: failed_ = true; return {};
    }
  }

  // Passes over what belongs to an item already read.
  void pass(const item& i, unsigned depth) {
    if (i.kind != item_kind::array && i.kind != item_kind::map) return;
    if (depth == kMaxDepth) failed_ = true;
    const uint64_t items = i.kind == item_kind::map ? 2 * i.number : i.number;
    for (uint64_t n = 0; n < items && !failed_; ++n) pass(next(), depth + 1);
  }

 private:
  uint64_t unsigned_field(unsigned bytes) {  // big-endian
    uint64_t value = 0;
    for (unsigned n = 0; n < bytes; ++n) {
      const auto byte = fields_.at<uint8_t>(at_++);
      if (!byte) failed_ = true;
      value = value << 8 | byte.value_or(0);
    }
    return value;
  }
  item skip(uint64_t bytes) {
    if (!fields_.part(at_, bytes)) failed_ = true;
    else at_ += bytes;
    return {};
  }
  item text(uint64_t bytes) {
    const auto part = fields_.part(at_, bytes);
    if (!part) {
      failed_ = true;
      return {};
    }
    at_ += bytes;
    return {item_kind::text, 0, {reinterpret_cast<const char*>(part->data()), part->size()}};
  }

  field_reader fields_;
  uint64_t at_ = 0;
  bool failed_ = false;
};

// One entry of "amdhsa.kernels".
void read_kernel(cursor& c, std::unordered_map<std::string_view, uint32_t>& sizes) {
  const item map = c.next();
  if (map.kind != item_kind::map) return c.pass(map, 2);
  std::string_view name;
  uint64_t threads = 0;
  for (uint64_t n = 0; n < map.number && !c.failed(); ++n) {
    const item key = c.next();
    c.pass(key, 3);
    const item value = c.next();
    c.pass(value, 3);
    if (key.text == ".name") name = value.text;
    if (key.text == ".max_flat_workgroup_size" && value.kind == item_kind::number) threads = value.number;
  }
  if (!name.empty() && threads <= UINT32_MAX) sizes[name] = static_cast<uint32_t>(threads);
}

}  // namespace

result<std::unordered_map<std::string_view, uint32_t>> read_workgroup_sizes(byte_span document) {
  std::unordered_map<std::string_view, uint32_t> sizes;
  if (document.empty()) return sizes;
  cursor c(document);
  const item top = c.next();
  if (top.kind != item_kind::map) return bad_file("code object: its metadata is no msgpack map");
  for (uint64_t n = 0; n < top.number && !c.failed(); ++n) {
    const item key = c.next();
    c.pass(key, 1);
    const item value = c.next();
    if (key.text != "amdhsa.kernels" || value.kind != item_kind::array) {
      c.pass(value, 1);
      continue;
    }
    for (uint64_t k = 0; k < value.number && !c.failed(); ++k) read_kernel(c, sizes);
  }
  if (c.failed()) return bad_file("code object: its metadata is cut off or no msgpack");
  return sizes;
}

}  // namespace adahop::hip::sim
