#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/table/table.h"

namespace tarn {

// How a statement names a table: parts of a dotted name ("ns", "t"), or one path ('some/folder',
// delta.`some/folder`) with the format if it was said.
struct TableReference {
  std::vector<std::string> parts = {};
  std::string path = {};    // set instead of parts
  std::string format = {};  // "delta", or empty: found by itself
  std::string ToText() const;
};

struct CreateRequest {
  std::string format = {};    // empty: the lake's default, "delta"
  std::string location = {};  // LOCATION '…'; empty: below the lake
};

// Names and paths to tables, for SQL and ingest; the engine implements it over the catalogs.
// Thread- safe.
class TableResolver {
 public:
  virtual ~TableResolver() = default;
  // kNotFound naming near names; the table exists.
  virtual Result<std::shared_ptr<Table>> Open(const TableReference& reference) = 0;
  // A home for a table that may not exist yet, ready for a creating commit; `Register` it in the
  // catalog once that commit landed. kAlreadyExists if the name is taken.
  virtual Result<std::shared_ptr<Table>> Prepare(const TableReference& reference,
                                                 const CreateRequest& request) = 0;
  virtual Status Register(const TableReference& reference, const Table& table) = 0;
  // Forgets the name; removes the data with `purge`.
  virtual Status Drop(const TableReference& reference, bool purge) = 0;
  // Dotted names, sorted; all, or of one namespace.
  virtual Result<std::vector<std::string>> List(const std::optional<std::string>& within) = 0;
  virtual Status CreateNamespace(const std::string& name) = 0;    // kAlreadyExists
  virtual Result<std::vector<std::string>> ListNamespaces() = 0;  // sorted
  virtual Status DropNamespace(const std::string& name) = 0;      // kInvalid: not empty
  // Gives a table whose metadata file, at a path or URI, already stands a name in the catalog that
  // points to it. kNotFound: no such file; kAlreadyExists: the name; kUnsupported: the catalog
  // keeps no pointers for its format.
  virtual Result<std::shared_ptr<Table>> RegisterMetadata(const TableReference& reference,
                                                          const std::string& metadata_file) = 0;
  // Gives a table another name; its files stay where they are. kNotFound; kAlreadyExists.
  virtual Status Rename(const TableReference& from, const TableReference& to) = 0;
};

}  // namespace tarn
