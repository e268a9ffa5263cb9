#include "tarn/datafile/arrow_status.h"

#include <memory>
#include <string>

#include <arrow/status.h>

#include "tarn/base/text.h"

namespace tarn {
namespace {

constexpr const char* kDetailType = "tarn::Error";

class ErrorDetail final : public arrow::StatusDetail {
 public:
  explicit ErrorDetail(Error error) : error_(std::move(error)) {}
  const char* type_id() const override { return kDetailType; }
  std::string ToString() const override { return error_.ToString(); }
  const Error& error() const { return error_; }

 private:
  const Error error_;
};

}  // namespace

Error ArrowError(const arrow::Status& status, std::string_view where, ErrorCode otherwise) {
  if (const auto& detail = status.detail();
      detail != nullptr && std::string_view(detail->type_id()) == kDetailType) {
    return static_cast<const ErrorDetail&>(*detail).error().WithContext(where);
  }
  ErrorCode code = otherwise;
  if (status.IsOutOfMemory() || status.IsKeyError() || status.IsIndexError()) {
    code = ErrorCode::kInternal;
  } else if (status.IsNotImplemented()) {
    code = ErrorCode::kUnsupported;
  } else if (status.IsCancelled()) {
    code = ErrorCode::kCancelled;
  }
  return Error{code, std::string(where) + ": " + OneLine(status.message())};
}

Status Lift(const arrow::Status& status, std::string_view where, ErrorCode otherwise) {
  if (status.ok()) return OkStatus();
  return ArrowError(status, where, otherwise);
}

arrow::Status ToArrowStatus(const Error& error) {
  return arrow::Status::FromDetailAndArgs(arrow::StatusCode::IOError,
                                          std::make_shared<ErrorDetail>(error), error.message);
}

}  // namespace tarn
