#include "tests/sim/judge.h"

#include <algorithm>
#include <set>

namespace tarn::sim {
namespace {

std::string Describe(const Attempt& attempt) {
  return "writer " + std::to_string(attempt.writer) + "'s " + std::string(NameOf(attempt.kind)) +
         " on version " + std::to_string(attempt.base) +
         (attempt.part.empty() ? "" : " of " + attempt.part);
}

class Judgement {
 public:
  explicit Judgement(World& world) : world_(world), truth_(world.truth) {}

  void All() {
    Outcomes();
    for (int64_t version = 0; version <= truth_.newest(); ++version) Commit(version);
    for (const auto& attempt : world_.attempts) Conflicts(*attempt);
    for (const Observation& seen : world_.observations) {
      if (auto difference = Differs(seen, truth_)) world_.Violate(std::move(*difference));
    }
    FinalReader();
  }

 private:
  void Outcomes() {
    for (const auto& attempt : world_.attempts) {
      const std::vector<int64_t> versions = truth_.VersionsOf(attempt->commit_id);
      const std::string who = Describe(*attempt);
      if (versions.size() > 1) {
        world_.Violate(who + " landed twice, as versions " + std::to_string(versions[0]) + " and " +
                       std::to_string(versions[1]));
      }
      switch (attempt->outcome) {
        case Outcome::kLanded:
          if (versions.empty() || versions[0] != attempt->version) {
            world_.Violate(who + " was acknowledged as version " +
                           std::to_string(attempt->version) + " and is not there");
          }
          break;
        case Outcome::kConflict:
        case Outcome::kAlreadyExists:
        case Outcome::kUnavailable:
        case Outcome::kFailed:
          if (!versions.empty()) {
            world_.Violate(who + " was told that it did not land (" + attempt->message +
                           ") but is version " + std::to_string(versions[0]));
          }
          break;
        case Outcome::kPending:
        case Outcome::kUnknown:
          break;
      }
      if (!versions.empty()) landed_[versions[0]] = attempt.get();
    }
  }

  // The rows of a state, by id; a row that is there twice is a violation.
  std::map<int64_t, int64_t> RowsOf(const TableState& state, int64_t version,
                                    const std::string* part) {
    std::map<int64_t, int64_t> rows;
    for (const auto& [path, file] : state.files) {
      if (part != nullptr && file.part != *part) continue;
      const std::set<size_t>& deleted = Deleted(path, file);
      const std::vector<Row>& in_file = world_.rows[path];
      for (size_t i = 0; i < in_file.size(); ++i) {
        if (deleted.contains(i)) continue;
        if (!rows.emplace(in_file[i].id, in_file[i].value).second) {
          world_.Violate("row " + std::to_string(in_file[i].id) + " is twice in version " +
                         std::to_string(version));
        }
      }
    }
    return rows;
  }

  const std::set<size_t>& Deleted(const std::string& path, const LiveFile& file) {
    static const std::set<size_t> none;
    if (!file.vector) return none;
    const auto known = vectors_.find(file.vector->location);
    if (known != vectors_.end()) return known->second;
    std::set<size_t>& rows = vectors_[file.vector->location];
    const Result<RowSet> read = format_->DeletedRows(
        home_, Snapshot::Empty(), DataFile{.path = path, .deletes = {*file.vector}});
    if (!read.ok()) {
      world_.Violate("the deletion vector of " + path +
                     " cannot be read: " + read.error().ToString());
      return rows;
    }
    read->ForEach([&](uint64_t row) { rows.insert(static_cast<size_t>(row)); });
    return rows;
  }

  void Commit(int64_t version) {
    const LoggedCommit& commit = truth_.at(version);
    const TableState before = truth_.StateAfter(version - 1);
    const std::string name = "version " + std::to_string(version);
    if (version > 0 && commit.timestamp_ms <= truth_.at(version - 1).timestamp_ms) {
      world_.Violate(name + " is not younger than the version before it");
    }
    for (const auto& [path, file] : commit.removed) {
      if (!before.files.contains(path)) {
        world_.Violate(name + " removes " + path + ", which is not in the table");
      }
    }
    const auto found = landed_.find(version);
    if (found == landed_.end()) {
      world_.Violate(name + " was made by nobody");
      return;
    }
    Explains(*found->second, commit, before, version);
  }

