// The program's peak memory, mapped pages of its inputs counted: input, output and a constant, whatever the tensor's size.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "cli_support.h"

using namespace adahop;
using namespace adahop::test;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
// The program, its libraries and four threads; less than any second copy of what the tests read and write.
constexpr int64_t kConstant = 16 * kMiB;

// Writes a tensor of distinct finite values a piece at a time: what this process itself once took, its children are told to
// have taken.
void write_tensor(const std::string& path, io::dtype type, int64_t rows, int64_t cols) {
  bytes front;
  const uint64_t data = static_cast<uint64_t>(rows * cols) * io::bits_of_element(type) / 8;
  if (path.ends_with(".npy")) {
    const std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                           type == io::dtype::f32 ? "<f4" : "<V2", rows, cols);
    front = npy(header + std::string(127 - 10 - header.size(), ' ') + "\n", 0);
  } else {
    const std::string header = fmt::format(R"({{"x":{{"dtype":"{}","shape":[{},{}],"data_offsets":[0,{}]}}}})",
                                           io::name(type), rows, cols, data);
    front = safetensors_file(header + std::string(128 - 8 - header.size(), ' '), 0);
  }
  REQUIRE(front.size() == 128);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(front.data()), static_cast<std::streamsize>(front.size()));
  std::vector<uint32_t> piece(static_cast<size_t>(kMiB) / sizeof(uint32_t));
  uint32_t state = 1;
  for (uint64_t at = 0; at < data; at += kMiB) {
    for (uint32_t& word : piece) {
      state = state * 1664525u + 1013904223u;
      // Two BF16 values or one F32 value, magnitudes from 2^-8 to 2^8.
      word = (state & 0x87FF87FFu) | 0x38003800u;
    }
    file.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(std::min<uint64_t>(kMiB, data - at)));
  }
  REQUIRE(file.flush().good());
}

// Runs the program with what it prints thrown away, and gives the most memory that it had at once, in bytes.
int64_t peak_of(const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(ADAHOP_PROGRAM)};
  for (const std::string& a : arguments)
    argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const environment threads("OMP_NUM_THREADS", "4");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::execv(ADAHOP_PROGRAM, argv.data());
    ::_exit(127);
  }
  int how = 0;
  rusage used{};
  REQUIRE(::wait4(child, &how, 0, &used) == child);
  REQUIRE((WIFEXITED(how) && WEXITSTATUS(how) == 0));
  return int64_t{used.ru_maxrss} * 1024;
}

int64_t size_of(const std::string& path) { return static_cast<int64_t>(fs::file_size(path)); }

// The command, whose inputs and outputs are files, takes these and `more` bytes at most.
void check_peak(const std::vector<std::string>& arguments, const std::vector<std::string>& files, int64_t more) {
  const int64_t peak = peak_of(arguments);
  int64_t bound = more;
  for (const std::string& file : files)
    bound += size_of(file);
  CAPTURE(arguments, files, peak / kMiB, bound / kMiB);
  CHECK(peak <= bound);
  // What was not looked at would keep any bound.
  CHECK(peak > size_of(files.front()));
}

// quantize along both axes and dequantize of F32 [n x n].
void check_square(const temporary_folder& f, int64_t n, int64_t more) {
  for (const char* kind : {"npy", "safetensors"})
    for (const int axis : {0, 1}) {
      const std::string in = f / fmt::format("x.{}", kind), out = f / fmt::format("v.{}", kind);
      const std::string codes = f / fmt::format("q{}.safetensors", axis);
      write_tensor(in, io::dtype::f32, n, n);
      check_peak({"quantize", in, codes, "--axis", fmt::format("{}", axis)}, {in, codes}, more);
      fs::remove(in);
      check_peak({"dequantize", codes, out}, {codes, out}, more);
      fs::remove(out);
      fs::remove(codes);
    }
}

}  // namespace

TEST_CASE("program: quantize and dequantize take no more memory than their files and a constant", "[spec:12.11]") {
  const temporary_folder f;
  check_square(f, 4096, kConstant);
}

TEST_CASE("program: a tensor of 16384 x 16384 takes its files and less than 256 MB", "[.exhaustive][spec:12.11]") {
  const temporary_folder f;
  check_square(f, 16384, 256'000'000);
  write_tensor(f / "x.npy", io::dtype::f32, 16384, 16384);
  check_peak({"inspect", f / "x.npy"}, {f / "x.npy"}, 256'000'000);
}

TEST_CASE("program: inspect takes no more memory than its file and a constant", "[spec:12.11]") {
  const temporary_folder f;
  write_tensor(f / "x.npy", io::dtype::f32, 4096, 4096);
  check_peak({"inspect", f / "x.npy"}, {f / "x.npy"}, kConstant);
}

TEST_CASE("program: matmul takes no more memory than its files, packed operands and a constant", "[spec:12.11]") {
  const temporary_folder f;
  write_tensor(f / "a.npy", io::dtype::bf16, 32, 1 << 20);
  write_tensor(f / "b.safetensors", io::dtype::bf16, 32, 1 << 20);
  const std::vector<std::string> files{f / "a.npy", f / "b.safetensors", f / "c.npy"};
  // 17 bytes for a block of 32 BF16 elements.
  const int64_t packed = (size_of(files[0]) + size_of(files[1])) * 17 / 64;
  check_peak({"matmul", files[0], files[1], files[2]}, files, packed + kConstant);
}
