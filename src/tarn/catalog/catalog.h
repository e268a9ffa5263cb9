#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/catalog/pointer_store.h"

namespace tarn {

// A name in the catalog: namespaces and the table, outermost first. "a.b.t" in text; parts with a
// dot stand in double quotes.
struct TableName {
  std::vector<std::string> namespaces;
  std::string table;
  static Result<TableName> Parse(std::string_view text);
  std::string ToText() const;
  friend auto operator<=>(const TableName&, const TableName&) = default;
};

// A namespace in text, spelled as in TableName::ToText, and back. kInvalid for an empty part.
std::string NamespaceToText(const std::vector<std::string>& names);
Result<std::vector<std::string>> ParseNamespace(std::string_view text);

// Where a named table is and what it is.
struct TableEntry {
  TableName name;
  std::string format;    // "delta"
  std::string location;  // a folder: relative to the lake, or absolute
  std::map<std::string, std::string> properties = {};
  // Set where the catalog points to the newest metadata itself (Iceberg's SQL catalog).
  struct Pointer {
    PointerKey key;
    std::string metadata_location;
  };
  std::optional<Pointer> pointer = {};
};

// Names -> tables. Never the truth of a table that has a log or metadata on a path of its own; for
// one with a pointer, it is. Thread-safe; several processes may use one catalog at once. Names are
// kept as given and found ignoring (ASCII) case, so two that differ only by case cannot both exist.
// The namespace `default` always does.
class Catalog {
 public:
  virtual ~Catalog() = default;

  virtual Status CreateNamespace(const std::vector<std::string>& names) = 0;  // kAlreadyExists
  virtual Status DropNamespace(const std::vector<std::string>& names) = 0;    // kInvalid: not empty
  virtual Result<std::vector<std::vector<std::string>>> ListNamespaces() const = 0;

  virtual Result<TableEntry> Find(const TableName& name) const = 0;  // kNotFound, with a near name
  virtual Result<std::vector<TableEntry>> List(const std::optional<std::string>& within) const = 0;
  // kAlreadyExists; kNotFound: the namespace. With a pointer: at `pointer->metadata_location`.
  virtual Status Register(const TableEntry& entry) = 0;
  // Replaces format, location and properties of an entry without a pointer in one step. kNotFound.
  virtual Status Update(const TableEntry& entry) = 0;
  virtual Status Unregister(const TableName& name) = 0;  // kNotFound
  virtual Status Rename(const TableName& from, const TableName& to) = 0;

  // What was set for the whole catalog; empty: nothing.
  virtual Result<std::string> Setting(const std::string& key) const = 0;

  // The row that a table of this name has, or would have. kNotFound: the namespace; kInvalid for a
  // namespace that cannot be said there.
  virtual Result<PointerKey> PointerFor(const TableName& name) const = 0;
  // The pointers of its tables; may outlive the catalog.
  virtual std::shared_ptr<PointerStore> pointers() const = 0;
};

}  // namespace tarn
