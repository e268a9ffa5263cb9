#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tarn {

// What the caller can do about a failure, not where it arose. The process's exit code follows from
// it (cli/exit_code.h).
enum class ErrorCode : uint8_t {
  kInvalid,         // fix the input or the request
  kNotFound,        // the thing named does not exist
  kAlreadyExists,   // the thing to be made exists
  kConflict,        // another writer won; run the statement again
  kUnavailable,     // try later
  kUnknownOutcome,  // a write may have happened; look before trying again
  kCorrupt,         // stored bytes break their format
  kUnsupported,     // a feature Tarn does not have, by name
  kCancelled,       // interrupted by the user
  kInternal,        // our bug
};

// "invalid", "not found", …: for messages and logs.
std::string_view ErrorCodeName(ErrorCode code);

// A failure as a value. `message` is one line: where, what, and how to fix it
// ("delta: commit 42: 'add.path' is missing"). `cause` is what a lower layer reported.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::shared_ptr<const Error> cause = nullptr;

  // The message followed by ": " and each cause's message.
  std::string ToString() const;
  // This failure seen from one layer up: same code, `context` in front ("<context>: <message>").
  Error WithContext(std::string_view context) const;
  // A new failure caused by this one.
  Error CausedBy(Error lower) &&;
};

// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::make_unique<Error>(std::move(error))) {}  // NOLINT: implicit
  Status(const Status& other)
      : error_(other.error_ ? std::make_unique<Error>(*other.error_) : nullptr) {}
  Status(Status&&) noexcept = default;
  Status& operator=(const Status& other) {
    if (this != &other) error_ = other.error_ ? std::make_unique<Error>(*other.error_) : nullptr;
    return *this;
  }
  Status& operator=(Status&&) noexcept = default;

  bool ok() const { return error_ == nullptr; }
  // Requires !ok().
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::unique_ptr<Error> error_;
};

inline Status OkStatus() { return {}; }

// A T, or the Error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  using ValueType = T;

  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit
  template <class U = T>
  requires(std::is_constructible_v<T, U&&> && !std::is_same_v<std::decay_t<U>, Error> &&
           !std::is_same_v<std::decay_t<U>, Status> && !std::is_same_v<std::decay_t<U>, Result<T>>)
      // Implicit, and kept from hiding copy and move by the condition above. NOLINTNEXTLINE
      Result(U&& value)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}

  bool ok() const { return state_.index() == 0; }
  // Require ok().
  T& value() & { return *std::get_if<0>(&state_); }
  const T& value() const& { return *std::get_if<0>(&state_); }
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  // Requires !ok().
  const Error& error() const& { return *std::get_if<1>(&state_); }
  Error&& error() && { return std::move(*std::get_if<1>(&state_)); }
  // The failure, or Ok.
  Status status() const { return ok() ? Status() : Status(error()); }

 private:
  std::variant<T, Error> state_;
};

namespace internal {
inline const Error& ErrorOf(const Status& status) { return status.error(); }
inline Error&& ErrorOf(Status&& status) { return std::move(status).error(); }
template <class T>
const Error& ErrorOf(const Result<T>& result) {
  return result.error();
}
template <class T>
Error&& ErrorOf(Result<T>&& result) {
  return std::move(result).error();
}
}  // namespace internal

// Makers by name: `return Invalid("csv: line 3: …")`.
inline Error Invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message)}; }
inline Error NotFound(std::string message) { return {ErrorCode::kNotFound, std::move(message)}; }
inline Error AlreadyExists(std::string message) {
  return {ErrorCode::kAlreadyExists, std::move(message)};
}
inline Error Conflict(std::string message) { return {ErrorCode::kConflict, std::move(message)}; }
inline Error Unavailable(std::string message) {
  return {ErrorCode::kUnavailable, std::move(message)};
}
inline Error UnknownOutcome(std::string message) {
  return {ErrorCode::kUnknownOutcome, std::move(message)};
}
inline Error Corrupt(std::string message) { return {ErrorCode::kCorrupt, std::move(message)}; }
inline Error Unsupported(std::string message) {
  return {ErrorCode::kUnsupported, std::move(message)};
}
inline Error Cancelled(std::string message) { return {ErrorCode::kCancelled, std::move(message)}; }
inline Error Internal(std::string message) { return {ErrorCode::kInternal, std::move(message)}; }

}  // namespace tarn

#define TARN_CONCAT_INNER_(a, b) a##b
#define TARN_CONCAT_(a, b) TARN_CONCAT_INNER_(a, b)

// TARN_ASSIGN_OR_RETURN(auto x, Call()): x, or return the error of Call().
#define TARN_ASSIGN_OR_RETURN(lhs, rexpr) \
  TARN_ASSIGN_OR_RETURN_IMPL_(TARN_CONCAT_(tarn_result_, __COUNTER__), lhs, rexpr)
#define TARN_ASSIGN_OR_RETURN_IMPL_(result, lhs, rexpr) \
  auto result = (rexpr);                                \
  if (!result.ok()) return std::move(result).error();   \
  lhs = std::move(result).value()

// TARN_RETURN_IF_ERROR(Call()): return the error of Call(), a Status or Result, if it has one.
#define TARN_RETURN_IF_ERROR(rexpr)                                                    \
  do {                                                                                 \
    auto tarn_status_ = (rexpr);                                                       \
    if (!tarn_status_.ok()) return ::tarn::internal::ErrorOf(std::move(tarn_status_)); \
  } while (false)
