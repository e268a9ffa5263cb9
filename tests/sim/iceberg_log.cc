#include <arrow/api.h>
#include <nlohmann/json.hpp>

#include "tarn/base/text.h"
#include "tarn/datafile/avro_reader.h"
#include "tarn/format/iceberg/iceberg_format.h"
#include "tests/sim/table_log.h"
#include "tests/support/fake_runtime.h"

namespace tarn::sim {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kPosition = "tarn.position.";
constexpr std::string_view kEnding = ".metadata.json";

// The column of a struct column, and so on down `path`.
Result<std::shared_ptr<arrow::Array>> Column(const arrow::RecordBatch& batch,
                                             std::initializer_list<const char*> path) {
  std::shared_ptr<arrow::Array> column;
  std::string walked;
  for (const char* name : path) {
    walked += std::string("/") + name;
    if (column == nullptr) {
      column = batch.GetColumnByName(name);
    } else {
      column = static_cast<const arrow::StructArray&>(*column).GetFieldByName(name);
    }
    if (column == nullptr) return Corrupt("a manifest without " + walked);
  }
  return column;
}

std::string TextAt(const arrow::Array& column, int64_t row) {
  return std::string(static_cast<const arrow::StringArray&>(column).GetView(row));
}

int32_t IntAt(const arrow::Array& column, int64_t row) {
  return static_cast<const arrow::Int32Array&>(column).Value(row);
}

// Each metadata file is a version; its files are what the manifests of its snapshot list as alive
// (specification, "Scan Planning").
class IcebergLog final : public TableLog {
 public:
  std::unique_ptr<TableFormat> MakeFormat(Runtime& runtime) const override {
    return MakeIcebergFormat(runtime, {});
  }

  Path PathOf(const Path& root, int64_t version) const override {
    return root / ("metadata/" + NameOf(version) + std::string(kEnding));
  }

  std::optional<int64_t> VersionAt(const Path& path) const override {
    std::string_view name = path.name();
    if (path.parent().name() != "metadata" || !name.starts_with('v') || !name.ends_with(kEnding)) {
      return std::nullopt;
    }
    const auto number = ParseInt64(name.substr(1, name.size() - 1 - kEnding.size()));
    if (!number) return std::nullopt;
    return *number - 1;
  }

  std::string NameOf(int64_t version) const override { return "v" + std::to_string(version + 1); }
  int64_t NumberOf(const Version& version) const override {
    return std::stoll(version.text.substr(1)) - 1;
  }

  Result<LoggedCommit> Read(const Storage& storage, const Path& root, const Bytes& head,
                            const TableState& before) override {
    const Json metadata = Json::parse(head, nullptr, false);
    if (!metadata.is_object()) return Corrupt("metadata that is no JSON");
    LoggedCommit commit;
    commit.timestamp_ms = metadata.at("last-updated-ms").get<int64_t>();
    for (const auto& [key, value] : metadata.at("properties").items()) {
      if (key.starts_with(kPosition)) {
        commit.after.positions[key.substr(kPosition.size())] = std::stoll(value.get<std::string>());
      } else if (key != "tarn.commit-id") {
        commit.after.properties[key] = value.get<std::string>();
      }
    }
    for (const Json& schema : metadata.at("schemas")) {
      if (schema.at("schema-id") != metadata.at("current-schema-id")) continue;
      for (const Json& field : schema.at("fields")) {
        commit.after.columns.push_back(field.at("name").get<std::string>());
      }
    }
    const Json* snapshot = nullptr;
    const Json current = metadata.value("current-snapshot-id", Json());
    const Json snapshots = metadata.value("snapshots", Json::array());
    for (const Json& one : snapshots) {
      if (one.at("snapshot-id") == current) snapshot = &one;
    }
    if (snapshot != nullptr) {
      const std::string base = metadata.at("location").get<std::string>() + "/";
      TARN_ASSIGN_OR_RETURN(commit.after.files,
                            FilesOf(storage, root, base, snapshot->at("manifest-list")));
    }
    const bool own_snapshot =
        snapshot != nullptr && (snapshot->at("timestamp-ms") == metadata.at("last-updated-ms"));
    if (metadata.at("properties").contains("tarn.commit-id")) {
      commit.id = metadata.at("properties").at("tarn.commit-id").get<std::string>();
    } else if (own_snapshot) {
      commit.id = snapshot->at("summary").value("tarn.commit-id", std::string());
    }
    for (const auto& [path, file] : commit.after.files) {
      if (!before.files.contains(path)) commit.added[path] = file;
    }
    for (const auto& [path, file] : before.files) {
      if (!commit.after.files.contains(path)) commit.removed[path] = file;
    }
    for (const auto& [source, position] : commit.after.positions) {
      const auto found = before.positions.find(source);
      if (found == before.positions.end() || found->second != position) {
        commit.positions[source] = position;
      }
    }
    commit.changes_metadata =
        commit.after.columns != before.columns || commit.after.properties != before.properties;
    return commit;
  }

