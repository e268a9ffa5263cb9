#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/datafile/avro_schema.h"
#include "tarn/model/table_metadata.h"

namespace tarn {

// How rows of a writer's schema become columns of a reader's: found out once for a file, then run
// for every row.

enum class AvroStore : uint8_t {
  kNull,    // no values
  kBool,    // a byte each until the column is finished
  kFixed,   // `width` bytes each
  kText,    // int32 ends, and bytes
  kList,    // int32 ends; one child (lists) or two (maps: key, value)
  kStruct,  // its children, and whether it is there
};

struct AvroColumn {
  AvroStore store = AvroStore::kNull;
  int32_t width = 0;
  bool nullable = false;
  bool utf8 = false;
  int32_t level = 0;                    // among AvroPlan::levels
  std::shared_ptr<arrow::Field> field;  // type, name, ids
  std::vector<int32_t> children = {};
  std::string path = {};  // "a.b.element", for messages
};

enum class AvroCode : uint8_t {
  // The writer's values that nobody asked for.
  kSkipLongs,       // `size` ints or longs
  kSkipBytes,       // `size` bytes
  kSkipText,        // a length and bytes
  kSkipFixedItems,  // an array whose items have `size` bytes each
  kSkipItems,       // an array or map; the code up to `jump` skips one item
  // A value into `column`.
  kNull,
  kBool,
  kInt,
  kLong,
  kLongTimes,   // by `factor`
  kTime32,      // the same, of a day of 86,400 × `size` units, into 4 bytes
  kTime64,      // into 8
  kLongFloat,   // an int or long
  kLongDouble,  // the same
  kFloat,
  kDouble,
  kFloatDouble,
  kText,
  kFixed,
  kDecimalText,   // precision `size`
  kDecimalFixed,  // of `size` bytes, precision `table`
  kEnum,          // symbols[table]
  kDefault,       // the code up to `jump` reads bytes of defaults[table]
  kList,          // arrays and maps; the code up to `jump` reads one item
  // Structure.
  kStruct,  // a record is there: its members follow
  kBranch,  // a union: branches[table] says where each branch goes on
  kJump,    // to `jump`
  kFail,    // failures[table] says why no value may stand here
};

struct AvroOp {
  static constexpr uint8_t kNever = 0xFF;

  AvroCode code = AvroCode::kFail;
  // Before the value a union's branch is read: `null_byte` means NULL, and then the op is done and
  // the next is at `jump`; `value_byte` that the value follows.
  uint8_t null_byte = kNever;
  uint8_t value_byte = kNever;
  int32_t column = -1;
  int32_t jump = 0;
  int32_t size = 0;  // kList, kSkipItems: the least number of bytes of an item
  int32_t table = -1;
  int32_t level = -1;  // kList: of its items
  int64_t factor = 1;
};

struct AvroPlan {
  std::shared_ptr<arrow::Schema> schema;
  std::vector<AvroColumn> columns;
  std::vector<int32_t> roots;  // columns of the schema's fields
  std::vector<AvroOp> ops;
  std::vector<std::string> paths;  // of each op's field
  // Which columns get one value for each row (level 0) or item of a list.
  std::vector<std::vector<int32_t>> levels;
  std::vector<std::vector<int32_t>> branches;
  // A writer's symbol as the reader's; of those that it does not have, empty.
  std::vector<std::vector<std::string>> symbols;
  std::vector<std::string> defaults;  // encoded by the reader's schema
  std::vector<std::string> failures;
  int64_t row_bytes_min = 0;  // that a row takes in the file
};

// kInvalid naming the field where no value of the writer's could become one of the reader's;
// kUnsupported for more than 1,000,000 steps.
Result<std::shared_ptr<const AvroPlan>> MakeAvroPlan(const AvroTypePtr& writer,
                                                     const AvroTypePtr& reader, ColumnMatch match);

// The value that JSON `text` says, as binary Avro of `type`: defaults of fields. Unions by the
// first branch that fits. kInvalid: none of its values.
Result<std::string> EncodeAvroDefault(const AvroType& type, const std::string& text);

}  // namespace tarn
