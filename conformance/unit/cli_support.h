// Runs the built program and looks at what it printed and left behind.
#pragma once
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"
#include "io_support.h"

namespace adahop::test {

struct outcome {
  int exit_code;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline std::string text_of(const std::string& path) {
  const auto content = io::read_file(path);
  return content.ok() ? std::string(content.value().begin(), content.value().end()) : std::string();
}

/// The arguments are joined by spaces and go through the shell; paths of a temporary folder need no quoting.
template <class... Part>
outcome run_program(const temporary_folder& folder, const Part&... arguments) {
  const std::string out = folder / "stdout.txt", err = folder / "stderr.txt";
  std::string command = ADAHOP_PROGRAM;
  ((command += fmt::format(" {}", arguments)), ...);
  command += fmt::format(" >{} 2>{}", out, err);
  const int code = std::system(command.c_str());
  return {WIFEXITED(code) ? WEXITSTATUS(code) : -1, text_of(out), text_of(err)};
}

/// The same, for what must succeed.
template <class... Part>
outcome succeed(const temporary_folder& folder, const Part&... arguments) {
  outcome o = run_program(folder, arguments...);
  INFO(o.err);
  REQUIRE(o.exit_code == 0);
  REQUIRE(o.err.empty());
  return o;
}

/// An environment variable for the programs run while this lives; empty counts as not set.
class environment {
 public:
  environment(const char* name, const std::string& value) : name_(name) {
    const char* const before = std::getenv(name);
    if (before != nullptr) before_ = before;
    REQUIRE(::setenv(name, value.c_str(), 1) == 0);
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() {
    if (before_) ::setenv(name_, before_->c_str(), 1);
    else ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// One tensor of a safetensors file.
inline io::array load(const std::string& path, std::string_view name) {
  const auto f = io::safetensors::read(path);
  INFO(f.why().message());
  REQUIRE(f.ok());
  const auto a = f.value().load(name);
  REQUIRE(a.ok());
  return a.value();
}

inline std::string layer_file(std::string_view file) {
  return fmt::format("{}/minilm_l6.{}.safetensors", ADAHOP_DATA_FOLDER, file);
}

/// A BF16 matrix transposed in memory.
inline io::array transposed_bf16(const io::array& a) {
  const matrix<bf16> m = io::matrix_bf16(a, "t").value();
  matrix<bf16> t(m.cols, m.rows);
  for (int64_t r = 0; r < m.rows; ++r)
    for (int64_t c = 0; c < m.cols; ++c)
      t.at(c, r) = m.at(r, c);
  return io::array_of(t, {t.rows, t.cols});
}

}  // namespace adahop::test
