#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn {

enum class SourceFormat : uint8_t { kByName, kJsonLines, kCsv, kParquet, kArrow, kAvro };
enum class IngestMode : uint8_t { kAppend, kOverwrite, kOverwritePartitions };
enum class SchemaContract : uint8_t { kEvolve, kFreeze };

// One step between source and table, as a pipeline file names it: kind and its options. Steps are
// made into Transforms for a schema by ingest/transform/.
struct TransformStep {
  std::string
      kind;  // select, rename, cast, snake_case, flatten, filter, compute, partition_from, …
  std::map<std::string, std::string> options;  // scalar options, in text
  std::vector<std::pair<std::string, std::string>>
      pairs;                       // {from: to}, {column: type}, {name: sql}
  std::vector<std::string> names;  // lists of columns
  std::string place = {};          // "pipeline.yaml:7"; empty: from options
};

// A load described as a value: what `tarn ingest pipeline.yaml` reads and the command line builds.
struct Pipeline {
  std::vector<std::string> paths;  // files and globs
  SourceFormat format = SourceFormat::kByName;
  std::optional<Schema> schema;  // given by the user
  // The same as text, looked at when the load starts (ingest/given_schema.h): DDL, JSON Schema, or
  // the name of a file with one of them or with Arrow. Empty: none.
  std::string schema_from = {};
  std::string into;  // table name or path
  std::string table_format = "delta";
  IngestMode mode = IngestMode::kAppend;
  SchemaContract contract = SchemaContract::kEvolve;
  std::vector<std::string> partition_by;
  std::vector<TransformStep> transforms;
  std::map<std::string, std::string> properties;  // of a table to be created
  std::string column_mapping;                     // "", "name", "id": of a table to be created
  char csv_delimiter = ',';
  bool csv_header = true;
  bool infer_times =
      true;  // text that looks like a date or timestamp becomes one (`infer: strings`: no)
  // Files are committed together up to so many bytes of input; a larger load is several commits,
  // cut between files. An overwrite is always one.
  int64_t commit_bytes = int64_t{64} << 30;
};

// A pipeline file:
//
//   source: events/*.jsonl            # or a list; also {paths: …, format: csv, delimiter: ';',
//   header: true} into: lake/events partition_by: [date] schema: "id bigint, at timestamp" # DDL,
//   or the name of a file; what is not said is inferred transforms:
//     - flatten                       # or flatten: {collisions: suffix}
//     - rename: {ts: at}
//     - filter: price > 0
//     - compute: {total: price * count}
//     - partition_from: {column: at, into: date}
//
// Further keys: format (of the source), table_format, mode (append, overwrite,
// overwrite_partitions), contract (evolve, freeze), infer (types, strings), column_mapping (name,
// id), properties (of a table to be created), commit_bytes (bytes, or 512MB, 16GB). kInvalid:
// unknown keys, with the nearest right one; what is missing or of the wrong kind. Every message
// begins with "<file_name>:<line>: ".
Result<Pipeline> ParsePipeline(std::string_view yaml, std::string_view file_name);

}  // namespace tarn
