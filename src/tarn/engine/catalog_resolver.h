#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/engine/lake.h"
#include "tarn/query/table_resolver.h"
#include "tarn/storage/storage.h"
#include "tarn/table/table_format.h"

namespace tarn {

// Names and paths to tables over one lake's catalog, or over paths alone. Thread-safe.
//
// A table being created by name has an entry marked as such from Prepare on, and without the mark
// from Register on, so that a process that dies between the creating commit and Register leaves
// neither a table nobody finds nor a name nobody can use: Open completes the entry when the table
// stands there. Tables whose format has its pointer in the catalog need none of it: what their
// first commit makes there is the entry. A path where such a table stands opens it with its
// pointer.
class CatalogResolver final : public TableResolver {
 public:
  // `lake` may be null. `storage` is rooted at "/"; all outlive the resolver. `relocations`:
  // absolute prefixes as metadata names them, and where they stand now.
  CatalogResolver(Runtime& runtime, Storage& storage, const Registry<TableFormat>& formats,
                  const Lake* lake, std::string default_namespace,
                  std::vector<std::pair<std::string, std::string>> relocations);

  // A reference as people write it on the command line: a path if it looks like one, or if it is no
  // name of the lake but a folder that exists; else a dotted name. kInvalid.
  Result<TableReference> Parse(std::string_view name_or_path) const;

  // Errors beside those of the interface: kUnsupported naming a format there is no codec for, or
  // another store; kNotFound for a path without a table, saying what was looked for.
  Result<std::shared_ptr<Table>> Open(const TableReference& reference) override;
  Result<std::shared_ptr<Table>> Prepare(const TableReference& reference,
                                         const CreateRequest& request) override;
  // The same without marking the name: for plans, which must leave no trace.
  Result<std::shared_ptr<Table>> Locate(const TableReference& reference,
                                        const CreateRequest& request);
  // A path below a lake gets a name there as well, if it is free; other paths need none.
  Status Register(const TableReference& reference, const Table& table) override;
  Status Drop(const TableReference& reference, bool purge) override;
  Result<std::vector<std::string>> List(const std::optional<std::string>& within) override;
  Status CreateNamespace(const std::string& name) override;
  Result<std::vector<std::string>> ListNamespaces() override;
  Status DropNamespace(const std::string& name) override;
  Status Rename(const TableReference& from, const TableReference& to) override;
  Result<std::shared_ptr<Table>> RegisterMetadata(const TableReference& reference,
                                                  const std::string& metadata_file) override;

 private:
  Result<TableName> NameOf(const std::vector<std::string>& parts) const;
  Result<const TableFormat*> FindFormat(const std::string& name) const;
  // The format whose tables have their pointer in the catalog when they are made by name.
  Result<const TableFormat*> FormatOfPointers() const;
  Result<std::shared_ptr<Table>> TableAt(std::string name, const std::string& path,
                                         const TableFormat& format) const;
  // A table with a pointer in the catalog of `lake`.
  Result<std::shared_ptr<Table>> TableOf(const Lake& lake, const TableEntry& entry) const;
  // The table with a pointer at `path`, in the lake or the one above the path, or null.
  Result<std::shared_ptr<Table>> PointedAt(const std::string& path) const;
  // The table of `format` (empty: any) that stands at `path`, or null.
  Result<std::shared_ptr<Table>> Detect(const std::string& name, const std::string& path,
                                        const std::string& format) const;
  Result<std::shared_ptr<Table>> OpenPath(const std::string& path, const std::string& format) const;
  // The folder of a table that a warehouse has under this name and the catalog may not know.
  std::optional<std::string> InWarehouse(const TableName& name) const;
  Result<std::shared_ptr<Table>> OpenName(const TableName& name) const;
  Result<TableReference> Meant(TableReference reference) const;
  enum class Mark : uint8_t { kNo, kYes };
  Result<std::shared_ptr<Table>> PrepareHome(const TableReference& reference,
                                             const CreateRequest& request, Mark mark) const;
  Result<std::shared_ptr<Table>> PrepareName(const TableName& name, const CreateRequest& request,
                                             const TableFormat& format, Mark mark) const;
  Status RegisterName(const TableName& name, const Table& table) const;
  Status RegisterPath(const Table& table) const;
  // kInvalid if removing the folder would remove more than the table `entry` (or one without name).
  Status CheckPurge(const std::string& path, const TableEntry* entry) const;
  Status Purge(const std::string& path) const;

  Runtime& runtime_;
  Storage& storage_;
  const Registry<TableFormat>& formats_;
  const Lake* const lake_;
  const std::string default_namespace_;
  std::vector<std::pair<std::string, std::string>> relocations_;
};

}  // namespace tarn