  // Whether `attempt`, applied to `before`, gives what the log has.
  void Explains(const Attempt& attempt, const LoggedCommit& commit, const TableState& before,
                int64_t version) {
    const std::string who = Describe(attempt) + " (version " + std::to_string(version) + ")";
    const auto expect = [&](bool holds, const std::string& what) {
      if (!holds) world_.Violate(who + ": " + what);
    };
    const auto rows_before = RowsOf(before, version - 1, nullptr);
    const auto rows_after = RowsOf(commit.after, version, nullptr);
    std::map<int64_t, int64_t> own;
    for (const auto& [path, rows] : attempt.added) {
      for (const Row& row : rows) own[row.id] = row.value;
    }
    std::map<int64_t, int64_t> expected = rows_before;
    const auto drop_part = [&](const std::string& part) {
      for (const auto& [id, value] : RowsOf(before, version - 1, &part)) expected.erase(id);
    };
    switch (attempt.kind) {
      case OpKind::kAppend:
      case OpKind::kIngest:
        break;
      case OpKind::kOverwritePart:
      case OpKind::kDeletePart:
        drop_part(attempt.part);
        break;
      case OpKind::kOverwriteAll:
        expected.clear();
        break;
      case OpKind::kRewriteRow:
      case OpKind::kDeleteRow:
        expect(expected.erase(attempt.row_id) == 1, "the row it deletes was no longer there");
        own.clear();
        break;
      case OpKind::kIncrement: {
        const auto counter = RowsOf(before, version - 1, &attempt.part);
        const int64_t value = counter.empty() ? 0 : counter.begin()->second;
        expect(own.begin()->second == value + 1, "it wrote " + std::to_string(own.begin()->second) +
                                                     " over " + std::to_string(value));
        drop_part(attempt.part);
        break;
      }
      case OpKind::kCompact:
        own.clear();
        break;
      default:
        break;
    }
    for (const auto& [id, value] : own) {
      expect(attempt.kind == OpKind::kIncrement || !rows_before.contains(id),
             "row " + std::to_string(id) + " was there before");
      expected[id] = value;
    }
    expect(rows_after == expected, "the rows after it are not those before it, changed as it says");
    ExplainsMetadata(attempt, commit, before, version, expect);
  }

  template <class Expect>
  void ExplainsMetadata(const Attempt& attempt, const LoggedCommit& commit,
                        const TableState& before, int64_t version, const Expect& expect) {
    std::vector<std::string> columns = before.columns;
    std::map<std::string, std::string> properties = before.properties;
    if (attempt.kind == OpKind::kCreate) {
      expect(version == 0, "it made a table where one stood");
      return;
    }
    if (attempt.kind == OpKind::kAddColumn) columns.push_back(attempt.column);
    if (attempt.kind == OpKind::kSetProperty) properties[attempt.property] = "x";
    expect(commit.after.columns == columns, "other columns than before it, changed as it says");
    for (const auto& [key, value] : properties) {
      expect(commit.after.properties.contains(key), "property " + key + " is lost");
    }
    if (!commit.added.empty()) {
      expect(truth_.StateAfter(attempt.base).columns == before.columns,
             "it wrote rows without having seen a change of columns");
    }
    const auto position = [](const TableState& state, const std::string& source) {
      const auto found = state.positions.find(source);
      return found == state.positions.end() ? int64_t{0} : found->second;
    };
    for (const auto& [source, after] : commit.positions) {
      expect(attempt.kind == OpKind::kIngest && source == attempt.source, "it moved a position");
    }
    if (attempt.kind == OpKind::kIngest) {
      expect(position(before, attempt.source) == attempt.position_before,
             "it ingested from position " + std::to_string(attempt.position_before) + " when " +
                 std::to_string(position(before, attempt.source)) + " was reached");
      expect(position(commit.after, attempt.source) == attempt.position_after,
             "its position did not land");
    }
  }

