#pragma once

#include <string>
#include <string_view>

#include "tarn/lineage/analyze.h"

namespace tarn::lineage {

struct OpenLineageOptions {
  std::string job_namespace = "tarn";
  std::string job_name = "script";         // statements of a script are <job_name>.1, .2, …
  std::string dataset_namespace = "tarn";  // of tables; files have their own scheme
  std::string event_time = "1970-01-01T00:00:00Z";
  std::string producer = "https://github.com/tarn";
};

// One JobEvent (what a job would do; no run) of OpenLineage 2-0-2 for each statement that reads or
// writes, in a JSON array: facets sql of the job, schema and columnLineage 1-2-0 of the outputs.
// Columns of plain queries have no dataset to stand in, so of a query only its inputs are said.
// `sql` is the text that was analysed.
std::string OpenLineageJson(const ScriptLineage& script, std::string_view sql,
                            const OpenLineageOptions& options = {});

}  // namespace tarn::lineage
