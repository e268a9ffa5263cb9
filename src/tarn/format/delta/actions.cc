#include "tarn/format/delta/actions.h"

namespace tarn::delta {

std::string DeletionVectorDescriptor::UniqueId() const {
  std::string id(1, storage_type);
  id += path_or_inline;
  if (offset) id += "@" + std::to_string(*offset);
  return id;
}

}  // namespace tarn::delta
