#include "tarn/base/result.h"

namespace tarn {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kAlreadyExists:
      return "already exists";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kUnknownOutcome:
      return "unknown outcome";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal error";
  }
  return "internal error";
}

std::string Error::ToString() const {
  std::string text = message;
  for (const Error* lower = cause.get(); lower != nullptr; lower = lower->cause.get()) {
    text += ": ";
    text += lower->message;
  }
  return text;
}

Error Error::WithContext(std::string_view context) const {
  return {code, std::string(context) + ": " + message, cause};
}

Error Error::CausedBy(Error lower) && {
  cause = std::make_shared<const Error>(std::move(lower));
  return std::move(*this);
}

}  // namespace tarn
