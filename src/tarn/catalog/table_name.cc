#include <algorithm>

#include "tarn/catalog/catalog.h"

namespace tarn {
namespace {

// The parts of a dotted name; parts in double quotes may hold anything, quotes doubled.
Result<std::vector<std::string>> ParseParts(std::string_view text) {
  std::vector<std::string> parts;
  size_t at = 0;
  while (true) {
    std::string part;
    if (at < text.size() && text[at] == '"') {
      ++at;
      bool closed = false;
      while (at < text.size() && !closed) {
        if (text[at] != '"') {
          part += text[at++];
        } else if (at + 1 < text.size() && text[at + 1] == '"') {
          part += '"';
          at += 2;
        } else {
          closed = true;
          ++at;
        }
      }
      if (!closed || (at < text.size() && text[at] != '.')) {
        return Invalid("name '" + std::string(text) + "': a quote is not closed");
      }
    } else {
      while (at < text.size() && text[at] != '.') part += text[at++];
    }
    if (part.empty() || part.find('\0') != std::string::npos) {
      return Invalid("name '" + std::string(text) + "': a part is empty");
    }
    parts.push_back(std::move(part));
    if (at >= text.size()) return parts;
    ++at;
  }
}

std::string PartsToText(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += '.';
    if (part.find_first_of(".\"") == std::string::npos) {
      text += part;
      continue;
    }
    text += '"';
    for (const char c : part) {
      text += c;
      if (c == '"') text += c;
    }
    text += '"';
  }
  return text;
}

}  // namespace

Result<TableName> TableName::Parse(std::string_view text) {
  TARN_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseParts(text));
  TableName name;
  name.table = std::move(parts.back());
  parts.pop_back();
  name.namespaces = std::move(parts);
  return name;
}

std::string TableName::ToText() const {
  std::vector<std::string> parts = namespaces;
  parts.push_back(table);
  return PartsToText(parts);
}

std::string NamespaceToText(const std::vector<std::string>& names) { return PartsToText(names); }

Result<std::vector<std::string>> ParseNamespace(std::string_view text) { return ParseParts(text); }

}  // namespace tarn
