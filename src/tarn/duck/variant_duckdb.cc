#include "tarn/duck/variant_duckdb.h"

#include <arrow/array.h>
#include <arrow/c/bridge.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "duckdb/common/arrow/arrow_converter.hpp"
#include "duckdb/function/cast/cast_function_set.hpp"
#include "duckdb/function/cast/default_casts.hpp"

#include "tarn/datafile/variant_json.h"
#include "tarn/duck/types_duckdb.h"

namespace tarn {

namespace {

// DuckDB's conversion to Arrow wants the connection.
struct CastContext : duckdb::BoundCastData {
  explicit CastContext(duckdb::optional_ptr<duckdb::ClientContext> context_in)
      : context(context_in) {}
  duckdb::unique_ptr<duckdb::BoundCastData> Copy() const override {
    return duckdb::make_uniq<CastContext>(context);
  }
  duckdb::optional_ptr<duckdb::ClientContext> context;
};

bool CastVariant(duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count,
                 duckdb::CastParameters& parameters) {
  // Through Arrow to the decoder that writers' side uses, so that all ways in agree.
  duckdb::DataChunk chunk;
  chunk.InitializeEmpty({source.GetType()});
  chunk.data[0].Reference(source);
  chunk.SetCardinality(count);
  chunk.Flatten();
  duckdb::ClientProperties properties;
  properties.client_context = parameters.cast_data->Cast<CastContext>().context;
  ArrowSchema schema{};
  ArrowArray array{};
  duckdb::ArrowConverter::ToArrowSchema(&schema, {source.GetType()}, {"variant"}, properties);
  duckdb::ArrowConverter::ToArrowArray(chunk, &array, properties, {});
  const auto batch = arrow::ImportRecordBatch(&array, &schema);
  if (!batch.ok()) throw duckdb::InvalidInputException(batch.status().ToString());
  const auto& variants = static_cast<const arrow::StructArray&>(*(*batch)->column(0));
  const auto json = VariantToJson(variants, "variant");
  if (!json.ok()) throw duckdb::InvalidInputException(json.error().message);
  const auto& texts = static_cast<const arrow::StringArray&>(**json);

  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  auto* out = duckdb::FlatVector::GetData<duckdb::string_t>(result);
  for (duckdb::idx_t row = 0; row < count; ++row) {
    const auto at = static_cast<int64_t>(row);
    if (texts.IsNull(at)) {
      duckdb::FlatVector::SetNull(result, row, true);
    } else {
      const auto text = texts.GetView(at);
      out[row] = duckdb::StringVector::AddString(result, text.data(), text.size());
    }
  }
  return true;
}

duckdb::BoundCastInfo BindVariantCast(duckdb::BindCastInput& input,
                                      const duckdb::LogicalType& /*source*/,
                                      const duckdb::LogicalType& /*target*/) {
  return {CastVariant, duckdb::make_uniq<CastContext>(input.context)};
}

}  // namespace

Status InstallVariantCast(DuckSession& session) {
  try {
    auto& casts = duckdb::CastFunctionSet::Get(*session.database().instance);
    casts.RegisterCastFunction(duckdb::LogicalType::STRUCT({{"any", duckdb::LogicalType::ANY}}),
                               VariantTextType(), BindVariantCast, 0);
    // Text first: functions that take either would otherwise not know which to choose.
    casts.RegisterCastFunction(VariantTextType(), duckdb::LogicalType::VARCHAR,
                               duckdb::BoundCastInfo(duckdb::DefaultCasts::ReinterpretCast), 1);
    casts.RegisterCastFunction(VariantTextType(), duckdb::LogicalType::JSON(),
                               duckdb::BoundCastInfo(duckdb::DefaultCasts::ReinterpretCast), 5);
  } catch (const std::exception& exception) {
    return ToError(exception, {}).WithContext("duckdb: variant");
  }
  return OkStatus();
}

}  // namespace tarn
