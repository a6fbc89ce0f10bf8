// Patterns that the float tests of the simulator name.
#pragma once
#include <cstdint>

namespace adahop::hip::sim::test {

// FP32.
inline constexpr uint64_t kF0 = 0, kFm0 = 0x80000000, kFHalf = 0x3F000000, kF1 = 0x3F800000, kFm1 = 0xBF800000,
                          kF1_5 = 0x3FC00000, kF2 = 0x40000000, kFm2 = 0xC0000000, kF3 = 0x40400000, kF4 = 0x40800000,
                          kFInf = 0x7F800000, kFmInf = 0xFF800000, kFMax = 0x7F7FFFFF, kFTiny = 0x00000001,
                          kFNormal = 0x00800000;  ///< the least subnormal, the least normal
inline constexpr uint64_t kFNan = 0x7FC00000;     ///< of an invalid operation
inline constexpr uint64_t kFQuiet1 = 0x7FC00001, kFQuiet2 = 0xFFC00002;  ///< quiet, with payloads 1 and 2
inline constexpr uint64_t kFSignal = 0xFF800001, kFSignalQuieted = 0xFFC00001;

// FP64.
inline constexpr uint64_t kD0 = 0, kDm0 = 0x8000000000000000, kDHalf = 0x3FE0000000000000, kD1 = 0x3FF0000000000000,
                          kDm1 = 0xBFF0000000000000, kD2 = 0x4000000000000000, kD3 = 0x4008000000000000,
                          kD4 = 0x4010000000000000, kDInf = 0x7FF0000000000000, kDmInf = 0xFFF0000000000000,
                          kDMax = 0x7FEFFFFFFFFFFFFF, kDTiny = 1;
inline constexpr uint64_t kDNan = 0x7FF8000000000000, kDQuiet1 = 0x7FF8000000000001, kDQuiet2 = 0xFFF8000000000002,
                          kDSignal = 0xFFF0000000000001, kDSignalQuieted = 0xFFF8000000000001;

// FP16.
inline constexpr uint64_t kHm0 = 0x8000, kHHalf = 0x3800, kH1 = 0x3C00, kHm1 = 0xBC00, kH2 = 0x4000, kH3 = 0x4200, kH4 = 0x4400,
                          kHInf = 0x7C00, kHmInf = 0xFC00, kHMax = 0x7BFF, kHTiny = 1, kHNan = 0x7E00, kHQuiet1 = 0x7E01,
                          kHSignal = 0xFC01, kHSignalQuieted = 0xFE01;

}  // namespace adahop::hip::sim::test
