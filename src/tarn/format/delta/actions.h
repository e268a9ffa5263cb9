#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tarn::delta {

// The actions of a Delta log as plain values (PROTOCOL.md, "Actions"). How they are read stands in
// action_json.h, how they are written in encode.h. Texts are as the log spells them: paths stay
// percent-encoded URIs (location.h), statistics stay JSON (stats_json.h), partition values stay
// text (partition_values.h).

// "Protocol Evolution". Feature lists exist with reader version 3 and writer version 7 only.
struct Protocol {
  int32_t min_reader_version = 1;
  int32_t min_writer_version = 2;
  std::vector<std::string> reader_features = {};
  std::vector<std::string> writer_features = {};
  friend bool operator==(const Protocol&, const Protocol&) = default;
};

// "Change Metadata".
struct MetadataAction {
  std::string id;
  std::string name = {};
  std::string description = {};
  std::string format_provider = "parquet";
  std::map<std::string, std::string> format_options = {};
  std::string schema_string = {};  // may be absent: no columns yet
  std::vector<std::string> partition_columns = {};
  std::map<std::string, std::string> configuration = {};
  std::optional<int64_t> created_time_ms = {};
  friend bool operator==(const MetadataAction&, const MetadataAction&) = default;
};

// "Deletion Vectors", descriptor schema.
struct DeletionVectorDescriptor {
  char storage_type = 'u';  // 'u' relative by UUID, 'i' inline, 'p' absolute path
  std::string path_or_inline;
  std::optional<int32_t> offset = {};
  int32_t size_bytes = 0;
  int64_t cardinality = 0;

  // "derived field": storageType, pathOrInlineDv and "@offset" if there is one. With the path it is
  // the identity of a logical file.
  std::string UniqueId() const;
  friend bool operator==(const DeletionVectorDescriptor&,
                         const DeletionVectorDescriptor&) = default;
};

// Text by partition column (physical name); absent text is NULL.
using PartitionTexts = std::vector<std::pair<std::string, std::optional<std::string>>>;

// "Add File and Remove File".
struct AddFile {
  std::string path;
  PartitionTexts partition_values = {};
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  bool data_change = true;
  std::optional<std::string> stats = {};
  std::map<std::string, std::string> tags = {};
  std::optional<DeletionVectorDescriptor> deletion_vector = {};
  std::optional<int64_t> base_row_id = {};
  std::optional<int64_t> default_row_commit_version = {};
  std::optional<std::string> clustering_provider = {};
  friend bool operator==(const AddFile&, const AddFile&) = default;
};

struct RemoveFile {
  std::string path;
  std::optional<int64_t> deletion_timestamp_ms = {};
  bool data_change = true;
  bool extended_file_metadata = false;  // partition_values and size_bytes are meant
  PartitionTexts partition_values = {};
  std::optional<int64_t> size_bytes = {};
  std::optional<std::string> stats = {};
  std::map<std::string, std::string> tags = {};
  std::optional<DeletionVectorDescriptor> deletion_vector = {};
  std::optional<int64_t> base_row_id = {};
  std::optional<int64_t> default_row_commit_version = {};
  friend bool operator==(const RemoveFile&, const RemoveFile&) = default;
};

// "Add CDC File".
struct CdcFile {
  std::string path;
  PartitionTexts partition_values = {};
  int64_t size_bytes = 0;
  std::map<std::string, std::string> tags = {};
  friend bool operator==(const CdcFile&, const CdcFile&) = default;
};

// "Transaction Identifiers". A Tarn position is one of these: appId is the source as the model
// names it, version the position as a decimal number (positions of Delta tables are 64-bit
// integers).
struct Txn {
  std::string app_id;
  int64_t version = 0;
  std::optional<int64_t> last_updated_ms = {};
  friend bool operator==(const Txn&, const Txn&) = default;
};

// "Domain Metadata".
struct DomainMetadata {
  std::string domain;
  std::string configuration = {};
  bool removed = false;
  friend bool operator==(const DomainMetadata&, const DomainMetadata&) = default;
};

// "Commit Provenance Information": free-form, so what has no member here is in `extra`.
struct CommitInfo {
  std::optional<int64_t> timestamp_ms = {};
  std::optional<int64_t> in_commit_timestamp_ms = {};
  std::string operation = {};
  // Strings as they are, other values as JSON text.
  std::map<std::string, std::string> operation_parameters = {};
  std::map<std::string, std::string> operation_metrics = {};
  std::optional<int64_t> read_version = {};
  std::string isolation_level = {};
  std::optional<bool> is_blind_append = {};
  std::string engine_info = {};
  std::string txn_id = {};
  std::string user_name = {};
  std::string tarn_commit_id = {};  // "tarnCommitId": Commit::id
  std::string tarn_writer = {};     // "tarnWriter": Commit::writer
  std::string tarn_lineage = {};    // "tarnLineage": Commit::lineage in Base64; here decoded
  std::map<std::string, std::string> extra = {};  // other members: JSON text by name
  friend bool operator==(const CommitInfo&, const CommitInfo&) = default;
};

// "Sidecar File Information".
struct Sidecar {
  std::string path;
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  friend bool operator==(const Sidecar&, const Sidecar&) = default;
};

// "Checkpoint Metadata".
struct CheckpointMetadata {
  int64_t version = 0;
  std::map<std::string, std::string> tags = {};
  friend bool operator==(const CheckpointMetadata&, const CheckpointMetadata&) = default;
};

using Action = std::variant<Protocol, MetadataAction, AddFile, RemoveFile, CdcFile, Txn,
                            DomainMetadata, CommitInfo, Sidecar, CheckpointMetadata>;

}  // namespace tarn::delta
