#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/model/commit.h"
#include "tarn/model/table_metadata.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// Turns the actions of commits, one version after another, into commits of the model. Keeps what
// later commits are compared with: protocol, metadata and positions. Not thread-safe.
class CommitDecoder {
 public:
  // `before`: the state before the first commit; null when that is the table's first or unknown.
  CommitDecoder(const TableHome& home, const DeltaState* before);
  ~CommitDecoder();

  // `actions` are those of one commit, which are used up. kUnsupported, kCorrupt as Load.
  Result<Commit> Decode(int64_t version, std::vector<Action> actions, int64_t timestamp_ms);

  // False while no metadata has been met: then partition values and statistics cannot be read.
  bool has_metadata() const { return metadata_.has_value(); }

 private:
  Status TakeHead(const std::vector<Action>& actions, Commit& commit);
  Status TakeFiles(std::vector<Action> actions, Commit& commit);
  Result<DataFile> ToDataFile(const AddFile& add) const;
  Result<DataFile> ToDataFile(const RemoveFile& remove) const;
  Result<DataFile> ToDataFile(const CdcFile& cdc) const;
  Status FillPartition(const PartitionTexts& texts, DataFile& file) const;
  void FillStatistics(const std::optional<std::string>& stats, DataFile& file) const;
  std::string PathOf(const std::string& uri) const;

  const TableHome& home_;
  std::optional<Protocol> protocol_;
  std::optional<TableMetadata> metadata_;
  std::map<std::string, int64_t> positions_;
  struct Statistics;  // how to read them under metadata_, made when first needed
  mutable std::unique_ptr<Statistics> statistics_;
};

// Operation, engine, writer, id and extra facts of a commitInfo.
void FillProvenance(const CommitInfo& info, Commit& commit);

}  // namespace tarn::delta
