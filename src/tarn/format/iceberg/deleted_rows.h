#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tarn/base/recently_used.h"
#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/format/iceberg/equality_keys.h"
#include "tarn/format/iceberg/file_formats.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tarn/model/data_file.h"
#include "tarn/model/row_set.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// Reads delete files of every kind. One that names many data files, or none, is decoded once and
// kept while it is among the last used: delete files never change. Thread-safe.
class DeletedRowsReader {
 public:
  explicit DeletedRowsReader(FileFormats file_formats) : file_formats_(std::move(file_formats)) {}

  // TableFormat::DeletedRows. Position deletes count where their path names the same object,
  // however it is spelled. kCorrupt, kNotFound naming the delete file.
  Result<RowSet> Read(const TableHome& home, const Snapshot& snapshot, const DataFile& file);

 private:
  using RowsByPath = std::map<std::string, RowSet, std::less<>>;
  // What was decoded of one delete file: one of the two.
  struct Decoded {
    std::shared_ptr<const RowsByPath> positions = nullptr;
    std::shared_ptr<const KeySet> keys = nullptr;
  };

  Result<RowSet> ReadVector(const TableHome& home, const Locations& locations,
                            const DeleteFile& deletes) const;
  Result<std::shared_ptr<const RowsByPath>> Positions(const TableHome& home,
                                                      const Locations& locations,
                                                      const DeleteFile& deletes);
  Result<std::shared_ptr<const KeySet>> Keys(const TableHome& home, const Locations& locations,
                                             const Schema& columns, const DeleteFile& deletes);
  Status AddEqualityDeleted(const TableHome& home, const Locations& locations,
                            const Snapshot& snapshot, const IcebergState& state,
                            const DataFile& file, const std::vector<const DeleteFile*>& deletes,
                            RowSet& rows);
  Result<std::unique_ptr<BatchStream>> Open(const TableHome& home, const Path& object,
                                            const std::string& format,
                                            const FileReadOptions& options) const;

  const FileFormats file_formats_;
  RecentlyUsed<Decoded> decoded_{16};  // a scan meets the same few for one data file after another
};

}  // namespace tarn::iceberg
