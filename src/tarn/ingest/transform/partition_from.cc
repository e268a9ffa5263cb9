#include "tarn/ingest/transform/partition_from.h"

#include <date/tz.h>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <chrono>
#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

constexpr int64_t kMicrosPerDay = 86'400'000'000;

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

class PartitionFrom final : public Transform {
 public:
  PartitionFrom(const Schema& input, size_t column, std::string into, const date::time_zone* zone)
      : output_(input), flows_(IdentityFlows(input)), column_(column), zone_(zone) {
    Field field;
    field.name = into;
    field.type = Type::Of(TypeKind::kDate);
    output_.fields.push_back(std::move(field));
    flows_.push_back(ComputedFrom(std::move(into), input.fields[column].name));
  }

  const Schema& output() const override { return output_; }
  const std::vector<Flow>& flows() const override { return flows_; }

  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const override {
    const arrow::Array& times = *batch->column(static_cast<int>(column_));
    std::vector<std::shared_ptr<arrow::Array>> columns = batch->columns();
    if (times.type_id() == arrow::Type::DATE32) {
      columns.push_back(columns[column_]);
    } else {
      const TypeKind kind = output_.fields[column_].type.kind;
      const int64_t day = kind == TypeKind::kTimestampNs || kind == TypeKind::kTimestampTzNs
                              ? kMicrosPerDay * 1000
                              : kMicrosPerDay;
      const int64_t* ticks = times.data()->GetValues<int64_t>(1);
      arrow::Date32Builder days;
      TARN_RETURN_IF_ERROR(Lift(days.Reserve(times.length()), "partition_from"));
      for (int64_t row = 0; row < times.length(); ++row) {
        if (times.IsNull(row)) {
          days.UnsafeAppendNull();
          continue;
        }
        const int64_t local = zone_ == nullptr ? ticks[row] : ToLocal(ticks[row], day);
        days.UnsafeAppend(static_cast<int32_t>(FloorDiv(local, day)));
      }
      std::shared_ptr<arrow::Array> column;
      TARN_RETURN_IF_ERROR(Lift(days.Finish(&column), "partition_from"));
      columns.push_back(std::move(column));
    }
    TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(output_));
    return Transformed{
        arrow::RecordBatch::Make(std::move(schema), batch->num_rows(), std::move(columns))};
  }

 private:
  int64_t ToLocal(int64_t ticks, int64_t day) const {
    const int64_t per_second = day / 86'400;
    const date::sys_seconds instant{std::chrono::seconds(FloorDiv(ticks, per_second))};
    return ticks + zone_->get_info(instant).offset.count() * per_second;
  }

  Schema output_;
  std::vector<Flow> flows_;
  const size_t column_;
  const date::time_zone* zone_;
};

// Null where there is no such zone.
const date::time_zone* FindZone(const std::string& name) {
  try {
    return date::locate_zone(name);
  } catch (const std::exception&) {
    return nullptr;
  }
}

class PartitionFromMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& /*runtime*/, const Schema& input,
                                          const TransformStep& step) const override {
    std::string column, into = "date", zone;
    for (const auto& [key, value] : step.options) {
      if (key == "column") {
        column = value;
      } else if (key == "into") {
        into = value;
      } else if (key == "zone") {
        zone = value;
      } else {
        return Invalid("no option '" + key + "'" + DidYouMean(key, {"column", "into", "zone"}));
      }
    }
    if (column.empty()) return Invalid("needs 'column', the timestamp to take days from");
    const std::optional<size_t> index = input.IndexOf(column);
    if (!index) {
      std::vector<std::string> names;
      for (const Field& field : input.fields) names.push_back(field.name);
      return NotFound("no column '" + column + "'" + DidYouMean(column, names));
    }
    if (input.IndexOf(into)) return AlreadyExists("column '" + into + "' exists");
    const Type& type = input.fields[*index].type;
    if (!type.IsTimestamp() && type.kind != TypeKind::kDate) {
      return Invalid("column '" + column + "' is " + TypeToText(type) +
                     ", not a timestamp; cast it first");
    }
    const date::time_zone* found = nullptr;
    if (!zone.empty()) {
      if (type.kind != TypeKind::kTimestampTz && type.kind != TypeKind::kTimestampTzNs) {
        return Invalid("zone: column '" + column + "' is " + TypeToText(type) +
                       ", which has no zone to come from");
      }
      found = FindZone(zone);
      if (found == nullptr) return Invalid("no time zone '" + zone + "'");
    }
    return std::unique_ptr<Transform>(
        std::make_unique<PartitionFrom>(input, *index, std::move(into), found));
  }
};

}  // namespace

std::unique_ptr<TransformMaker> MakePartitionFromMaker() {
  return std::make_unique<PartitionFromMaker>();
}

}  // namespace tarn
