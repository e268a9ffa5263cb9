#include "tarn/format/delta/operations.h"

#include <array>
#include <utility>

#include "tarn/base/text.h"

namespace tarn::delta {
namespace {

using enum OperationKind;

// The first name of a kind is the one that Tarn writes.
constexpr std::array kNames = std::to_array<std::pair<std::string_view, OperationKind>>({
    {"CREATE TABLE", kCreate},
    {"CREATE TABLE AS SELECT", kCreate},
    {"CREATE OR REPLACE TABLE", kReplace},
    {"CREATE OR REPLACE TABLE AS SELECT", kReplace},
    {"REPLACE TABLE", kReplace},
    {"REPLACE TABLE AS SELECT", kReplace},
    {"DELETE", kDelete},
    {"TRUNCATE", kDelete},
    {"UPDATE", kUpdate},
    {"MERGE", kUpdate},
    {"OPTIMIZE", kRewrite},
    {"REORG", kRewrite},
    {"ALTER TABLE", kAlter},
    {"ADD COLUMN", kAlter},
    {"ADD COLUMNS", kAlter},
    {"ADD CONSTRAINT", kAlter},
    {"ADD FEATURE", kAlter},
    {"CHANGE COLUMN", kAlter},
    {"CHANGE COLUMNS", kAlter},
    {"DROP COLUMNS", kAlter},
    {"DROP CONSTRAINT", kAlter},
    {"DROP FEATURE", kAlter},
    {"RENAME COLUMN", kAlter},
    {"REPLACE COLUMNS", kAlter},
    {"SET TBLPROPERTIES", kAlter},
    {"UNSET TBLPROPERTIES", kAlter},
    {"UPDATE COLUMN METADATA", kAlter},
    {"UPDATE SCHEMA", kAlter},
    {"UPGRADE PROTOCOL", kAlter},
    {"RESTORE", kRestore},
});

}  // namespace

std::string OperationName(const Operation& operation) {
  if (!operation.name.empty()) return operation.name;
  if (operation.kind == kAppend || operation.kind == kOverwrite) return "WRITE";
  for (const auto& [name, kind] : kNames) {
    if (kind == operation.kind) return std::string(name);
  }
  return "OTHER";
}

std::map<std::string, std::string> OperationParameters(const Operation& operation) {
  std::map<std::string, std::string> parameters = operation.parameters;
  if (operation.kind == kAppend) parameters.emplace("mode", "Append");
  if (operation.kind == kOverwrite) parameters.emplace("mode", "Overwrite");
  return parameters;
}

OperationKind OperationKindOf(std::string_view name,
                              const std::map<std::string, std::string>& parameters) {
  const auto mode = [&](const char* key) {
    const auto found = parameters.find(key);
    return found == parameters.end() ? std::string() : AsciiLower(found->second);
  };
  if (name == "WRITE") return mode("mode") == "overwrite" ? kOverwrite : kAppend;
  if (name == "STREAMING UPDATE") return mode("outputMode") == "complete" ? kOverwrite : kAppend;
  for (const auto& [known, kind] : kNames) {
    if (known == name) return kind;
  }
  return kOther;
}

}  // namespace tarn::delta
