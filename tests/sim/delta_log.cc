#include <nlohmann/json.hpp>

#include "tarn/base/text.h"
#include "tarn/format/delta/delta_format.h"
#include "tests/sim/table_log.h"

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

// Its JSON files alone: it knows no checkpoints.
class DeltaLog final : public TableLog {
 public:
  std::unique_ptr<TableFormat> MakeFormat(Runtime& runtime) const override {
    return MakeDeltaFormat(runtime);
  }

  Path PathOf(const Path& root, int64_t version) const override {
    const std::string digits = std::to_string(version);
    return root / ("_delta_log/" + std::string(20 - digits.size(), '0') + digits + ".json");
  }

  std::optional<int64_t> VersionAt(const Path& path) const override {
    const std::string_view name = path.name();
    if (path.parent().name() != "_delta_log" || name.size() != 25 || !name.ends_with(".json") ||
        name.substr(0, 20).find_first_not_of("0123456789") != std::string_view::npos) {
      return std::nullopt;
    }
    return ParseInt64(name.substr(0, 20));
  }

  std::string NameOf(int64_t version) const override { return std::to_string(version); }
  int64_t NumberOf(const Version& version) const override { return std::stoll(version.text); }

  Result<LoggedCommit> Read(const Storage& /*storage*/, const Path& /*root*/, const Bytes& head,
                            const TableState& before) override {
    LoggedCommit commit;
    commit.after = before;
    for (const std::string& line : Split(head, '\n')) {
      if (line.empty()) continue;
      const auto action = nlohmann::json::parse(line, nullptr, false);
      if (!action.is_object() || action.size() != 1) return Corrupt("a line that is no action");
      Apply(commit, action.begin().key(), action.begin().value());
    }
    for (const auto& [path, file] : commit.removed) commit.after.files.erase(path);
    for (const auto& [path, file] : commit.added) commit.after.files[path] = file;
    for (const auto& [source, position] : commit.positions) {
      commit.after.positions[source] = position;
    }
    return commit;
  }
};

}  // namespace

std::unique_ptr<TableLog> TableLog::OfDelta() { return std::make_unique<DeltaLog>(); }

}  // namespace tarn::sim
