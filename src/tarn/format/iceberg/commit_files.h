#pragma once

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/deleted_rows.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/model/commit.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// What one snapshot did to files, from the entries of the manifests it added: files added and
// removed with partition and bounds, and the files that it deleted rows of (`row_deletes`), with
// the rows that went.
Status AddFilesOf(Runtime& runtime, const TableHome& home,
                  const std::shared_ptr<const Metadata>& metadata, const MetadataFile& file,
                  const SnapshotEntry& snapshot, Commit& commit, DeletedRowsReader& deleted_rows);

}  // namespace tarn::iceberg
