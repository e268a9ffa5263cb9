#include "tests/sim/log_truth.h"

#include <nlohmann/json.hpp>

#include "tarn/base/text.h"

namespace tarn::sim {
namespace {

std::optional<DeleteFile> VectorOf(const nlohmann::json& action) {
  const auto vector = action.find("deletionVector");
  if (vector == action.end() || vector->is_null()) return std::nullopt;
  DeleteFile file;
  file.location = vector->at("storageType").get<std::string>() +
                  vector->at("pathOrInlineDv").get<std::string>();
  if (vector->contains("offset")) file.offset = vector->at("offset").get<int64_t>();
  file.size_bytes = vector->at("sizeInBytes").get<int64_t>();
  file.row_count = vector->at("cardinality").get<int64_t>();
  return file;
}

LiveFile FileOf(const nlohmann::json& action) {
  LiveFile file;
  const auto values = action.find("partitionValues");
  if (values != action.end() && values->contains("part") && !values->at("part").is_null()) {
    file.part = values->at("part").get<std::string>();
  }
  file.vector = VectorOf(action);
  return file;
}

void Apply(LoggedCommit& commit, const std::string& name, const nlohmann::json& action) {
  if (name == "commitInfo") {
    commit.id = action.value("tarnCommitId", std::string());
    commit.timestamp_ms = action.value("timestamp", int64_t{0});
  } else if (name == "add" || name == "remove") {
    auto& files = name == "add" ? commit.added : commit.removed;
    files[PercentDecode(action.at("path").get<std::string>())] = FileOf(action);
    commit.data_change |= action.value("dataChange", true);
  } else if (name == "txn") {
    commit.positions[action.at("appId").get<std::string>()] = action.at("version").get<int64_t>();
  } else if (name == "metaData" || name == "protocol") {
    commit.changes_metadata = true;
    if (name == "protocol") return;
    const auto schema = nlohmann::json::parse(action.at("schemaString").get<std::string>());
    commit.after.columns.clear();
    for (const auto& field : schema.at("fields")) {
      commit.after.columns.push_back(field.at("name").get<std::string>());
    }
    commit.after.properties = action.value("configuration", std::map<std::string, std::string>());
  }
}

}  // namespace

std::optional<std::string> LogTruth::Record(int64_t version, const Bytes& bytes) {
  const std::string name = "version " + std::to_string(version);
  if (version <= newest()) {
    // A name that clean-up freed may be taken by who slept long; that this commit is in no state,
    // and so must not be acknowledged, the judge sees.
    if (at(version).raw != bytes && !present_.contains(version)) return std::nullopt;
    if (at(version).raw != bytes) return name + " was overwritten";
    present_.insert(version);
    return std::nullopt;
  }
  if (version > newest() + 1)
    return name + " was created before version " + std::to_string(newest() + 1);
  LoggedCommit commit;
  commit.raw = bytes;
  commit.after = StateAfter(newest());
  for (const std::string& line : Split(bytes, '\n')) {
    if (line.empty()) continue;
    const auto action = nlohmann::json::parse(line, nullptr, false);
    if (!action.is_object() || action.size() != 1) return name + " has a line that is no action";
    Apply(commit, action.begin().key(), action.begin().value());
  }
  for (const auto& [path, file] : commit.removed) commit.after.files.erase(path);
  for (const auto& [path, file] : commit.added) commit.after.files[path] = file;
  for (const auto& [source, position] : commit.positions) commit.after.positions[source] = position;
  commits_.push_back(std::move(commit));
  present_.insert(version);
  return std::nullopt;
}

void LogTruth::ForgetFrom(int64_t version) {
  commits_.resize(static_cast<size_t>(version));
  present_.erase(present_.lower_bound(version), present_.end());
}

TableState LogTruth::StateAfter(int64_t version) const {
  return version < 0 ? TableState() : at(version).after;
}

std::vector<int64_t> LogTruth::VersionsOf(std::string_view id) const {
  std::vector<int64_t> versions;
  for (int64_t version = 0; version <= newest(); ++version) {
    if (at(version).id == id) versions.push_back(version);
  }
  return versions;
}

}  // namespace tarn::sim
