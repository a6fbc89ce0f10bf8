// safetensors files and quantized files from anywhere (SPEC 12.1 to 12.5): what is accepted is written again and reads back
// equal, by bytes and by path. The mutator keeps the header's length true, so that the header itself is reached.
#include "adahop/io/safetensors.h"

#include <algorithm>
#include <charconv>
#include <random>

#include "adahop/io/mx_file.h"
#include "fuzz/files.h"

using namespace adahop;

// libFuzzer's; the plain reproducer has none.
extern "C" __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

constexpr size_t kLengthBytes = 8;

bool same(const io::tensor_entry& a, const io::tensor_entry& b) {
  return a.name == b.name && a.dtype_name == b.dtype_name && a.shape == b.shape && a.end - a.begin == b.end - b.begin;
}

void check_container(const io::safetensors& file) {
  std::vector<io::named_array> arrays;
  bool all_read = true;
  for (const io::tensor_entry& t : file.tensors()) {
    fuzz::require(file.find(t.name) == &t, "each tensor is found by its name");
    result<io::array> a = file.load(t.name);
    fuzz::check_refusal(a.why(), file.where());
    fuzz::require(a.ok() == t.type.has_value(), "a tensor loads where its type is read");
    if (a.ok()) arrays.push_back({t.name, std::move(a).value()});
    else all_read = false;
  }
  fuzz::require(file.load("\x01 no such tensor").why().code() == ADAHOP_INVALID_ARGUMENT, "an unknown name is refused");
  if (!all_read) return;
  const result<std::vector<uint8_t>> written = io::encode_safetensors(arrays, file.meta());
  fuzz::require(written.ok(), "accepted tensors can be written: " + written.why().message());
  const result<io::safetensors> back = io::safetensors::parse(written.value(), "written");
  fuzz::require(back.ok(), "what was written is read: " + back.why().message());
  fuzz::require(back->meta() == file.meta() && back->tensors().size() == arrays.size(), "written metadata and tensors are all there");
  for (const io::named_array& a : arrays) {
    const io::tensor_entry *before = file.find(a.name), *after = back->find(a.name);
    fuzz::require(after != nullptr && same(*before, *after), "a written tensor keeps name, type and shape");
    fuzz::require(back->load(a.name)->bytes == a.data.bytes, "a written tensor keeps its bytes");
  }
}

void check_quantized(const io::safetensors& file) {
  const result<io::mx_file> m = io::parse_mx_file(file);
  fuzz::check_refusal(m.why(), file.where());
  if (!m.ok()) return;
  fuzz::require(io::is_mx_file(file), "what parses as a quantized file claims to be one");
  const io::mx_data& d = m->data;
  fuzz::require(d.codes.size() == static_cast<size_t>(d.outer * d.inner / 2), "codes fill the stored shape");
  const size_t blocks = static_cast<size_t>(d.outer * (d.inner / kBlockSize));
  fuzz::require(m->linear_scales().size() == blocks, "one scale a block");
  const result<std::vector<uint8_t>> written = io::encode_mx_file(m.value());
  fuzz::require(written.ok(), "a quantized file can be written: " + written.why().message());
  const result<io::safetensors> container = io::safetensors::parse(written.value(), "written");
  fuzz::require(container.ok(), "a written quantized file is read: " + container.why().message());
  const result<io::mx_file> back = io::parse_mx_file(container.value());
  fuzz::require(back.ok(), "a written quantized file is taken: " + back.why().message());
  fuzz::require(back->data.outer == d.outer && back->data.inner == d.inner && back->data.codes == d.codes &&
                    back->data.scales == d.scales,
                "codes and scales come back");
  fuzz::require(canonical_line(back->how) == canonical_line(m->how) && back->logical_shape == m->logical_shape &&
                    back->axis == m->axis && back->applied == m->applied && back->clipped == m->clipped,
                "metadata comes back");
}

// The largest number behind a "data_offsets":[ of the header: how much data it wants.
size_t wanted_data(std::string_view header) {
  constexpr std::string_view kKey = "data_offsets";
  size_t most = 0;
  for (size_t at = header.find(kKey); at != header.npos; at = header.find(kKey, at)) {
    at += kKey.size();
    const size_t comma = header.find(',', at);
    if (comma == header.npos) break;
    size_t end = 0;
    std::from_chars(header.data() + comma + 1, header.data() + header.size(), end);
    most = std::max(most, end);
  }
  return most;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  if (size < kLengthBytes || max_size < 2 * kLengthBytes || random() % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) length |= uint64_t{data[i]} << (8 * i);
  length = std::min<uint64_t>(length, size - kLengthBytes);
  const auto cut = data + kLengthBytes + static_cast<ptrdiff_t>(length);
  std::vector<uint8_t> header(data + kLengthBytes, cut), rest(cut, data + size);
  std::vector<uint8_t>& changed = random() % 8 == 0 ? rest : header;
  const size_t room = max_size - kLengthBytes;
  const size_t before = changed.size();
  changed.resize(std::max(before, std::min(room, before + 256)));
  changed.resize(LLVMFuzzerMutate(changed.data(), before, changed.size()));
  if (random() % 2 == 0)
    rest.resize(std::min(room, wanted_data({reinterpret_cast<const char*>(header.data()), header.size()})), 0x5A);
  header.resize(std::min(header.size(), room));
  rest.resize(std::min(rest.size(), room - header.size()));
  for (size_t i = 0; i < kLengthBytes; ++i) data[i] = static_cast<uint8_t>(uint64_t{header.size()} >> (8 * i));
  std::copy(header.begin(), header.end(), data + kLengthBytes);
  std::copy(rest.begin(), rest.end(), data + kLengthBytes + header.size());
  return kLengthBytes + header.size() + rest.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static fuzz::memory_file file;
  const std::span<const uint8_t> bytes(data, size);
  const result<io::safetensors> parsed = io::safetensors::parse(std::vector<uint8_t>(data, data + size), file.path());
  fuzz::check_refusal(parsed.why(), file.path());
  if (!bytes.empty()) {  // a file of 0 bytes is refused before it is parsed
    file.set(bytes);
    const result<io::safetensors> read = io::safetensors::read(file.path());
    fuzz::require(read.ok() == parsed.ok() && read.why().message() == parsed.why().message(), "a path is judged as its bytes");
    if (read.ok()) fuzz::require(read->meta() == parsed->meta() && std::ranges::equal(read->tensors(), parsed->tensors(), same),
                                 "a path gives what its bytes give");
  }
  if (!parsed.ok()) return 0;
  check_container(parsed.value());
  check_quantized(parsed.value());
  return 0;
}
