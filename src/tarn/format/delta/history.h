#pragma once

#include <optional>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/checkpoint_heads.h"
#include "tarn/model/commit.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// TableFormat::Commits. Versions after `after` are listed from there, or looked for by name on a
// local disk, so that catching up costs a few looks when nothing happened, however long the log.
//
// kConflicts: every commit whole. Its id is Tarn's own, else commitInfo.txnId. An add and a remove
// of one path whose deletion vector grew are a row delete: the file as it was, and the rows that
// went (none when the vectors cannot be read any more). Removes that name no partition values have
// none. kPeople: operation, time, writer, engine; counts of files in the metrics where the writer
// gave none.
//
// HistoryGap::kGone when commits in the range were cleaned away; kDiverged when `after` is newer
// than the table. kNotFound: no table, or `until` is newer than the newest. kCorrupt: a commit
// missing or unreadable, by name.
Result<History> ReadCommits(Runtime& runtime, CheckpointHeads& heads, const TableHome& home,
                            const Version& after, const std::optional<Version>& until,
                            HistoryDetail detail);

}  // namespace tarn::delta
