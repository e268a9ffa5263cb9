#include "tarn/sql/statement.h"

#include <algorithm>

#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

bool IsPlain(const std::string& part) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  return !part.empty() && letter(part.front()) &&
         std::all_of(part.begin(), part.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string TableName::ToText() const {
  std::string text;
  if (!path.empty()) {
    text = format.empty() ? QuoteString(path) : format + ".`" + path + "`";
  }
  for (const std::vector<std::string>* list : {&parts, &suffix}) {
    for (const std::string& part : *list) {
      if (!text.empty()) text += '.';
      text += IsPlain(part) ? part : QuoteName(part);
    }
  }
  return text;
}

}  // namespace tarn::sql
