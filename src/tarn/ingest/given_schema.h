#pragma once

#include <string>
#include <string_view>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/model/schema.h"
#include "tarn/storage/storage.h"

namespace tarn {

// A schema as a user gives it: the text itself, or the name of a local file that holds it. Text
// that begins with '{' is a JSON Schema, an ending .arrow, .arrows, .ipc, .feather or .parquet
// means the schema of that file, everything else is DDL ("id bigint not null, tags array<string>").
// kInvalid with the place; kNotFound for a file name that does not exist.
Result<Schema> ReadGivenSchema(const Storage& local, const Registry<FileFormat>& file_formats,
                               const std::string& text);

// A JSON Schema (draft 7 and later) whose root is an object: integer int64, number double, boolean,
// string (format date: date; date-time: timestamptz; time: time; uuid: uuid), array with items
// list, object with properties struct, with additionalProperties of one type map<string, …>. A type
// of
// ["x", "null"] is x; `required` members are NOT NULL unless they may be null. `multipleOf` 10^-s
// of a number with `maximum` below 10^p makes decimal(p + s, s). kUnsupported naming what has no
// type of ours ($ref, oneOf, …).
Result<Schema> SchemaFromJsonSchema(std::string_view json);

}  // namespace tarn
