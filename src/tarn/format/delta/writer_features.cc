#include "tarn/format/delta/writer_features.h"

#include <algorithm>
#include <array>

#include "tarn/model/schema.h"

namespace tarn::delta {
namespace {

using enum WriteSupport;

constexpr std::array kFeatures = std::to_array<WriterFeature>({
    {"allowColumnDefaults", false, 0, 0, kHonoured},
    {"appendOnly", false, 2, 0, kHonoured},
    {"catalogManaged", true, 0, 0, kRefused},
    {"catalogOwned-preview", true, 0, 0, kRefused},
    {"changeDataFeed", false, 4, 0, kHonoured},
    {"checkConstraints", false, 3, 0, kHonoured},
    {"checkpointProtection", false, 0, 0, kRefused},
    {"clustering", false, 0, 0, kRefused},
    {"collations", false, 0, 0, kRefused},
    {"collations-preview", false, 0, 0, kRefused},
    {"columnMapping", true, 5, 2, kHonoured},
    {"coordinatedCommits-preview", false, 0, 0, kRefused},
    {"deletionVectors", true, 0, 0, kHonoured},
    {"domainMetadata", false, 0, 0, kHonoured},
    {"generatedColumns", false, 4, 0, kHonouredUnused},
    {"geospatial", true, 0, 0, kRefused},
    {"identityColumns", false, 6, 0, kHonouredUnused},
    {"inCommitTimestamp", false, 0, 0, kHonoured},
    {"invariants", false, 2, 0, kHonoured},
    {"materializePartitionColumns", false, 0, 0, kRefused},
    {"rowTracking", false, 0, 0, kRefused},
    {"timestampNtz", true, 0, 0, kHonoured},
    {"typeWidening", true, 0, 0, kHonoured},
    {"typeWidening-preview", true, 0, 0, kHonoured},
    {"v2Checkpoint", true, 0, 0, kHonoured},
    {"vacuumProtocolCheck", true, 0, 0, kHonoured},
    {"variantShredding", true, 0, 0, kRefused},
    {"variantShredding-preview", true, 0, 0, kRefused},
    {"variantType", true, 0, 0, kRefused},
    {"variantType-preview", true, 0, 0, kRefused},
});

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void Insert(std::vector<std::string>& names, std::string_view name) {
  if (!Contains(names, name)) names.emplace_back(name);
}

// The protocol in lists: what the versions implied is written out.
Protocol Listed(Protocol protocol) {
  if (protocol.min_writer_version < 7) {
    for (const WriterFeature& known : kFeatures) {
      if (known.legacy_writer > 0 && known.legacy_writer <= protocol.min_writer_version) {
        protocol.writer_features.emplace_back(known.name);
      }
    }
    protocol.min_writer_version = 7;
  }
  return protocol;
}

Status CheckFeature(std::string_view name) {
  const WriterFeature* feature = FindWriterFeature(name);
  if (feature != nullptr && feature->support != kRefused) return OkStatus();
  return Unsupported("delta: cannot write to a table with the feature '" + std::string(name) +
                     "'; it can be read, or written by an engine that has the feature");
}

}  // namespace

std::span<const WriterFeature> WriterFeatures() { return kFeatures; }

const WriterFeature* FindWriterFeature(std::string_view name) {
  const auto found =
      std::lower_bound(kFeatures.begin(), kFeatures.end(), name,
                       [](const WriterFeature& a, std::string_view b) { return a.name < b; });
  return found != kFeatures.end() && found->name == name ? &*found : nullptr;
}

bool Supports(const Protocol& protocol, std::string_view feature) {
  if (protocol.min_writer_version >= 7) return Contains(protocol.writer_features, feature);
  const WriterFeature* known = FindWriterFeature(feature);
  return known != nullptr && known->legacy_writer > 0 &&
         known->legacy_writer <= protocol.min_writer_version;
}

Protocol WithFeature(Protocol protocol, const WriterFeature& feature) {
  if (Supports(protocol, feature.name)) return protocol;
  if (protocol.min_writer_version < 7 && feature.legacy_writer > 0) {
    protocol.min_writer_version = std::max(protocol.min_writer_version, feature.legacy_writer);
    protocol.min_reader_version = std::max(protocol.min_reader_version, feature.legacy_reader);
    return protocol;
  }
  protocol = Listed(std::move(protocol));
  Insert(protocol.writer_features, feature.name);
  if (feature.for_readers && protocol.min_reader_version < 3) protocol.min_reader_version = 3;
  // With reader version 3 every feature that is for readers too stands in both lists.
  if (protocol.min_reader_version >= 3) {
    for (const std::string& name : protocol.writer_features) {
      const WriterFeature* listed = FindWriterFeature(name);
      if (listed != nullptr && listed->for_readers) Insert(protocol.reader_features, name);
    }
  }
  return protocol;
}

Status CheckWritable(const TableMetadata& metadata) {
  if (metadata.writer_version > 7 || metadata.reader_version > 3) {
    return Unsupported("delta: cannot write to a table of reader version " +
                       std::to_string(metadata.reader_version) + " and writer version " +
                       std::to_string(metadata.writer_version) + "; Tarn knows up to 3 and 7");
  }
  for (const std::string& name : metadata.reader_features) TARN_RETURN_IF_ERROR(CheckFeature(name));
  for (const std::string& name : metadata.writer_features) TARN_RETURN_IF_ERROR(CheckFeature(name));

  Status status;
  ForEachField(metadata.schema, [&](const Field& field, const std::string& path) {
    if (!status.ok()) return;
    const auto refuse = [&](std::string_view feature) {
      status = Unsupported("delta: cannot write to a table with the feature '" +
                           std::string(feature) + "': column '" + path + "' uses it");
    };
    for (const auto& [key, value] : field.annotations) {
      if (key == "delta.generationExpression") refuse("generatedColumns");
      if (key.starts_with("delta.identity.")) refuse("identityColumns");
      if (key == "__COLLATIONS") refuse("collations");
    }
    if (field.type.kind == TypeKind::kVariant) refuse("variantType");
  });
  return status;
}

}  // namespace tarn::delta
