// Mapped input: where tensors lie, what is converted, and what happens to a file while it is mapped. [spec:12.10]
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <thread>

#include "adahop/io/mapping.h"
#include "adahop/io/mx_file.h"
#include "adahop/io/npy.h"
#include "io_support.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr int kLost = 7;  // the exit status asked for

void put(const std::string& path, const bytes& content) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

result<io::tensor_bytes> content(const std::string& path) {
  result<io::input_file> file = io::input_file::open(path);
  if (!file.ok()) return file.why();
  return io::content_of(file.value());
}

// Runs `body` in a child whose stderr goes to a file of the folder; its wait status.
template <class Body>
int in_child(const temporary_folder& f, const Body& body) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(::open((f / "stderr.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    io::exit_where_a_mapping_fails(kLost);
    body();
    ::_exit(0);
  }
  int how = 0;
  REQUIRE(::waitpid(child, &how, 0) == child);
  return how;
}

// An F32 tensor [2, 3] in a file whose data stands `off` bytes from a multiple of 8.
bytes unaligned_file(size_t off, const bytes& data) {
  std::string header = R"({"x":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";
  header.append((8 - header.size() % 8) % 8 + off, ' ');
  return safetensors_file(header, 0) + data;
}

}  // namespace

TEST_CASE("mapping: the bytes of a file, also after its name is another file's or gone", "[spec:12.10]") {
  const temporary_folder f;
  bytes first(100000);
  for (size_t i = 0; i < first.size(); ++i)
    first[i] = static_cast<uint8_t>(i * i >> 3);
  put(f / "a", first);
  const auto mapped = content(f / "a");
  REQUIRE(mapped.ok());
  CHECK(mapped.value() == first);
  REQUIRE(io::write_file(f / "a", zeros(10)).ok());
  CHECK(mapped.value() == first);
  fs::remove(f / "a");
  CHECK(mapped.value() == first);
}

TEST_CASE("mapping: tensors of a file lie side by side in it, and outlive what read them", "[spec:12.10]") {
  const temporary_folder f;
  const io::array a = sample_array(io::dtype::f32, {64, 32}), b = sample_array(io::dtype::bf16, {8, 32});
  REQUIRE(io::write_safetensors(f / "t.safetensors", {{"a", a}, {"b", b}}, {}).ok());
  io::array x, y, again;
  {
    const auto file = io::safetensors::read(f / "t.safetensors");
    REQUIRE(file.ok());
    x = file->load("a").value();
    y = file->load("b").value();
    again = file->load("a").value();
  }
  CHECK(x.bytes.data() + x.bytes.size() == y.bytes.data());
  CHECK(again.bytes.data() == x.bytes.data());
  CHECK(x.bytes == a.bytes);
  CHECK(y.bytes == b.bytes);
  // What operations take is the same memory.
  CHECK(io::float_array(x, "t")->bytes.data() == x.bytes.data());
  CHECK(io::view_of(io::float_array(y, "t").value()).data == y.bytes.data());
}

TEST_CASE("mapping: codes and scales of a quantized file are not copied", "[spec:12.10]") {
  const temporary_folder f;
  io::mx_file m;
  m.logical_shape = {4, 64};
  m.data = mx_matrix(4, 64);
  REQUIRE(io::write_mx_file(f / "q.safetensors", m).ok());
  const auto file = io::safetensors::read(f / "q.safetensors");
  REQUIRE(file.ok());
  const auto back = io::parse_mx_file(file.value());
  REQUIRE(back.ok());
  CHECK(back->data.codes.data() == file->load("codes")->bytes.data());
  CHECK(back->data.scales.data() == file->load("scales")->bytes.data());
  CHECK(back->linear_scales().data() == back->data.scales.data());
}

