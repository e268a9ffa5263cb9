#pragma once

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// The metaData and protocol actions that say `metadata` (as PrepareMetadata left it). CHECK
// constraints stand in the configuration as delta.constraints.<name>; `tarn.schemaIds` is written
// afresh from the schema. kUnsupported as SchemaToJson.
Result<MetadataAction> ToMetadataAction(const TableMetadata& metadata);
Protocol ToProtocol(const TableMetadata& metadata);

}  // namespace tarn::delta
