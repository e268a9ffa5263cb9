#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/commit.h"
#include "tarn/model/expression.h"
#include "tarn/model/file_batch.h"
#include "tarn/model/row_set.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/relation.h"
#include "tarn/table/retry_policy.h"
#include "tarn/table/table_home.h"

namespace tarn {

struct NewObject {
  Path path;
  Bytes bytes;
};

// What must still hold when a server writes the head: `subject` ("head", "last-column-id", …) is
// `value`.
struct Requirement {
  std::string subject;
  std::string value;
};

// A part of a commit in words, for homes whose server writes the head: "add-snapshot",
// "set-properties", … with the format's own JSON.
struct MetadataChange {
  std::string action;
  std::string json;
};

// A commit as bytes and as changes; which part is used is the home's business, not the format's.
struct EncodedCommit {
  Version version;                // the state it will make, where the format knows it before
  std::vector<NewObject> staged;  // written first, in order; harmless if never revealed
  std::vector<Requirement> requirements;  // what must still hold: the head is X
  std::vector<MetadataChange> changes;    // the same commit in words
  // The new head, under the home's name for it (empty: the format's own name).
  std::function<NewObject(std::string_view name)> head;
};

// Commits in a range, oldest first, or why they cannot be told.
enum class HistoryGap : uint8_t {
  kGone,
  kDiverged
};  // cleaned away; rolled back or another branch
using History = std::variant<std::vector<Commit>, HistoryGap>;

// What the history is read for: kConflicts needs files, reads, ids and positions; kPeople only the
// operation, time, writer and counts.
enum class HistoryDetail : uint8_t { kConflicts, kPeople };

// What a format asks for before the first data file: names to use, objects to show first
// (Hudi's requested and inflight instants), how files are to be written.
struct WriteTicket {
  std::string folder = {};  // below the table's root, where data files stand; empty: the root
  std::string file_prefix;  // of data files' names, may be empty
  std::string file_suffix;  // of the same, before the extension, may be empty
  std::vector<NewObject> shown_first;
  int64_t target_file_size_bytes = int64_t{128} << 20;
  std::string file_format = "parquet";  // of data files: a FileFormat's name
  std::string compression = "zstd";     // a FileWriteOptions::compression of that format
  bool hive_folders = true;             // data files stand in name=value folders
  std::vector<int32_t> statistics_ids;  // leaf fields that get statistics
  // What the table asks for: rows leave files by row deletes rather than by rewriting them; changes
  // that are no plain additions and removals of files are also written as change data.
  bool row_deletes = false;
  bool change_data = false;
  // Where the table numbers its rows: the columns of data files that keep a moved row's number and
  // that of its last change (two, optional int64; NULL: as the file's). Empty: it does not.
  std::vector<Field> row_lineage = {};
  // What rows must make true beside the table's constraints (Delta: invariants of columns).
  std::vector<CheckConstraint> conditions = {};
  // To be carried in the Commit::extra of what is written with this ticket, so that the codec knows
  // its own pending write again (Hudi: the instant).
  std::map<std::string, std::string> commit_extra;
};

struct WriteIntent {
  OperationKind operation = OperationKind::kAppend;
};

// The table property that says how far an operation is kept apart from others at the same time.
struct IsolationProperty {
  OperationKind operation = OperationKind::kOther;  // kOther: every operation
  std::string_view name;
  std::string_view relaxed;  // its value, in any case, that asks for kWriteSerializable
};

// What a format can express, asked before files are written.
struct FormatTraits {
  bool row_deletes = false;           // rows can be taken from files without rewriting them
  bool tells_empty_from_null = true;  // '' and NULL differ in partition values (S16)
  bool keeps_commit_id = true;
  bool partition_columns_in_files = false;
  bool hidden_partitioning = false;  // transforms other than identity
  bool change_files = false;
  bool references = false;   // branches and tags; versions that can expire
  bool sort_orders = false;  // a table says in which order the rows of its files are
  // The property that tells engines with many tasks how rows are dealt to them: none, hash or
  // range.
  std::string_view distribution_property = {};
  // A version's object is its place in the history, and clean-up takes old ones away: a name that
  // is free may be an old one.
  bool frees_versions = false;
  // The folder below the root with the metadata files of which a catalog names the newest; empty
  // where the table's own folder always says it.
  std::string_view head_folder = {};
  std::vector<IsolationProperty> isolation = {};
  // What TableFormat::ReadRelation knows, lower case, beside or instead of the relations that every
  // table has (query/relations.h).
  std::vector<std::string_view> relations = {};
};

// Files of a snapshot, batch by batch. Not thread-safe.
class FileStream {
 public:
  virtual ~FileStream() = default;
  // The next batch (never empty), or nothing at the end.
  virtual Result<std::optional<FileBatch>> Next() = 0;
  // Files seen before pruning, so far.
  virtual int64_t files_seen() const = 0;
};

// Which files are wanted, and what is to be decoded for each.
struct FileRequest {
  Expression filter = {};               // prunes while decoding (model/prune.h)
  std::vector<int32_t> bounds_of = {};  // further fields whose bounds the caller wants
  bool all_bounds = false;              // bounds of every field (`t.files`)
};

// Maintenance after a commit: what to put (each replacing or absent: order matters, the hint last)
// and what to remove. Idempotent; a failure harms nobody.
struct Upkeep {
  std::vector<NewObject> put;
  std::vector<Path> remove;
};

// Which states of a table may be forgotten.
struct ExpiryRequest {
  // States older than this go (absent: as the table's properties say) …
  std::optional<int64_t> older_than_ms = {};
  // … but not the newest so many of each branch.
  std::optional<int64_t> keep_min = {};
  std::vector<std::string> versions = {};  // instead: these states
};

// What expiry forgets: names first, by a commit, then the objects that nothing else needs.
struct Expiry {
  std::vector<std::string> versions = {};        // for Commit::expired
  std::vector<ReferenceChange> references = {};  // names whose time is over
};

enum class UpkeepWish : uint8_t { kIfDue, kCheckpointNow };

// A codec between the table model and the bytes of one open format: made with a Runtime (clock,
// ids, threads), no state, no policy, no writes. Thread-safe. Its mapping to the model, by section
// of the spec, is docs/format/<name>.md.
class TableFormat {
 public:
  virtual ~TableFormat() = default;

