#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/fake_format.h"
#include "tests/support/toy_format.h"

namespace tarn::testing {

// A toy format that lets tables ask for row deletes, change data, conditions and row lineage, and
// keeps row deletes as values.
class AskingFormat final : public ToyFormat {
 public:
  AskingFormat(CommitVault& vault, LogFormat& log) : ToyFormat(vault), log_(log) {}
  std::string_view name() const override { return "asking"; }
  FormatTraits traits() const override { return {.row_deletes = true, .change_files = true}; }
  Result<WriteTicket> Begin(const TableHome&, const Snapshot&, const WriteIntent&) const override {
    WriteTicket ticket;
    ticket.row_deletes = row_deletes;
    ticket.change_data = change_data;
    ticket.conditions = conditions;
    ticket.row_lineage = row_lineage;
    return ticket;
  }
  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    last = commit;
    return log_.Encode(home, base, commit);
  }
  bool row_deletes = false;
  bool change_data = false;
  std::vector<CheckConstraint> conditions;
  std::vector<Field> row_lineage;
  mutable Commit last;

 protected:
  Result<std::vector<Commit>> AllCommits(const TableHome& home) const override {
    TARN_ASSIGN_OR_RETURN(auto history,
                          log_.Commits(home, Version{}, std::nullopt, HistoryDetail::kConflicts));
    return std::get<std::vector<Commit>>(std::move(history));
  }

 private:
  LogFormat& log_;
};

}  // namespace tarn::testing
