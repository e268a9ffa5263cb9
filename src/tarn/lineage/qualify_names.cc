#include "tarn/lineage/session_internal.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "tarn/base/text.h"

// The pass that turns table names as written into the names of datasets: variables filled in, parts
// folded, the current catalog and database put in front.
namespace tarn::lineage {
namespace {

using sql::tree::Identifier;

// Hive takes `db.table` in one pair of back-ticks for two parts.
bool SplitsQuoted(const sql::Dialect& dialect) { return dialect.name == "hive"; }

bool IsVariable(std::string_view text) { return text.find("${") != std::string_view::npos; }

}  // namespace

Session::Session(const sql::Dialect& dialect, const SchemaProvider& schema,
                 const AnalyzeOptions& options)
    : dialect_(dialect),
      schema_(schema),
      options_(options),
      names_(dialect),
      variables_(options.variables) {
  if (options.default_db.has_value()) {
    default_db_ = AsciiLower(*options.default_db);
  } else if (dialect.name == "hive" || dialect.name == "spark") {
    default_db_ = "default";
  }
  if (const size_t dot = default_db_.rfind('.'); dot != std::string::npos) {
    catalog_ = default_db_.substr(0, dot);
    default_db_.erase(0, dot + 1);
  }
}

// `text` with ${name}, ${hivevar:name} and ${hiveconf:name} replaced where they have a value.
std::string_view Session::Fill(std::string_view text) {
  if (!IsVariable(text)) return text;
  filled_.clear();
  for (size_t at = 0; at < text.size();) {
    const size_t close = text.substr(at, 2) == "${" ? text.find('}', at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      filled_ += text[at++];
      continue;
    }
    std::string_view name = text.substr(at + 2, close - at - 2);
    if (const size_t colon = name.find(':'); colon != std::string_view::npos) {
      name.remove_prefix(colon + 1);
    }
    const auto found = std::find_if(variables_.rbegin(), variables_.rend(),
                                    [&](const auto& entry) { return entry.first == name; });
    filled_ += found != variables_.rend() ? std::string_view(found->second)
                                          : text.substr(at, close + 1 - at);
    at = close + 1;
  }
  return filled_;
}

NameId Session::Part(const Identifier& part) {
  if (!IsVariable(part.text)) return names_.Fold(part);
  const std::string value = part.quoted() ? part.Value() : std::string(part.text);
  return names_.Fold(Fill(value));
}

void Session::AppendPart(std::string_view part) {
  if (!text_.empty()) text_ += '.';
  const bool ticks = part.find('.') != std::string_view::npos && !IsVariable(part);
  if (ticks) text_ += '`';
  text_ += part;
  if (ticks) text_ += '`';
}

// text_, which has `parts` parts, with what is missing in front.
NameId Session::Qualified(size_t parts) {
  if (parts == 1 && !default_db_.empty()) {
    text_.insert(0, default_db_ + ".");
    parts = 2;
  }
  if (parts == 2 && !catalog_.empty()) text_.insert(0, catalog_ + ".");
  return names_.Intern(text_);
}

NameId Session::TableName(const sql::tree::Name& name) {
  text_.clear();
  if (name.parts.size() == 1) {
    const Identifier& part = name.parts[0];
    if ((part.quoted() && SplitsQuoted(dialect_)) || IsVariable(part.text)) {
      return TableName(names_.Text(Part(part)));
    }
  }
  for (const Identifier& part : name.parts) AppendPart(names_.Text(Part(part)));
  return Qualified(name.parts.size());
}

NameId Session::TableName(std::string_view name) {
  const std::string whole = AsciiLower(name);
  text_.clear();
  size_t parts = 0;
  for (size_t at = 0; at < whole.size(); ++parts) {
    const bool ticks = whole[at] == '`';
    const size_t end = std::min(whole.find(ticks ? '`' : '.', at + 1), whole.size());
    AppendPart(std::string_view(whole).substr(at + (ticks ? 1 : 0), end - at - (ticks ? 1 : 0)));
    at = end + (ticks ? 2 : 1);
  }
  return Qualified(parts);
}

std::string Session::Text(const sql::tree::Expression* literal) {
  std::string text;
  if (const auto* string = sql::tree::As<sql::tree::Literal>(sql::tree::Strip(literal))) {
    for (std::string_view token : string->tokens) {
      if (token.size() >= 2 && (token[0] == '\'' || token[0] == '"')) {
        token = token.substr(1, token.size() - 2);
      }
      text += token;
    }
  } else if (const auto* parameter = sql::tree::As<sql::tree::Parameter>(literal)) {
    text = parameter->text;
  } else if (const auto* column = sql::tree::As<sql::tree::Column>(literal)) {
    for (const Identifier& part : column->name.parts) {
      if (!text.empty()) text += '.';
      text += part.Value();
    }
  }
  return std::string(Fill(text));
}

void Session::Use(const sql::tree::Use& use) {
  if (use.name.empty()) return;
  const auto part = [&](size_t index) {
    return std::string(names_.Text(Part(use.name.parts[index])));
  };
  const size_t parts = use.name.parts.size();
  if (use.object == "CATALOG") {
    catalog_ = part(0);
    return;
  }
  if (parts >= 2) catalog_ = part(parts - 2);
  default_db_ = part(parts - 1);
}

void Session::Set(std::string_view key, std::string_view value) {
  for (const std::string_view space : {"hivevar:", "hiveconf:"}) {
    if (key.substr(0, space.size()) == space) key.remove_prefix(space.size());
  }
  if (value.size() >= 2 && (value[0] == '\'' || value[0] == '"') && value.back() == value[0]) {
    value = value.substr(1, value.size() - 2);
  }
  const std::string filled(Fill(value));
  variables_.emplace_back(key, filled);
}

}  // namespace tarn::lineage
