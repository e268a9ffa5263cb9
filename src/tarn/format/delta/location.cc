#include "tarn/format/delta/location.h"

#include "tarn/base/text.h"

namespace tarn::delta {

std::string DecodeLocation(std::string_view uri) { return PercentDecode(uri); }

bool IsAbsoluteLocation(std::string_view uri) {
  if (uri.starts_with('/')) return true;
  for (size_t i = 0; i < uri.size(); ++i) {
    const char c = uri[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c == ':') return i > 0;
    if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
      return false;
    }
  }
  return false;
}

std::string EncodeLocation(std::string_view spelled) {
  return PercentEncode(spelled, "!$&'()*+,;=@/");
}

Result<std::string> SpellLocation(const TableHome& home, std::string_view uri) {
  const auto in_context = [&](const Error& error) {
    return error.WithContext("delta: location '" + std::string(uri) + "'");
  };
  std::string location = DecodeLocation(uri);
  if (!IsAbsoluteLocation(uri)) {
    // Decided on the encoded form: "a%3Ab/x" is a relative path whose first folder is "a:b".
    if (location.empty()) return in_context(Invalid("is empty"));
    if (Result<Path> checked = home.root.Join(location); !checked.ok()) {
      return in_context(checked.error());
    }
    return location;
  }
  Result<Path> object = home.Resolve(location);
  if (!object.ok()) return in_context(object.error());
  return home.Spell(*object);
}

}  // namespace tarn::delta
