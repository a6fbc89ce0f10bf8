// Reading whole files, atomic writing, and the exact conversions of arrays. [spec:12.6]
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "adahop/io/array.h"
#include "adahop/io/file.h"
#include "io_support.h"

using namespace adahop;
using namespace adahop::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

void put(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

io::array doubles(const std::vector<double>& values) {
  bytes content(values.size() * sizeof(double));
  std::memcpy(content.data(), values.data(), content.size());
  return {io::dtype::f64, {static_cast<int64_t>(values.size())}, std::move(content)};
}

}  // namespace

TEST_CASE("read_file: what cannot be read is named", "[spec:12.5]") {
  const temporary_folder folder;
  CHECK(io::read_file(folder / "none").why().code() == ADAHOP_IO);
  CHECK_THAT(io::read_file(folder / "none").why().message(), Contains("none: open: No such file"));
  CHECK_THAT(io::read_file(folder.path().string()).why().message(), Contains("expected a file, found a directory"));
  put(folder / "empty", "");
  CHECK(io::read_file(folder / "empty").why().code() == ADAHOP_BAD_FILE);
  CHECK_THAT(io::read_file(folder / "empty").why().message(), Contains("expected content, found an empty file"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THAT(io::read_file(folder / "pipe").why().message(), Contains("found a pipe"));
  CHECK_THAT(io::read_file("/dev/zero").why().message(), Contains("found a device"));
}

TEST_CASE("write_file: complete under its name, nothing else in the folder", "[spec:12.6]") {
  const temporary_folder folder;
  const bytes first = to_bytes("first"), second = to_bytes("the second, longer");
  REQUIRE(io::write_file(folder / "a", first).ok());
  CHECK(io::read_file(folder / "a").value() == first);
  REQUIRE(io::write_file(folder / "a", second).ok());
  CHECK(io::read_file(folder / "a").value() == second);
  CHECK(folder.files() == 1);
}

TEST_CASE("write_parts: one after the other, empty ones too", "[spec:12.6]") {
  const temporary_folder folder;
  const bytes first = to_bytes("front"), second = to_bytes("data");
  REQUIRE(io::write_parts(folder / "a", {first, {}, second, second}).ok());
  CHECK(io::read_file(folder / "a").value() == to_bytes("frontdatadata"));
  CHECK(folder.files() == 1);
}

TEST_CASE("write_file: an existing file keeps its mode, a link its target", "[spec:12.6]") {
  const temporary_folder folder;
  put(folder / "real", "old");
  fs::permissions(folder / "real", fs::perms(0640));
  fs::create_symlink("real", folder / "link");
  REQUIRE(io::write_file(folder / "link", to_bytes("new")).ok());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(io::read_file(folder / "real").value() == to_bytes("new"));
  CHECK(fs::status(folder / "real").permissions() == fs::perms(0640));
  CHECK(folder.files() == 2);
}

TEST_CASE("write_file: a link to nothing gets its target, a ring of links is refused", "[spec:12.6]") {
  const temporary_folder folder;
  fs::create_directory(folder / "below");
  fs::create_symlink("below/second", folder / "first");
  fs::create_symlink("../real", folder / "below/second");
  REQUIRE(io::write_file(folder / "first", to_bytes("new")).ok());
  CHECK(fs::is_symlink(folder / "first"));
  CHECK(fs::is_symlink(folder / "below/second"));
  CHECK(io::read_file(folder / "real").value() == to_bytes("new"));

  fs::create_symlink("ring", folder / "ring");
  CHECK(io::write_file(folder / "ring", to_bytes("x")).code() == ADAHOP_IO);
  CHECK(fs::is_symlink(folder / "ring"));
  fs::create_symlink("no/such/place", folder / "astray");
  CHECK(io::write_file(folder / "astray", to_bytes("x")).code() == ADAHOP_IO);
  CHECK(fs::is_symlink(folder / "astray"));
}

TEST_CASE("write_file: an error leaves nothing behind and the old file whole", "[spec:12.6]") {
  const temporary_folder folder;
  CHECK(io::write_file(folder / "no/such/place", to_bytes("x")).code() == ADAHOP_IO);
  fs::create_directory(folder / "dir");
  CHECK_THAT(io::write_file(folder / "dir", to_bytes("x")).message(),
             Contains("expected a file to write, found a directory"));
  CHECK_THAT(io::write_file("/dev/null", to_bytes("x")).message(), Contains("found a device"));
  CHECK(fs::is_character_file("/dev/null"));
  CHECK(folder.files() == 1);
  CHECK(fs::is_empty(folder / "dir"));
}

TEST_CASE("write_file: a write that fails half-way keeps the old file", "[spec:12.6]") {
  const temporary_folder folder;
  put(folder / "a", "old");
  // A child, whose files may not grow beyond 1000 bytes, tries to write more.
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const status s = io::write_file(folder / "a", zeros(5000));
    ::_exit(s.code() == ADAHOP_IO ? 0 : 1);
  }
  int how = 0;
  REQUIRE(::waitpid(child, &how, 0) == child);
  CHECK((WIFEXITED(how) && WEXITSTATUS(how) == 0));
  CHECK(io::read_file(folder / "a").value() == to_bytes("old"));
  CHECK(folder.files() == 1);
}

TEST_CASE("printable keeps a message on one line", "[spec:12.5]") {
  CHECK(io::printable("a\nb\x1b\xC3\xA9") == "a\\x0ab\\x1b\\xc3\\xa9");
  CHECK(io::printable(std::string(200, 'x')).size() == 83);
}

TEST_CASE("F64 is taken where every value is exactly FP32", "[spec:12.7]") {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> exact = {0.0,          -0.0,       1.0, -1.5, 0x1p-149, -0x1p-149, 0x1.fffffep127,
                                     0x1.000002p0, 0x1.8p-148, inf, -inf};
  const auto m = io::matrix_f32(doubles(exact), "t");
  REQUIRE(m.ok());
  for (size_t i = 0; i < exact.size(); ++i) {
    CHECK(static_cast<double>(m.value().data[i]) == exact[i]);
    CHECK(std::signbit(m.value().data[i]) == std::signbit(exact[i]));
  }
  CHECK(std::isnan(io::matrix_f32(doubles({std::nan("")}), "t").value().data[0]));
  for (const double v : {0.1, 0x1p-150, 0x1.000001p0, 0x1p128, -0x1.ffffffp127, 1e300, 0x1.4p-148, 16777217.0}) {
    CAPTURE(v);
    const auto bad = io::matrix_f32(doubles({1.0, v}), "t.npy");
    REQUIRE_FALSE(bad.ok());
    CHECK(bad.why().code() == ADAHOP_BAD_FILE);
    CHECK_THAT(bad.why().message(), Contains("t.npy: element 1: expected F64 values that are exactly F32"));
  }
}

TEST_CASE("a tensor is flattened to [-1, last]", "[spec:12.2]") {
  const auto is = [](std::vector<int64_t> shape, int64_t rows, int64_t cols) {
    const io::extents e = io::flattened(shape);
    return e.rows == rows && e.cols == cols;
  };
  CHECK(is({}, 1, 1));
  CHECK(is({5}, 1, 5));
  CHECK(is({2, 3}, 2, 3));
  CHECK(is({2, 3, 4}, 6, 4));
  CHECK(is({2, 0, 4}, 0, 4));
}

TEST_CASE("storage: sizes of the types, bounds of the shape", "[spec:12.5]") {
  const std::vector<int64_t> shape = {2, 4};
  CHECK(io::storage_bytes(4, shape, "t").value() == 4);
  CHECK(io::storage_bytes(8, shape, "t").value() == 8);
  CHECK(io::storage_bytes(64, shape, "t").value() == 64);
  CHECK(io::storage_bytes(8, std::vector<int64_t>{int64_t{1} << 40}, "t").ok());
  CHECK_FALSE(io::storage_bytes(8, std::vector<int64_t>{int64_t{1} << 40, 2}, "t").ok());
  CHECK_FALSE(io::storage_bytes(8, std::vector<int64_t>{-1}, "t").ok());
  CHECK_FALSE(io::storage_bytes(4, std::vector<int64_t>{2, 3}, "t").ok());
  CHECK_FALSE(io::storage_bytes(8, std::vector<int64_t>(9, 1), "t").ok());
}
