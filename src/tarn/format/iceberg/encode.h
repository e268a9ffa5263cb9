#pragma once

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/delete_writer.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/model/commit.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// TableFormat::Encode. A commit that changes files is a snapshot: manifests (new entries, rewritten
// ones that lose files, merged ones), manifest list, summary; staged in this order. What else it
// changes, and its id where it makes no snapshot, goes into the new metadata file, which is the
// head: "metadata/v<n + 1>.metadata.json", or under the home's name for it in place of v<n + 1>.
// Row deletes become delete files (delete_writer.h). kConflict when a file to be removed is not in
// the table; kUnsupported for row deletes in version 1.
Result<EncodedCommit> EncodeCommit(Runtime& runtime, MetadataReader& files, const TableHome& home,
                                   const Snapshot& base, const Commit& commit,
                                   const DeleteWriterTools& tools);

}  // namespace tarn::iceberg
