#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/ingest/pipeline.h"
#include "tarn/ingest/source/observe_files.h"
#include "tarn/ingest/source/row_source.h"
#include "tarn/ingest/transform/transform.h"
#include "tarn/model/snapshot.h"
#include "tarn/model/table_metadata.h"

namespace tarn {

// How the rows of a load are decoded, changed and stored: decided before the first row, from what
// the source showed, what the user declared and what the table is.
struct SchemaPlan {
  DecodePlan decode;
  TransformChain chain;
  // The table's new state: a table to be created, or columns to be added.
  std::optional<TableMetadata> metadata = {};
  std::vector<std::string> columns_added = {};
  std::vector<std::string> changes = {};  // for people, one line each
  std::vector<std::string> warnings = {};
};

// A column's type is, first found: the declared one (Pipeline::schema); that of the table's column
// which its values reach unchanged, where there is one; the inferred one. Members that a declared
// or stored struct lacks are added. Without transforms every column of the table is expected.
// Errors: kInvalid: values that the table cannot store, another partitioning than the table's, a
// partition column that does not exist, names that fold together, new columns under freeze; what
// the transforms report.
Result<SchemaPlan> PlanSchema(Runtime& runtime, const Registry<TransformMaker>& makers,
                              const Pipeline& pipeline, const SourceSchema& source,
                              const Snapshot& snapshot, const std::string& table_format);

// Whether rows must be exactly of the table's columns: then nothing needs to be inferred.
bool IsFrozen(const Pipeline& pipeline, const Snapshot& snapshot);

// How names that differ by case only are to be inferred for this pipeline.
NameVariants VariantsFor(const Pipeline& pipeline);

}  // namespace tarn
