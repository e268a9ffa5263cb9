#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"
#include "tarn/model/sort_order.h"

namespace tarn {

// How a column of the schema is found in a data file.
enum class ColumnMatch : uint8_t {
  kByName,         // by Field::file_name
  kById,           // by field id, which every file has
  kByAlias,        // by any of Field::aliases
  kByIdElseAlias,  // by id; in a file none of whose columns has one, by alias
};

struct CheckConstraint {
  std::string name;
  std::string sql;
  friend bool operator==(const CheckConstraint&, const CheckConstraint&) = default;
};

// What a table is, apart from its files: replaced as a whole by a commit that changes it.
struct TableMetadata {
  std::string table_id;  // a UUID, given at creation
  std::string name = {};
  std::string description = {};
  int64_t created_ms = 0;
  Schema schema;
  std::vector<PartitionSpec> specs = {PartitionSpec{}};
  int32_t default_spec_id = 0;
  SortOrder sort_order = {};  // of the rows in each file that is written; none: as they come
  std::map<std::string, std::string> properties = {};  // the user's and the format's
  std::vector<CheckConstraint> constraints = {};
  ColumnMatch column_match = ColumnMatch::kByName;
  // Features by the format's names that writers asked for or the table already has. A codec refuses
  // what it cannot honour.
  int32_t reader_version = 0;
  int32_t writer_version = 0;
  std::vector<std::string> reader_features = {};
  std::vector<std::string> writer_features = {};

  const PartitionSpec* SpecById(int32_t id) const;
  const PartitionSpec& default_spec() const;
  friend bool operator==(const TableMetadata&, const TableMetadata&) = default;
};

}  // namespace tarn
