#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/lineage/lineage.h"

namespace tarn::lineage {

// What a commit remembers of how its rows came about: enough to walk from a column of one version
// of a table to the columns it was made of. Names are those of the time of the commit.
struct CommitLineage {
  // A table or other place that was read.
  struct Source {
    std::string name;           // "sales.orders", "path:/in/*.jsonl"
    std::string table_id = {};  // of a table: survives a change of its name
    std::string version = {};   // of a table: what was read; empty when it was several states
    friend bool operator==(const Source&, const Source&) = default;
  };
  struct Input {
    uint32_t source = 0;   // index into `sources`
    std::string column;    // of a source that is no table, a path with dots
    int32_t field_id = 0;  // of a table's column: survives a change of its name; 0: unknown
    friend bool operator==(const Input&, const Input&) = default;
  };
  // A column of the table that was written.
  struct Output {
    std::string column;
    int32_t field_id = 0;
    friend bool operator==(const Output&, const Output&) = default;
  };
  static constexpr uint32_t kEveryOutput = UINT32_MAX;
  struct Flow {
    uint32_t output = kEveryOutput;  // index into `outputs`; kEveryOutput: decides about rows
    uint32_t input = 0;              // index into `inputs`
    EdgeKind kind = EdgeKind::kIdentity;
    bool masking = false;
    friend bool operator==(const Flow&, const Flow&) = default;
  };

  std::string operation;  // "insert overwrite", "ingest", …
  bool replaces = false;  // no earlier row of the table remains
  std::vector<Source> sources = {};
  std::vector<Input> inputs = {};
  std::vector<Output> outputs = {};
  std::vector<Flow> flows = {};
  friend bool operator==(const CommitLineage&, const CommitLineage&) = default;
};

// The part of a statement's lineage that ends in its dataset `target`.
CommitLineage CommitLineageOf(const StatementLineage& lineage, DatasetId target);

// Flows in the order in which they are written: by kind, else as they are.
void SortFlows(CommitLineage& lineage);

// XXH3 over all but versions and ids, 16 hex digits: commits that did the same have the same.
std::string HashOf(const CommitLineage& lineage);

// What a commit carries at most: longer lineages are left out whole.
inline constexpr size_t kCommitLineageBytesMax = size_t{32} << 10;

// One line of JSON for Commit::lineage; empty if it would be longer than kCommitLineageBytesMax:
//   {"v":1, "hash", "op", "replaces"?, "sources":[{"name","id"?,"version"?}],
//    "inputs":[[source,"column",id?]], "outputs":[["column",id?]],
//    "flows":{"IDENTITY":[[output,input]], "AGGREGATION+MASKING":[…], "FILTER":[[-1,input]]}}
std::string EncodeCommitLineage(const CommitLineage& lineage);

// kCorrupt: no such text, a later form ("v" above 1), or an index that points nowhere.
Result<CommitLineage> DecodeCommitLineage(std::string_view text);

}  // namespace tarn::lineage
