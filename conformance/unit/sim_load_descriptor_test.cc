// Kernel descriptors: every field read, every request that the simulator cannot meet refused; and the metadata's
// workgroup sizes.
#include <functional>
#include <string>

#include "catch.h"
#include "sim/kernel_descriptor.h"
#include "sim/metadata_note.h"
#include "sim_load_support.h"

namespace adahop::hip::sim {
namespace {

using namespace test;

TEST_CASE("descriptor: of a kernel of this project, as clang 22 made it") {
  // mx_gemm_16x16x128; the values are those that llvm-objdump 22 prints for it.
  const uint32_t words[16] = {0x2800, 0, 0x88, 0, 0x1100, 0, 0, 0, 0, 0, 0, 0x13, 0x00AF0189, 0x184, 8, 0};
  const auto r = read_descriptor(std::as_bytes(std::span(words)));
  REQUIRE(r.ok());
  const kernel_descriptor& d = r->descriptor;
  CHECK(r->entry_offset == 0x1100);
  CHECK(d.lds_bytes == 10240);
  CHECK(d.scratch_bytes == 0);
  CHECK(d.kernarg_bytes == 136);
  CHECK(d.vgprs == 80);
  CHECK(d.accum_offset == 80);
  CHECK(d.sgprs == 64);
  CHECK(d.kernarg_segment_ptr);
  CHECK_FALSE((d.dispatch_ptr || d.queue_ptr || d.dispatch_id));
  CHECK((d.workgroup_id_x && d.workgroup_id_y));
  CHECK_FALSE((d.workgroup_id_z || d.workgroup_info));
  CHECK(d.workitem_id_dimensions == 1);
  CHECK(d.kernarg_preload_dwords == 0);
}

TEST_CASE("descriptor: registers, ids and preloaded arguments") {
  descriptor_fields f;
  f.rsrc1 = 0x00AF0000 | 63 | 12 << 6;
  f.rsrc3 = 63;
  f.rsrc2 = 14 << 1 | 0x780 | 2 << 11;  // 14 user SGPRs, ids x y z, info, three work-item ids
  f.properties = 0x1E;                  // dispatch, queue and kernarg pointers, dispatch id: 8 SGPRs
  f.preload = 6 | 2 << 7;
  f.kernarg = 32;
  f.entry_offset = -256;
  const auto r = read_descriptor(f.bytes());
  REQUIRE(r.ok());
  const kernel_descriptor& d = r->descriptor;
  CHECK(r->entry_offset == -256);
  CHECK(d.vgprs == 512);
  CHECK(d.accum_offset == 256);
  CHECK(d.sgprs == 112);
  CHECK((d.dispatch_ptr && d.queue_ptr && d.kernarg_segment_ptr && d.dispatch_id));
  CHECK((d.workgroup_id_x && d.workgroup_id_y && d.workgroup_id_z && d.workgroup_info));
  CHECK(d.workitem_id_dimensions == 3);
  CHECK(d.kernarg_preload_dwords == 6);
  CHECK(d.kernarg_preload_offset == 2);
}

TEST_CASE("descriptor: what the simulator has not") {
  struct refusal {
    const char* because;
    std::function<void(descriptor_fields&)> change;
  };
  const refusal refusals[] = {
      {"64 bytes of scratch memory", [](auto& f) { f.scratch = 64; }},
      {"163841 bytes of LDS", [](auto& f) { f.lds = 160 * 1024 + 1; }},
      {"rounding mode", [](auto& f) { f.rsrc1 |= 1 << 12; }},
      {"rounding mode", [](auto& f) { f.rsrc1 |= 3 << 14; }},
      {"flushes denormals", [](auto& f) { f.rsrc1 &= ~(1u << 16); }},
      {"flushes denormals", [](auto& f) { f.rsrc1 &= ~(1u << 19); }},
      {"FP16_OVFL", [](auto& f) { f.rsrc1 |= 1 << 26; }},
      {"DX10_CLAMP", [](auto& f) { f.rsrc1 &= ~(1u << 21); }},
      {"IEEE_MODE", [](auto& f) { f.rsrc1 &= ~(1u << 23); }},
      {"COMPUTE_PGM_RSRC1", [](auto& f) { f.rsrc1 |= 1 << 20; }},
      {"COMPUTE_PGM_RSRC1", [](auto& f) { f.rsrc1 |= 1u << 31; }},
      {"scratch memory", [](auto& f) { f.rsrc2 |= 1; }},
      {"work-item ids", [](auto& f) { f.rsrc2 |= 3 << 11; }},
      {"traps on exceptions", [](auto& f) { f.rsrc2 |= 1 << 24; }},
      {"traps on exceptions", [](auto& f) { f.rsrc2 |= 1 << 13; }},
      {"COMPUTE_PGM_RSRC2", [](auto& f) { f.rsrc2 |= 1 << 6; }},
      {"COMPUTE_PGM_RSRC2", [](auto& f) { f.rsrc2 |= 1u << 31; }},
      {"TG_SPLIT", [](auto& f) { f.rsrc3 |= 1 << 16; }},
      {"COMPUTE_PGM_RSRC3", [](auto& f) { f.rsrc3 |= 1 << 6; }},
      {"accumulation registers from 12 of 8", [](auto& f) { f.rsrc3 = 2; }},
      {"scratch memory", [](auto& f) { f.properties |= 1; }},
      {"scratch memory", [](auto& f) { f.properties |= 1 << 5; }},
      {"scratch memory", [](auto& f) { f.properties |= 1 << 6; }},
      {"waves of 32 lanes", [](auto& f) { f.properties |= 1 << 10; }},
      {"dynamic stack", [](auto& f) { f.properties |= 1 << 11; }},
      {"KERNEL_CODE_PROPERTIES", [](auto& f) { f.properties |= 1 << 7; }},
      {"KERNEL_CODE_PROPERTIES", [](auto& f) { f.properties |= 1 << 15; }},
      {"user SGPRs", [](auto& f) { f.properties = 0; }},
      {"user SGPRs", [](auto& f) { f.properties |= 2; }},
      {"user SGPRs", [](auto& f) { f.preload = 1; }},
      {"17 user SGPRs", [](auto& f) { f.preload = 15; f.rsrc2 = 17 << 1; f.kernarg = 100; }},
      {"preloads arguments past", [](auto& f) { f.preload = 2 | 3 << 7; f.rsrc2 = 4 << 1; }},
  };
  for (const refusal& r : refusals) {
    descriptor_fields f;
    r.change(f);
    const auto d = read_descriptor(f.bytes());
    INFO(r.because);
    REQUIRE_FALSE(d.ok());
    CHECK(d.why().code() == ADAHOP_BAD_FILE);
    INFO(d.why().message());
    CHECK(d.why().message().find(r.because) != std::string::npos);
  }
  CHECK(read_descriptor(descriptor_fields{}.bytes()).ok());
  CHECK_FALSE(read_descriptor(image(63)).ok());
  CHECK_FALSE(read_descriptor(image(65)).ok());
  for (const size_t reserved : {12, 15, 24, 43, 60, 63}) {
    image bytes = descriptor_fields{}.bytes();
    bytes[reserved] = std::byte{1};
    INFO(reserved);
    CHECK_FALSE(read_descriptor(bytes).ok());
  }
}

image msgpack(const std::string& text) {
  image bytes;
  append(bytes, text.data(), text.size());
  return bytes;
}

TEST_CASE("metadata: workgroup sizes by kernel") {
  // {"amdhsa.version": [1, 2], "amdhsa.kernels": [{".name": "a", ".max_flat_workgroup_size": 256, ".x": {"y": nil}},
  //                                               {".max_flat_workgroup_size": 64, ".name": "b"}, 7, {".name": "c"}]}
  const image document = msgpack(
      std::string("\x82\xAE") + "amdhsa.version" + "\x92\x01\x02" + "\xAE" + "amdhsa.kernels" + "\x94" +
      "\x83\xA5.name\xA1" + "a" + "\xB8.max_flat_workgroup_size\xCD" + std::string("\x01\x00", 2) + "\xA2.x\x81\xA1y\xC0" +
      "\x82\xB8.max_flat_workgroup_size\x40\xA5.name\xD9\x01" + "b" + "\x07" + "\x81\xA5.name\xA1" + "c");
  const auto sizes = read_workgroup_sizes(document);
  REQUIRE(sizes.ok());
  CHECK(sizes->size() == 3);
  CHECK(sizes->at("a") == 256);
  CHECK(sizes->at("b") == 64);
  CHECK(sizes->at("c") == 0);
  CHECK(read_workgroup_sizes({})->empty());

  for (size_t size = 1; size < document.size(); ++size) {
    const image cut(document.begin(), document.begin() + static_cast<ptrdiff_t>(size));
    INFO(size);
    CHECK_FALSE(read_workgroup_sizes(cut).ok());
  }
}

TEST_CASE("metadata: every kind of msgpack item is passed over by its length") {
  const auto map_of = [](const std::string& value) { return msgpack("\x81\xA1k" + value); };
  const auto zeros = [](size_t n) { return std::string(n, '\0'); };
  for (const std::string& value :
       {std::string("\xC0"), std::string("\xC2"), std::string("\xC3"), std::string("\xE0"), "\xC4\x02" + zeros(2),
        "\xC5" + std::string("\0\x02", 2) + zeros(2), "\xC6" + std::string("\0\0\0\x02", 4) + zeros(2), "\xC7\x02" + zeros(3),
        "\xC8" + std::string("\0\x02", 2) + zeros(3), "\xC9" + std::string("\0\0\0\x02", 4) + zeros(3), "\xCA" + zeros(4),
        "\xCB" + zeros(8), "\xCC" + zeros(1), "\xCD" + zeros(2), "\xCE" + zeros(4), "\xCF" + zeros(8), "\xD0" + zeros(1),
        "\xD1" + zeros(2), "\xD2" + zeros(4), "\xD3" + zeros(8), "\xD4" + zeros(2), "\xD5" + zeros(3), "\xD6" + zeros(5),
        "\xD7" + zeros(9), "\xD8" + zeros(17), "\xD9\x02" + zeros(2), "\xDA" + std::string("\0\x02", 2) + zeros(2),
        "\xDB" + std::string("\0\0\0\x02", 4) + zeros(2), "\xDC" + std::string("\0\x01", 2) + zeros(1),
        "\xDD" + std::string("\0\0\0\x01", 4) + zeros(1), "\xDE" + std::string("\0\x01", 2) + zeros(2),
        "\xDF" + std::string("\0\0\0\x01", 4) + zeros(2)}) {
    INFO("lead byte " << int{static_cast<unsigned char>(value[0])});
    CHECK(read_workgroup_sizes(map_of(value)).ok());
    CHECK_FALSE(read_workgroup_sizes(map_of(value.substr(0, value.size() - 1))).ok());
  }
  CHECK_FALSE(read_workgroup_sizes(map_of("\xC1")).ok());                         // no msgpack
  CHECK_FALSE(read_workgroup_sizes(msgpack("\x90")).ok());                        // no map
  CHECK_FALSE(read_workgroup_sizes(map_of(std::string(1000, '\x91') + "\xC0")).ok());  // too deep
  CHECK_FALSE(read_workgroup_sizes(map_of("\xDD\xFF\xFF\xFF\xFF")).ok());         // more items than bytes
}

}  // namespace
}  // namespace adahop::hip::sim
