#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/datafile/avro_codec.h"
#include "tarn/datafile/avro_schema.h"
#include "tarn/storage/storage.h"

namespace tarn {

inline constexpr std::string_view kAvroMagic{"Obj\x01", 4};
inline constexpr size_t kAvroSyncBytes = 16;

// What an object container file says before its first block (specification, "Object Container
// Files").
struct AvroHeader {
  std::vector<std::pair<std::string, std::string>> metadata;  // in the file's order
  AvroTypePtr schema;
  AvroCodec codec = AvroCodec::kNull;
  std::string sync;         // 16 bytes
  int64_t data_offset = 0;  // of the first block

  // The value of a metadata key, or null.
  const std::string* Find(std::string_view key) const;
};

// The header of a container file. kCorrupt naming `name`: no Avro file, a header that breaks its
// format or ends early, no schema; kUnsupported for a codec and for more than 64 MiB.
Result<std::shared_ptr<const AvroHeader>> ReadAvroHeader(const ObjectReader& file,
                                                         const std::string& name);

}  // namespace tarn