 private:
  using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;
  using Files = std::map<std::string, LiveFile>;

  static Result<std::string> Below(const std::string& base, const std::string& location) {
    if (!location.starts_with(base)) return Corrupt(location + " is not below " + base);
    return location.substr(base.size());
  }

  Result<Batches> Rows(const Storage& storage, const Path& object) {
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<const ObjectReader> reader, storage.OpenReader(object));
    TARN_ASSIGN_OR_RETURN(const AvroFile file, AvroFile::Open(std::move(reader), object.str()));
    TARN_ASSIGN_OR_RETURN(const auto stream, file.Read(fakes_.runtime, {}));
    Batches batches;
    while (true) {
      TARN_ASSIGN_OR_RETURN(auto batch, stream->Next());
      if (batch == nullptr) return batches;
      batches.push_back(std::move(batch));
    }
  }

  Result<Files> FilesOf(const Storage& storage, const Path& root, const std::string& base,
                        const std::string& manifest_list) {
    Files files;
    TARN_ASSIGN_OR_RETURN(const std::string list, Below(base, manifest_list));
    TARN_ASSIGN_OR_RETURN(const Batches batches, Rows(storage, root / list));
    for (const auto& batch : batches) {
      TARN_ASSIGN_OR_RETURN(const auto paths, Column(*batch, {"manifest_path"}));
      for (int64_t row = 0; row < batch->num_rows(); ++row) {
        TARN_ASSIGN_OR_RETURN(const std::string path, Below(base, TextAt(*paths, row)));
        TARN_ASSIGN_OR_RETURN(const Files* alive, AliveIn(storage, root, base, path));
        for (const auto& [name, file] : *alive) {
          if (!files.emplace(name, file).second) return Corrupt(name + " is alive twice");
        }
      }
    }
    return files;
  }

  // Manifests never change: each is read once.
  Result<const Files*> AliveIn(const Storage& storage, const Path& root, const std::string& base,
                               const std::string& manifest) {
    const auto known = manifests_.find(manifest);
    if (known != manifests_.end()) return &known->second;
    TARN_ASSIGN_OR_RETURN(const Batches batches, Rows(storage, root / manifest));
    Files files;
    for (const auto& batch : batches) {
      TARN_ASSIGN_OR_RETURN(const auto status, Column(*batch, {"status"}));
      TARN_ASSIGN_OR_RETURN(const auto paths, Column(*batch, {"data_file", "file_path"}));
      TARN_ASSIGN_OR_RETURN(const auto parts, Column(*batch, {"data_file", "partition", "part"}));
      for (int64_t row = 0; row < batch->num_rows(); ++row) {
        constexpr int32_t kDeleted = 2;
        if (IntAt(*status, row) == kDeleted) continue;
        TARN_ASSIGN_OR_RETURN(std::string path, Below(base, TextAt(*paths, row)));
        files[std::move(path)] = LiveFile{TextAt(*parts, row)};
      }
    }
    return &(manifests_[manifest] = std::move(files));
  }

  testing::FakeRuntime fakes_;
  std::map<std::string, Files> manifests_;
};

}  // namespace

std::unique_ptr<TableLog> TableLog::OfIceberg() { return std::make_unique<IcebergLog>(); }

}  // namespace tarn::sim
