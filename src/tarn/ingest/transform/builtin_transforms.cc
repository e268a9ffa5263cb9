#include "tarn/ingest/transform/cast.h"
#include "tarn/ingest/transform/columns.h"
#include "tarn/ingest/transform/connect_decimal.h"
#include "tarn/ingest/transform/naming.h"
#include "tarn/ingest/transform/partition_from.h"
#include "tarn/ingest/transform/sql_steps.h"
#include "tarn/ingest/transform/transform.h"

namespace tarn {

Registry<TransformMaker> BuiltinTransforms() {
  Registry<TransformMaker> makers;
  makers.Add("select", MakeSelectMaker());
  makers.Add("drop", MakeDropMaker());
  makers.Add("rename", MakeRenameMaker());
  makers.Add("cast", MakeCastMaker());
  makers.Add("connect_decimal", MakeConnectDecimalMaker());
  makers.Add("snake_case", MakeSnakeCaseMaker());
  makers.Add("flatten", MakeFlattenMaker());
  makers.Add("filter", MakeFilterMaker());
  makers.Add("compute", MakeComputeMaker());
  makers.Add("partition_from", MakePartitionFromMaker());
  return makers;
}

}  // namespace tarn
