#include "tarn/format/delta/features.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/format/delta/scalar_text.h"

namespace tarn::delta {
namespace {

constexpr ReaderFeature kFeatures[] = {
    {"catalogManaged", false, "commits live with a catalog"},
    {"catalogOwned-preview", false, "commits live with a catalog"},
    {"columnMapping", true, "modes none, name and id, at every depth"},
    {"deletionVectors", true, "inline, relative and absolute"},
    {"geospatial", false, "types geometry and geography"},
    {"timestampNtz", true, ""},
    {"typeWidening", true, ""},
    {"typeWidening-preview", true, ""},
    {"v2Checkpoint", true, "JSON and Parquet, with sidecars"},
    {"vacuumProtocolCheck", true, "asks nothing of readers"},
    {"variantShredding", true, "shown as JSON text"},
    {"variantShredding-preview", true, "shown as JSON text"},
    {"variantType", true, "shown as JSON text"},
    {"variantType-preview", true, "shown as JSON text"},
};

bool IsRead(std::string_view name) {
  return std::any_of(std::begin(kFeatures), std::end(kFeatures),
                     [&](const ReaderFeature& known) { return known.name == name && known.read; });
}

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::span<const ReaderFeature> ReaderFeatures() { return kFeatures; }

Status CheckReadable(const Protocol& protocol) {
  if (protocol.min_reader_version < 1) {
    return Corrupt("delta: reader version " + std::to_string(protocol.min_reader_version));
  }
  std::vector<std::string> unknown;
  for (const std::string& feature : protocol.reader_features) {
    if (!IsRead(feature)) unknown.push_back("'" + feature + "'");
  }
  if (protocol.min_reader_version > kReaderVersionMax) {
    std::string message = "delta: reader version " + std::to_string(protocol.min_reader_version) +
                          " is needed; Tarn reads up to " + std::to_string(kReaderVersionMax);
    if (!unknown.empty()) message += " (features it does not know: " + Join(unknown, ", ") + ")";
    return Unsupported(std::move(message));
  }
  if (protocol.min_reader_version == 3 && !unknown.empty()) {
    return Unsupported("delta: the table needs reader features that Tarn does not have: " +
                       Join(unknown, ", "));
  }
  return {};
}

bool HasReaderFeature(const Protocol& protocol, std::string_view name) {
  return protocol.min_reader_version >= 3 && Contains(protocol.reader_features, name);
}

bool HasWriterFeature(const Protocol& protocol, std::string_view name) {
  return protocol.min_writer_version >= 7 && Contains(protocol.writer_features, name);
}

Result<ColumnMapping> ActiveColumnMapping(const Protocol& protocol,
                                          const std::map<std::string, std::string>& configuration) {
  // "Column Mapping": in both lists with reader 3. Tables upgraded from reader 2 are seen with the
  // feature in the writers' list alone; their files carry physical names all the same.
  if (protocol.min_reader_version != 2 && !HasReaderFeature(protocol, "columnMapping") &&
      !HasWriterFeature(protocol, "columnMapping")) {
    return ColumnMapping::kNone;
  }
  return ColumnMappingOf(configuration);
}

std::optional<int64_t> InCommitTimestampsFrom(
    const Protocol& protocol, const std::map<std::string, std::string>& configuration) {
  if (!HasWriterFeature(protocol, "inCommitTimestamp") &&
      !HasWriterFeature(protocol, "inCommitTimestamp-preview")) {
    return std::nullopt;
  }
  const auto enabled = configuration.find("delta.enableInCommitTimestamps");
  if (enabled == configuration.end() || !AsciiEqualsIgnoreCase(enabled->second, "true")) {
    return std::nullopt;
  }
  const auto from = configuration.find("delta.inCommitTimestampEnablementVersion");
  if (from == configuration.end()) return 0;
  return ParseInteger(from->second).value_or(0);
}

}  // namespace tarn::delta
