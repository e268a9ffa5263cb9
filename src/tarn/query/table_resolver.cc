#include "tarn/query/table_resolver.h"

namespace tarn {

std::string TableReference::ToText() const {
  if (!path.empty()) return format.empty() ? "'" + path + "'" : format + ".`" + path + "`";
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += '.';
    text += part;
  }
  return text;
}

}  // namespace tarn
