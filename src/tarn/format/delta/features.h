#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/schema_json.h"

namespace tarn::delta {

// What of the protocol Tarn reads (PROTOCOL.md, "Table Features" and "Requirements for Readers").
// What it writes stands in writer_features.h.

inline constexpr int32_t kReaderVersionMax = 3;

// One feature that readers must know, and how Tarn treats it.
struct ReaderFeature {
  std::string_view name;
  bool read = false;        // false: refused by name
  std::string_view remark;  // for the printed table
};
// All that the protocol or a known writer names, sorted by name.
std::span<const ReaderFeature> ReaderFeatures();

// kUnsupported naming the reader version, or every feature that Tarn does not read. kCorrupt for a
// protocol that cannot be (reader version below 1).
Status CheckReadable(const Protocol& protocol);

bool HasReaderFeature(const Protocol& protocol, std::string_view name);
bool HasWriterFeature(const Protocol& protocol, std::string_view name);

// The mapping that readers must honour: the property counts only with reader version 2, or 3 and
// the feature ("Column Mapping"). kUnsupported naming an unknown mode.
Result<ColumnMapping> ActiveColumnMapping(const Protocol& protocol,
                                          const std::map<std::string, std::string>& configuration);

// The first version that has an in-commit timestamp, where they are enabled ("In-Commit
// Timestamps"): delta.inCommitTimestampEnablementVersion, 0 when that is absent. Null where they
// are not enabled.
std::optional<int64_t> InCommitTimestampsFrom(
    const Protocol& protocol, const std::map<std::string, std::string>& configuration);

}  // namespace tarn::delta