TEST_CASE("mapping: data that is not aligned to its elements is copied, F64 converted", "[spec:12.10][spec:12.7]") {
  const temporary_folder f;
  bytes data(24);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<uint8_t>(i * 7);
  for (const size_t off : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{4}}) {
    CAPTURE(off);
    put(f / "t.safetensors", unaligned_file(off, data));
    const auto file = io::safetensors::read(f / "t.safetensors");
    REQUIRE(file.ok());
    const io::array x = file->load("x").value();
    const auto taken = io::float_array(x, "t");
    REQUIRE(taken.ok());
    CHECK((taken->bytes.data() == x.bytes.data()) == (off % 4 == 0));
    CHECK(reinterpret_cast<uintptr_t>(taken->bytes.data()) % 4 == 0);
    CHECK(taken->bytes == data);
    CHECK(io::matrix_f32(x, "t").ok());
    const adahop_view v = io::view_of(taken.value());
    CHECK((v.rows == 2 && v.cols == 3 && v.row_stride == 3 && v.col_stride == 1 && v.dtype == ADAHOP_F32));
  }
  // No elements, wherever they are not.
  const io::tensor_bytes odd(bytes(9, 0));
  CHECK(io::float_array({io::dtype::f32, {0, 3}, odd.part(1, 0)}, "t")->bytes.empty());
  CHECK(io::float_array({io::dtype::f64, {3, 0}, odd.part(3, 0)}, "t")->bytes.empty());
  CHECK_THAT(io::float_array(sample_array(io::dtype::u8, {4}), "t").why().message(),
             Contains("t: dtype: expected BF16, F32 or F64, found U8"));
}

TEST_CASE("mapping: a file that shrinks while it is read ends the program with its message", "[spec:12.10]") {
  const temporary_folder f;
  const std::string name = f / "a\nb.npy";
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  put(name, bytes(4 * page, 1));
  const int how = in_child(f, [&] {
    const auto other = content(name), mapped = content(name);
    if (!other.ok() || !mapped.ok() || ::truncate(name.c_str(), static_cast<off_t>(page)) != 0) return;
    if (mapped.value()[page - 1] != 1) return;
    [[maybe_unused]] const volatile uint8_t byte = mapped.value()[3 * page];
  });
  CHECK(WIFEXITED(how));
  CHECK(WEXITSTATUS(how) == kLost);
  CHECK(text_of(f / "stderr.txt") == "adahop: " + (f / "a?b.npy") + ": read: the file shrank or its device failed\n");
}

TEST_CASE("mapping: threads that meet the end of a shrunken file together tell it once", "[spec:12.10]") {
  const temporary_folder f;
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  for (int i = 0; i < 25; ++i) {
    put(f / "a", bytes(8 * page, 1));
    const int how = in_child(f, [&] {
      const auto mapped = content(f / "a");
      if (!mapped.ok() || ::truncate((f / "a").c_str(), 0) != 0) return;
      constexpr size_t kThreads = 4;
      std::atomic<size_t> ready{0};
      std::vector<std::thread> threads;
      for (size_t t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
          ready.fetch_add(1);
          while (ready.load() < kThreads) std::this_thread::yield();
          [[maybe_unused]] const volatile uint8_t byte = mapped.value()[2 * t * page];
        });
      for (std::thread& t : threads) t.join();
    });
    REQUIRE(WIFEXITED(how));
    REQUIRE(WEXITSTATUS(how) == kLost);
    REQUIRE(text_of(f / "stderr.txt") == "adahop: " + (f / "a") + ": read: the file shrank or its device failed\n");
  }
}

TEST_CASE("mapping: a bus error elsewhere, or in a mapping given back, is none of ours", "[spec:12.10]") {
  const temporary_folder f;
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const std::string name = f / "a";
  const int how = in_child(f, [&] {
    put(name, bytes(2 * page, 1));
    // The entry of a mapping that is no more must not be taken for one: the next mapping of the kernel is at its place.
    if (!content(name).ok()) return;
    const int fd = ::open(name.c_str(), O_RDONLY);
    void* const at = ::mmap(nullptr, 2 * page, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED || ::truncate(name.c_str(), 0) != 0) return;
    [[maybe_unused]] const volatile uint8_t byte = static_cast<const uint8_t*>(at)[page];
  });
  CHECK_FALSE((WIFEXITED(how) && (WEXITSTATUS(how) == 0 || WEXITSTATUS(how) == kLost)));
  CHECK(text_of(f / "stderr.txt").find("adahop: ") == std::string::npos);
}

TEST_CASE("tensor_buffer: aligned, all of it there, small and large", "[spec:12.11]") {
  for (const size_t n : {size_t{1}, size_t{100}, size_t{1} << 20, (size_t{9} << 20) + 12345}) {
    io::tensor_buffer buffer(n);
    CHECK(reinterpret_cast<uintptr_t>(buffer.data()) % 64 == 0);
    CHECK(buffer.size() == n);
    std::memset(buffer.data(), 0xA5, n);
    const uint8_t* const at = buffer.data();
    const io::tensor_bytes kept(std::move(buffer));
    CHECK(kept.data() == at);
    CHECK(kept.part(n - 1, 1)[0] == 0xA5);
  }
  CHECK(io::tensor_buffer(0).size() == 0);
}
