#pragma once

#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"
#include "tarn/model/table_metadata.h"

namespace tarn {

// Which of a field's names is meant.
enum class FieldNames : uint8_t { kTable, kFile };

// How values of one Arrow layout become those of a table's schema.
struct ConformOptions {
  ColumnMatch match = ColumnMatch::kByName;  // how fields are found, at every depth
  FieldNames names = FieldNames::kTable;     // with kByName: which name is looked for
  // kExact: only casts that no value can fail. kChecked, for files: also integers narrowed,
  // timestamps with and without zone taken for each other, bytes taken for text; a value that does
  // not fit is an error, never changed.
  enum class Casts : uint8_t { kExact, kChecked } casts = Casts::kExact;
};

inline constexpr const char* kFieldIdKey = "PARQUET:field_id";

// The field id in an Arrow field's metadata, or 0.
int32_t FieldIdOf(const arrow::Field& field);

// Whether any field at any depth has one.
bool HasFieldIds(const std::vector<std::shared_ptr<arrow::Field>>& fields);

// How columns are found in a file that has field ids or has none.
ColumnMatch MatchIn(ColumnMatch match, bool has_ids);

// Position of `wanted` among `fields`, -1 when there is none. By name: exact first, then ignoring
// case; kInvalid when two match ignoring case and none exactly.
Result<int> FindField(const std::vector<std::shared_ptr<arrow::Field>>& fields, const Field& wanted,
                      const ConformOptions& options, const std::string& path);

// `array` as the Arrow type of `wanted` (ToArrow). `path` names the column in messages.
Result<std::shared_ptr<arrow::Array>> ConformArray(const std::shared_ptr<arrow::Array>& array,
                                                   const Field& wanted,
                                                   const ConformOptions& options,
                                                   const std::string& path);

// `length` rows of a field that the data lacks: its initial default, else NULL.
Result<std::shared_ptr<arrow::Array>> MissingColumn(const Field& wanted, int64_t length);

// The columns as they stand in data files: file names at every depth, void columns left out.
// kUnsupported naming a variant column, or a struct of which nothing is left.
Result<std::shared_ptr<arrow::Schema>> ToFileSchema(const Schema& schema);

// The batch's columns (of `schema`, in its order) as ToFileSchema's.
Result<std::shared_ptr<arrow::RecordBatch>> ToFileBatch(
    const arrow::RecordBatch& batch, const Schema& schema,
    const std::shared_ptr<arrow::Schema>& file_schema);

}  // namespace tarn
