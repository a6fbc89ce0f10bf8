// Allocations of the simulated device: alignment, gaps, values, copies, descriptions.
#include "sim_memory_support.h"

namespace adahop::hip::sim::test {

TEST_CASE("allocations are aligned, apart and filled with 0xFF") {
  device_memory memory;
  std::vector<std::byte*> made;
  for (const size_t bytes : {size_t{1}, size_t{255}, size_t{256}, size_t{100000}, size_t{0}}) {
    auto* p = static_cast<std::byte*>(memory.allocate(bytes));
    REQUIRE(p != nullptr);
    CHECK(reinterpret_cast<uintptr_t>(p) % 256 == 0);
    for (size_t n = 0; n < bytes; ++n) REQUIRE(p[n] == std::byte{0xFF});
    made.push_back(p);
  }
  const allocation_list list = memory.list();
  REQUIRE(list.size() == made.size());
  for (size_t n = 1; n < list.size(); ++n) {
    CHECK(list[n]->begin() - (list[n - 1]->begin() + list[n - 1]->bytes()) >= 64 * 1024);
  }
  for (std::byte* p : made) CHECK(memory.release(p));
  CHECK_FALSE(memory.release(made[0]));
  CHECK_FALSE(memory.release(nullptr));
  CHECK(memory.list().empty());
}

TEST_CASE("a size that no host has is refused") {
  device_memory memory;
  CHECK(memory.allocate(size_t{1} << 60) == nullptr);
  CHECK(memory.allocate(~size_t{0}) == nullptr);
  CHECK(memory.allocate(64) != nullptr);
}

TEST_CASE("copies stay within one allocation and give values") {
  device_memory memory;
  auto* p = static_cast<std::byte*>(memory.allocate(100));
  const std::vector<std::byte> source(100, std::byte{5});
  CHECK(memory.copy_in(p + 10, source.data(), 90).ok());
  const allocation_list list = memory.list();
  CHECK(list[0]->written.first_unset(10, 90) == 100);
  CHECK(list[0]->written.first_unset(9, 91) == 9);
  const status beyond = memory.copy_in(p + 10, source.data(), 91);
  CHECK(beyond.code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(beyond.message() ==
        "copy to the device: 91 bytes at byte offset +10 of allocation 1 (100 bytes), expected memory of one allocation");
  CHECK(memory.copy_in(p + 200, source.data(), 0).ok());

  std::vector<std::byte> back(100);
  CHECK(memory.copy_out(back.data(), p, 100).ok());
  CHECK(back[9] == std::byte{0xFF});
  CHECK(back[10] == std::byte{5});
  CHECK(memory.copy_out(back.data(), p + 1, 100).code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(memory.fill_zero(p, 10).ok());
  CHECK(p[9] == std::byte{0});
  CHECK(list[0]->written.first_unset(0, 100) == 100);
  CHECK(memory.fill_zero(p - 1, 1).code() == ADAHOP_INVALID_ARGUMENT);
}

TEST_CASE("addresses are described by the allocation they belong to or miss") {
  device_memory memory;
  auto* p = static_cast<std::byte*>(memory.allocate(4096));
  const auto address = reinterpret_cast<uintptr_t>(p);
  CHECK(memory.describe(address + 4096) == "byte offset +4096 of allocation 1 (4096 bytes)");
  CHECK(memory.describe(address - 1) == "byte offset -1 of allocation 1 (4096 bytes)");
  CHECK(memory.describe(16) == "0x10, in no allocation");
}

TEST_CASE("bitmaps of bytes across words") {
  byte_bitmap map(300);
  CHECK(map.first_unset(0, 300) == 0);
  map.set(60, 200);
  CHECK(map.first_unset(60, 200) == 260);
  CHECK(map.first_unset(59, 10) == 59);
  CHECK(map.first_unset(250, 20) == 260);
  CHECK(map.first_unset(128, 0) == 128);
  map.set(0, 60);
  map.set(260, 40);
  CHECK(map.first_unset(0, 300) == 300);
}

TEST_CASE("workgroup numbers of launches do not repeat") {
  device_memory memory;
  CHECK(memory.take_serials(5) == 1);
  CHECK(memory.take_serials(1) == 6);
  CHECK(memory.take_serials(kMaxSerial - 7) == 7);
  CHECK(memory.take_serials(2) == 1);
}

}  // namespace adahop::hip::sim::test
