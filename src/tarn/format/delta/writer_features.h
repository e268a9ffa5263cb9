#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// What Tarn's writer does about a table feature (PROTOCOL.md, "Valid Feature Names in Table
// Features", and those that peers added since).
enum class WriteSupport : uint8_t {
  kHonoured,        // its rules are kept
  kHonouredUnused,  // may be listed; a table in which a column uses it is refused
  kRefused,         // a table that lists it is not written
};

struct WriterFeature {
  std::string_view name;
  bool for_readers;       // listed for readers too; never for writers alone
  int32_t legacy_writer;  // writer version that implies it without a list; 0: none does
  int32_t legacy_reader;  // reader version that implies it; 0: none does
  WriteSupport support;
};

// Sorted by name.
std::span<const WriterFeature> WriterFeatures();
// Null for a feature Tarn has never heard of.
const WriterFeature* FindWriterFeature(std::string_view name);

// Whether `protocol` supports the feature: by its lists, or by a version that implies it.
bool Supports(const Protocol& protocol, std::string_view feature);

// `protocol` with `feature` supported too, changed no more than needed: versions rise while all
// that is asked for has a legacy version; otherwise lists are made, holding whatever the old
// versions implied. Requires a feature of WriterFeatures().
Protocol WithFeature(Protocol protocol, const WriterFeature& feature);

// Ok if Tarn may write data or metadata into a table of this protocol and schema. kUnsupported
// naming the feature, or the column that uses it.
Status CheckWritable(const TableMetadata& metadata);

}  // namespace tarn::delta
