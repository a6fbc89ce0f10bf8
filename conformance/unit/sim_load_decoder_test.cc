// LLVM's decoder behind its C interface: texts and lengths, and words that must not bring it down.
#include <random>
#include <span>
#include <string>
#include <vector>

#include "catch.h"
#include "sim/llvm_decoder.h"
#include "sim/operand_parser.h"

namespace adahop::hip::sim {
namespace {

llvm_decoder opened() {
  auto d = llvm_decoder::open();
  INFO(d.why().message());
  REQUIRE(d.ok());
  return std::move(d).value();
}

decoded decode(llvm_decoder& d, const std::vector<uint32_t>& words) { return d.decode(std::as_bytes(std::span(words)), 0x1000); }

TEST_CASE("decoder: texts and lengths") {
  llvm_decoder d = opened();
  struct decoder_case {
    std::vector<uint32_t> words;
    const char* text;
    uint32_t bytes;
  };
  for (const decoder_case& c :
       {decoder_case{{0xBF810000}, "s_endpgm", 4},
        {{0xBF870003, 0}, "s_cbranch_vccnz 3", 4},
        {{0x7E0002FF, 0x12345678}, "v_mov_b32_e32 v0, 0x12345678", 8},
        {{0xC00A0300, 0x00000050}, "s_load_dwordx4 s[12:15], s[0:1], 0x50", 8},
        {{0xD3AC0000, 0x18020903, 0xD3AD0C00, 0x82021908},
         "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[8:11], v[12:15], 0, v3, v4 op_sel_hi:[1,1,0] cbsz:4 blgp:4", 16}}) {
    const decoded got = decode(d, c.words);
    CHECK(got.text == c.text);
    CHECK(got.bytes == c.bytes);
  }
  CHECK(decode(d, {0xFFFFFFFF}).bytes == 0);
  CHECK(decode(d, {}).bytes == 0);
}

TEST_CASE("decoder: words that LLVM 22 crashes on are no instruction") {
  llvm_decoder d = opened();
  for (const std::vector<uint32_t>& words : std::vector<std::vector<uint32_t>>{
           {0x7E0002FF},                                      // a literal that is cut off
           {0x4CA78CF9, 0xC4072431},                          // SDWA: selection 7 of the first source
           {0x680004F9, 0x07050601},                          // of the second
           {0x680004F9, 0x03050F01},                          // of the destination
           {0x680004F9, 0x03051E01},                          // fill 3
           {0xD3AE06B0, 0x9B4250C1},                          // f8f6f4: a constant as matrix A
           {0xD3AE0000, 0x0400C108},                          // and as B
           {0xD3AC0000, 0x00020903, 0xD3AD0C00, 0x820218F1},  // behind a half with scales
           {0xD3AC9B56, 0xBB883A23, 0xD3AD0A37, 0x2BFEDDB1},  // a literal as C
           {0xD3AC4DA4, 0xF065FF65, 0xD3AE8A4D, 0x5D96F3E7}}) // and as a scale
    CHECK(decode(d, words).bytes == 0);
}

// Random words, and random words of the encodings with the most fields.
TEST_CASE("decoder: random words are an instruction or none, never a crash") {
  llvm_decoder d = opened();
  std::mt19937 random(20260731);
  const auto word = [&] { return static_cast<uint32_t>(random()); };
  size_t instructions = 0, bound = 0;
  for (unsigned n = 0; n < 400000; ++n) {
    std::vector<uint32_t> words = {word(), word(), word(), word(), word()};
    switch (n % 8) {
      case 0: words[0] = 0xD0000000 | (words[0] & 0x03FFFFFF); break;  // VOP3
      case 1: words[0] = 0xC0000000 | (words[0] & 0x3FFFFFFF); break;  // SMEM, DS, FLAT and others
      case 2: words[0] = 0xD3800000 | (words[0] & 0x007FFFFF); break;  // VOP3P
      case 3: words[0] = 0x000000F9 | (words[0] & 0x7FFFFE00); break;  // SDWA
      case 4: words[0] = 0x000000FA | (words[0] & 0x7FFFFE00); break;  // DPP
      case 5:
        words[0] = 0xD3AC0000 | (words[0] & 0xFFFF);
        words[2] = 0xD3AC0000 | (words[2] & 0x3FFFF);
        break;
      default: break;
    }
    words.resize(1 + n % words.size());
    const decoded got = decode(d, words);
    if (got.bytes == 0) continue;
    ++instructions;
    const bool sound = got.bytes % 4 == 0 && got.bytes <= 4 * words.size() && !got.text.empty() &&
                       got.text.find('\n') == std::string::npos;
    if (!sound) FAIL_CHECK(got.text << ", " << got.bytes << " bytes");
    const auto i = parse_instruction(got.text, 0, got.bytes);
    if (i.ok()) ++bound;
    else if (i.why().message().find('\n') != std::string::npos) FAIL_CHECK(i.why().message());
  }
  CHECK(instructions > 50000);
  CHECK(bound > 10000);
}

// Run by itself with ADAHOP_LLVM_LIBRARY set to a file that is not there.
TEST_CASE("decoder: without LLVM's library", "[.without-llvm]") {
  const auto d = llvm_decoder::open();
  REQUIRE_FALSE(d.ok());
  CHECK(d.why().code() == ADAHOP_DEVICE);
  CHECK(d.why().message().starts_with("gfx950-sim: ADAHOP_LLVM_LIBRARY: "));
  CHECK(d.why().message().find('\n') == std::string::npos);
}
// The same with a library that is another one.
TEST_CASE("decoder: a library that is not LLVM's", "[.not-llvm]") {
  const auto d = llvm_decoder::open();
  REQUIRE_FALSE(d.ok());
  CHECK(d.why().code() == ADAHOP_DEVICE);
  CHECK(d.why().message() ==
        "gfx950-sim: libm.so.6: expected LLVM's library with the AMDGPU target, it lacks LLVMCreateDisasmCPU");
}
// The same with LLVM from before gfx950.
TEST_CASE("decoder: an LLVM that does not know gfx950", "[.old-llvm]") {
  const auto d = llvm_decoder::open();
  REQUIRE_FALSE(d.ok());
  CHECK(d.why().code() == ADAHOP_DEVICE);
  CHECK(d.why().message().ends_with("sim_load_old_llvm.so: LLVM 19, expected 20 or later, which know gfx950"));
}

}  // namespace
}  // namespace adahop::hip::sim