  virtual std::string_view name() const = 0;  // "delta": the key in the registry
  virtual FormatTraits traits() const = 0;

  // Whether a table of this format stands at the home: one look, no parsing.
  virtual Result<bool> Detect(const TableHome& home) const = 0;

  // The head only: schema, specs, properties, stream positions; totals where the format keeps
  // them. Costs the log's tail and the checkpoint's small columns, never the files. kNotFound if
  // there is no table or no such version; kCorrupt naming the object; kUnsupported naming the
  // reader feature. A table to be created starts from Snapshot::Empty().
  virtual Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const = 0;

  // The snapshot's files in batches of columns, pruned by `request.filter` while they are decoded.
  virtual Result<std::unique_ptr<FileStream>> Files(const TableHome& home, const Snapshot& snapshot,
                                                    const FileRequest& request) const = 0;

  // The rows of `file`, one of `snapshot`'s, that `file.deletes` take away, whatever the framing.
  virtual Result<RowSet> DeletedRows(const TableHome& home, const Snapshot& snapshot,
                                     const DataFile& file) const = 0;

  // Commits after `after` (empty: from the earliest known) up to `until` (or the newest).
  virtual Result<History> Commits(const TableHome& home, const Version& after,
                                  const std::optional<Version>& until,
                                  HistoryDetail detail) const = 0;

  virtual Result<WriteTicket> Begin(const TableHome& home, const Snapshot& base,
                                    const WriteIntent& intent) const = 0;

  // A new table's metadata made sayable in this format: ids, protocol, properties it needs. Also
  // for a changed one: `before` is what stands. kUnsupported by name.
  virtual Result<TableMetadata> Prepare(const TableMetadata* before,
                                        TableMetadata wanted) const = 0;

  // `commit` on top of `base`. Row deletes arrive as values {file, rows}; the codec merges them
  // with what the file already has and frames them its own way. kUnsupported if it cannot be said.
  virtual Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                                       const Commit& commit) const = 0;

  // How often a commit on `base` is tried, where its properties say so; else `otherwise`. kInvalid
  // naming a property that cannot be.
  virtual Result<RetryPolicy> Retries(const Snapshot& base, const RetryPolicy& otherwise) const {
    (void)base;
    return otherwise;
  }

  // One of traits().relations at `snapshot`: rows in an order of the format's. kNotFound for
  // another name. Costs what it shows: all manifests for files, their contents for deleted rows.
  virtual Result<Relation> ReadRelation(const TableHome& home, const Snapshot& snapshot,
                                        std::string_view name) const = 0;

  // What may be forgotten of the table at `snapshot`, its newest state. kInvalid for a version that
  // cannot go; kUnsupported without traits().references.
  virtual Result<Expiry> PlanExpiry(const TableHome& home, const Snapshot& snapshot,
                                    const ExpiryRequest& request) const = 0;
  // Objects that only forgotten states of the table at `snapshot` needed, and that still stand, in
  // the order in which they may be removed: who is interrupted finds the rest the next time.
  virtual Result<std::vector<Path>> ExpiredObjects(const TableHome& home,
                                                   const Snapshot& snapshot) const = 0;

  // What is due after `snapshot` was published: checkpoint, hint, log clean-up.
  virtual Result<Upkeep> PlanUpkeep(const TableHome& home, const Snapshot& snapshot,
                                    UpkeepWish wish) const = 0;
};

}  // namespace tarn
