#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarn/model/data_file.h"
#include "tarn/model/expression.h"
#include "tarn/model/reference_change.h"
#include "tarn/model/snapshot.h"
#include "tarn/model/table_metadata.h"

namespace tarn {

enum class OperationKind : uint8_t {
  kCreate,
  kReplace,  // CREATE OR REPLACE
  kAppend,
  kOverwrite,
  kDelete,
  kUpdate,   // update, merge, upsert
  kRewrite,  // same rows, other files: compaction, clustering
  kAlter,    // metadata only
  kRestore,
  kOther,  // by another engine, under a name Tarn has no word for
};

// What a commit did, for people. `name` is the format's spelling ("WRITE", "MERGE"); parameters are
// shown by history (values are plain text; a codec frames them).
struct Operation {
  OperationKind kind = OperationKind::kOther;
  std::string name = {};
  std::map<std::string, std::string> parameters = {};
  std::map<std::string, std::string> metrics = {};
};

// A stream's position moves by compare-and-set.
struct PositionMove {
  std::string source;                 // "file:/in/*.jsonl", "kafka:topic/3"
  std::optional<std::string> before;  // absent: the source was unknown
  std::string after;
  friend bool operator==(const PositionMove&, const PositionMove&) = default;
};

// What the operation looked at before it decided; what another's commit may not have changed.
struct ReadSet {
  bool everything = false;                  // the whole table: overwrite whole
  std::vector<Expression> predicates = {};  // rows that match any of them
  std::vector<std::string> locations = {};  // these files: rewrites
  bool empty() const { return !everything && predicates.empty() && locations.empty(); }
};

// A change to a table as a value; also what is read back from a table's history. Bound to no base:
// it can be encoded on top of any snapshot with which it does not conflict.
struct Commit {
  std::string id;            // a UUID; how a commit whose answer was lost is found again
  Version version = {};      // read back only: the state it made
  int64_t timestamp_ms = 0;  // read back only: when it became visible, rising with the version
  Operation operation = {};
  std::vector<DataFile> added = {};
  std::vector<DataFile> removed = {};          // whole files; each with location and partition
  std::vector<RowDelete> row_deletes = {};     // rows of files that stay
  std::vector<DataFile> change_files = {};     // change data, where the table keeps it
  std::optional<TableMetadata> metadata = {};  // the new state, when it changes
  bool protocol_changed = false;  // read back only: features or versions differ from the one before
  std::vector<PositionMove> positions = {};
  std::vector<ReferenceChange> references = {};  // branches and tags that move, come or go
  std::vector<std::string> expired = {};         // states that are forgotten, as users type them
  bool data_change = true;                       // false: only rearranges rows
  ReadSet reads = {};
  std::string engine = {};   // "tarn/0.1.0", "Apache-Spark/3.5"
  std::string writer = {};   // user@host, where known
  std::string lineage = {};  // opaque bytes, bounded (lineage/)
  // The format's further facts: read back, and what its WriteTicket asked to carry.
  std::map<std::string, std::string> extra = {};
};

}  // namespace tarn
