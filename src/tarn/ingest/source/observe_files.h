#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/datafile/infer.h"
#include "tarn/ingest/pipeline.h"
#include "tarn/ingest/source/source_file.h"

namespace tarn {

// The schema that files show, and how far it was looked for.
struct SourceSchema {
  Schema schema;                                 // ids 0
  std::vector<std::string> without_values = {};  // columns (paths) that only ever are NULL
  bool complete = true;                          // false: only the beginning was looked at
};

enum class Look : uint8_t {
  kAtBeginning,  // the first block of text; all of the columnar files' own schemas
  kAtAll,        // every value of every file, on all threads
};

struct ObserveOptions {
  NameVariants variants = NameVariants::kMerge;
  std::set<std::string> known = {};  // as InferOptions::known
  Look look = Look::kAtAll;
};

// Types by inference (datafile/infer.h) for JSON lines and CSV, the files' own for Parquet,
// Arrow and Avro; files of several formats are joined, columns by name. kInvalid: what does not go
// together, with files and lines; what reading reports.
Result<SourceSchema> ObserveFiles(Runtime& runtime, const Storage& local,
                                  const Registry<FileFormat>& file_formats,
                                  const std::vector<SourceFile>& files, const Pipeline& pipeline,
                                  const ObserveOptions& options);

}  // namespace tarn
