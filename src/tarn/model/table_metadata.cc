#include "tarn/model/table_metadata.h"

namespace tarn {

const PartitionSpec* TableMetadata::SpecById(int32_t id) const {
  for (const PartitionSpec& spec : specs) {
    if (spec.id == id) return &spec;
  }
  return nullptr;
}

const PartitionSpec& TableMetadata::default_spec() const {
  static const PartitionSpec kUnpartitioned;
  const PartitionSpec* spec = SpecById(default_spec_id);
  return spec != nullptr ? *spec : kUnpartitioned;
}

}  // namespace tarn
