#include "tarn/model/file_groups.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "tarn/model/partition_spec.h"

namespace tarn {

std::vector<FileBatch> GroupFiles(const TableMetadata& metadata,
                                  const std::vector<DataFile>& files) {
  std::map<std::pair<int32_t, std::string>, FileBatch> groups;
  for (const DataFile& file : files) {
    FileBatch& batch = groups[{file.spec_id, file.format}];
    if (batch.size == 0) {
      batch.spec_id = file.spec_id;
      batch.format = file.format;
      const PartitionSpec* const spec = metadata.SpecById(file.spec_id);
      for (size_t i = 0; spec != nullptr && i < spec->fields.size(); ++i) {
        const Field* const source = metadata.schema.FindById(spec->fields[i].source_id);
        const Type type = source != nullptr ? source->type : Type::Of(TypeKind::kString);
        const Result<Type> made = TransformedType(spec->fields[i], type);
        batch.partition.push_back(ValueColumn::Of(made.ok() ? *made : Type::Of(TypeKind::kString)));
      }
    }
    AppendFile(batch, file);
  }
  std::vector<FileBatch> batches;
  batches.reserve(groups.size());
  for (auto& [group, batch] : groups) batches.push_back(std::move(batch));
  return batches;
}

}  // namespace tarn
