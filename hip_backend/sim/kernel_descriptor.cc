// Reading a kernel descriptor.
#include "sim/kernel_descriptor.h"

#include <fmt/format.h>

namespace adahop::hip::sim {
namespace {

constexpr uint32_t bits(uint32_t word, unsigned low, unsigned count) { return word >> low & ((1u << count) - 1); }

constexpr uint32_t kRoundNearestEven = 0, kKeepDenormals = 3;
constexpr uint32_t kVgprGranule = 8, kSgprGranule = 16, kAccumGranule = 4;
constexpr uint32_t kMaxUserSgprs = 16, kMaxLds = 160 * 1024;

// The wave's floating-point environment and its registers.
status read_rsrc1(uint32_t word, kernel_descriptor& d) {
  d.vgprs = (bits(word, 0, 6) + 1) * kVgprGranule;
  d.sgprs = (bits(word, 6, 4) / 2 + 1) * kSgprGranule;
  if (bits(word, 12, 2) != kRoundNearestEven || bits(word, 14, 2) != kRoundNearestEven)
    return bad_file("a rounding mode other than nearest even");
  if (bits(word, 16, 2) != kKeepDenormals || bits(word, 18, 2) != kKeepDenormals) return bad_file("flushes denormals");
  if (bits(word, 26, 1) != 0) return bad_file("sets FP16_OVFL");
  // What clang asks for unless told otherwise, and what the handlers compute: clamp makes 0 of NaN, operations quiet NaNs.
  if (bits(word, 21, 1) == 0) return bad_file("clears DX10_CLAMP");
  if (bits(word, 23, 1) == 0) return bad_file("clears IEEE_MODE");
  // Priority, privilege and debugging are the command processor's to set.
  if (bits(word, 10, 2) != 0 || bits(word, 20, 1) != 0 || bits(word, 22, 1) != 0 || bits(word, 24, 2) != 0 ||
      bits(word, 27, 5) != 0)
    return bad_file("reserved bits set in COMPUTE_PGM_RSRC1");
  return {};
}

status read_rsrc2(uint32_t word, kernel_descriptor& d, uint32_t& user_sgprs) {
  if (bits(word, 0, 1) != 0) return bad_file("needs scratch memory");
  user_sgprs = bits(word, 1, 5);
  d.workgroup_id_x = bits(word, 7, 1) != 0;
  d.workgroup_id_y = bits(word, 8, 1) != 0;
  d.workgroup_id_z = bits(word, 9, 1) != 0;
  d.workgroup_info = bits(word, 10, 1) != 0;
  if (bits(word, 11, 2) == 3) return bad_file("an undefined number of work-item ids");
  d.workitem_id_dimensions = bits(word, 11, 2) + 1;
  if (bits(word, 13, 2) != 0 || bits(word, 24, 7) != 0) return bad_file("wants traps on exceptions");
  if (bits(word, 6, 1) != 0 || bits(word, 15, 9) != 0 || bits(word, 31, 1) != 0)
    return bad_file("reserved bits set in COMPUTE_PGM_RSRC2");
  return {};
}

status read_rsrc3(uint32_t word, kernel_descriptor& d) {
  d.accum_offset = (bits(word, 0, 6) + 1) * kAccumGranule;
  // Bit 16, TG_SPLIT, lets the waves of a workgroup run on several compute units; LDS is then not there.
  if (bits(word, 6, 26) != 0) return bad_file("reserved bits or TG_SPLIT set in COMPUTE_PGM_RSRC3");
  if (d.accum_offset > 256 || d.accum_offset > d.vgprs)
    return bad_file(fmt::format("accumulation registers from {} of {} registers", d.accum_offset, d.vgprs));
  return {};
}

status read_properties(uint16_t word, uint16_t preload, uint32_t user_sgprs, kernel_descriptor& d) {
  d.dispatch_ptr = bits(word, 1, 1) != 0;
  d.queue_ptr = bits(word, 2, 1) != 0;
  d.kernarg_segment_ptr = bits(word, 3, 1) != 0;
  d.dispatch_id = bits(word, 4, 1) != 0;
  if (bits(word, 0, 1) != 0 || bits(word, 5, 2) != 0) return bad_file("needs scratch memory");
  if (bits(word, 10, 1) != 0) return bad_file("waves of 32 lanes");
  if (bits(word, 11, 1) != 0) return bad_file("uses a dynamic stack");
  if (bits(word, 7, 3) != 0 || bits(word, 12, 4) != 0) return bad_file("reserved bits set in KERNEL_CODE_PROPERTIES");
  d.kernarg_preload_dwords = bits(preload, 0, 7);
  d.kernarg_preload_offset = bits(preload, 7, 9);
  uint32_t enabled = 0;
  for (const bool pointer : {d.dispatch_ptr, d.queue_ptr, d.kernarg_segment_ptr, d.dispatch_id})
    enabled += pointer ? 2u : 0u;
  if (user_sgprs > kMaxUserSgprs || user_sgprs != enabled + d.kernarg_preload_dwords)
    return bad_file(fmt::format("{} user SGPRs, {} and {} preloaded enabled", user_sgprs, enabled,
                                d.kernarg_preload_dwords));
  if (uint64_t{d.kernarg_preload_offset + d.kernarg_preload_dwords} * 4 > d.kernarg_bytes && d.kernarg_preload_dwords != 0)
    return bad_file(fmt::format("preloads arguments past the {} bytes it has", d.kernarg_bytes));
  return {};
}

}  // namespace

result<read_descriptor_result> read_descriptor(byte_span bytes) {
  if (bytes.size() != kDescriptorBytes)
    return bad_file(fmt::format("{} bytes, {} expected", bytes.size(), kDescriptorBytes));
  const field_reader r(bytes);
  read_descriptor_result out;
  kernel_descriptor& d = out.descriptor;
  d.lds_bytes = *r.at<uint32_t>(0);
  d.scratch_bytes = *r.at<uint32_t>(4);
  d.kernarg_bytes = *r.at<uint32_t>(8);
  out.entry_offset = static_cast<int64_t>(*r.at<uint64_t>(16));
  for (uint64_t at = 0; at < kDescriptorBytes; at += 4) {
    const bool reserved = at == 12 || (at >= 24 && at < 44) || at == 60;
    if (reserved && *r.at<uint32_t>(at) != 0) return bad_file(fmt::format("reserved byte {} is not 0", at));
  }
  if (d.scratch_bytes != 0) return bad_file(fmt::format("needs {} bytes of scratch memory", d.scratch_bytes));
  if (d.lds_bytes > kMaxLds) return bad_file(fmt::format("{} bytes of LDS, gfx950 has {}", d.lds_bytes, kMaxLds));
  uint32_t user_sgprs = 0;
  ADAHOP_TRY(read_rsrc1(*r.at<uint32_t>(48), d));
  ADAHOP_TRY(read_rsrc2(*r.at<uint32_t>(52), d, user_sgprs));
  ADAHOP_TRY(read_rsrc3(*r.at<uint32_t>(44), d));
  ADAHOP_TRY(read_properties(*r.at<uint16_t>(56), *r.at<uint16_t>(58), user_sgprs, d));
  return out;
}

}  // namespace adahop::hip::sim