  // Whether a commit that landed after the attempt's base, before its answer, could stand in its
  // way.
  void Conflicts(const Attempt& attempt) {
    if (attempt.outcome == Outcome::kAlreadyExists) {
      if (attempt.newest_at_answer < 0 || attempt.kind != OpKind::kCreate) {
        world_.Violate(Describe(attempt) + " was told of a table that is not there");
      }
      return;
    }
    if (attempt.outcome != Outcome::kConflict) return;
    const bool blind = attempt.kind == OpKind::kAppend;
    if (!blind && attempt.history_gone) return;
    for (int64_t version = attempt.base + 1;
         version <= std::min(attempt.newest_at_answer, truth_.newest()); ++version) {
      if (CouldConflict(attempt, truth_.at(version))) return;
    }
    // After a power cut the commit that stood in the way may be forgotten.
    if (world_.power_cuts > 0) return;
    world_.Violate(Describe(attempt) + " was refused without a cause: " + attempt.message);
  }

  static bool CouldConflict(const Attempt& attempt, const LoggedCommit& theirs) {
    if (theirs.changes_metadata) return true;
    if (!attempt.source.empty() && theirs.positions.contains(attempt.source)) return true;
    for (const std::string& path : attempt.removed) {
      if (theirs.removed.contains(path)) return true;
    }
    const bool reads_part = attempt.kind != OpKind::kAppend && attempt.kind != OpKind::kIngest &&
                            attempt.kind != OpKind::kCompact;
    const bool reads_all = attempt.kind == OpKind::kOverwriteAll;
    for (const auto* files : {&theirs.added, &theirs.removed}) {
      for (const auto& [path, file] : *files) {
        if (reads_all || (reads_part && file.part == attempt.part)) return true;
      }
    }
    return false;
  }

  void FinalReader() {
    if (truth_.newest() < 0) return;
    const auto look = [&](const AsOf& as_of, int64_t version) {
      const std::string name = "at the end, version " + std::to_string(version);
      const Result<Snapshot> snapshot = format_->Load(home_, as_of);
      if (!snapshot.ok()) {
        const bool may_be_gone = std::holds_alternative<AtVersion>(as_of) &&
                                 snapshot.error().code == ErrorCode::kNotFound &&
                                 truth_.whole_from() > 0;
        if (!may_be_gone) world_.Violate(name + " cannot be read: " + snapshot.error().ToString());
        return;
      }
      Observation seen{-1,
                       world_.log().NumberOf(snapshot->version),
                       truth_.newest(),
                       std::holds_alternative<Newest>(as_of),
                       {}};
      Result<std::unique_ptr<FileStream>> stream = format_->Files(home_, *snapshot, {});
      while (stream.ok()) {
        Result<std::optional<FileBatch>> batch = (*stream)->Next();
        if (!batch.ok()) {
          world_.Violate(name + " has files that cannot be read: " + batch.error().ToString());
          return;
        }
        if (!batch.value()) break;
        for (int64_t i = 0; i < batch.value()->size; ++i) {
          const DataFile file = batch.value()->At(i);
          LiveFile live{std::get<std::string>(file.partition.at(0)), {}};
          if (!file.deletes.empty()) live.vector = file.deletes[0];
          seen.state.files[file.path] = live;
        }
      }
      for (const auto& [source, position] : snapshot->positions) {
        seen.state.positions[source] = std::stoll(position);
      }
      for (const Field& field : snapshot->metadata.schema.fields) {
        seen.state.columns.push_back(field.name);
      }
      if (auto difference = Differs(seen, truth_)) world_.Violate("at the end, " + *difference);
    };
    look(Newest{}, truth_.newest());
    for (int64_t version = 0; version <= truth_.newest(); version += 1 + truth_.newest() / 4) {
      look(AtVersion{world_.log().NameOf(version)}, version);
    }
  }

  World& world_;
  const LogTruth& truth_;
  const World::Quiet quiet_{world_};
  testing::FakeRuntime fakes_;
  const std::unique_ptr<TableFormat> format_ = world_.log().MakeFormat(fakes_.runtime);
  const TableHome home_{world_.root(), world_.storage()};
  std::map<int64_t, const Attempt*> landed_;  // by version
  std::map<std::string, std::set<size_t>> vectors_;
};

}  // namespace

void Judge(World& world) { Judgement(world).All(); }

}  // namespace tarn::sim
