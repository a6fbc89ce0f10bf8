// What a function says when it could not do its work: a code of the C ABI and one line for a person.
#pragma once
#include <optional>
#include <string>
#include <utility>

#include "adahop/backend.h"

namespace adahop {

class [[nodiscard]] status {
 public:
  status() = default;
  status(adahop_status code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == ADAHOP_OK; }
  adahop_status code() const { return code_; }
  /// One line: what, where, what was expected. Empty when ok.
  const std::string& message() const { return message_; }

 private:
  adahop_status code_ = ADAHOP_OK;
  std::string message_;
};

inline status invalid_argument(std::string message) { return {ADAHOP_INVALID_ARGUMENT, std::move(message)}; }
inline status unsupported(std::string message) { return {ADAHOP_UNSUPPORTED, std::move(message)}; }
inline status bad_file(std::string message) { return {ADAHOP_BAD_FILE, std::move(message)}; }
inline status io_error(std::string message) { return {ADAHOP_IO, std::move(message)}; }

/// A value, or why there is none.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : value_(std::move(value)) {}
  result(status why) : status_(std::move(why)) {}

  bool ok() const { return value_.has_value(); }
  const status& why() const { return status_; }
  T& value() & { return value_.value(); }
  const T& value() const& { return value_.value(); }
  T&& value() && { return std::move(value_).value(); }
  T* operator->() { return &value_.value(); }
  const T* operator->() const { return &value_.value(); }

 private:
  std::optional<T> value_;
  status status_;
};

}  // namespace adahop

/// Returns from the enclosing function when `expr`, a status, is not ok.
#define ADAHOP_TRY(expr)                                            \
  do {                                                              \
    if (::adahop::status adahop_s_ = (expr); !adahop_s_.ok()) return adahop_s_; \
  } while (0)

/// Declares `name` as the value of `expr`, a result<T>, or returns its status from the enclosing function.
#define ADAHOP_ASSIGN(name, expr)                     \
  auto name##_result_ = (expr);                       \
  if (!name##_result_.ok()) return name##_result_.why(); \
  auto name = std::move(name##_result_).value()
