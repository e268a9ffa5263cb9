#include "tarn/ingest/source/row_source.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/csv_decoder.h"
#include "tarn/datafile/json_decoder.h"

namespace tarn {

struct RowSource::Work {
  FeedItem item;
  DecodedRows decoded;
  Transformed transformed;
  Status failure;
};

// Decoders lent to one thread at a time, so that their memory is used again.
class RowSource::Decoders {
 public:
  explicit Decoders(const Parts& parts) : parts_(parts) {}

  Result<DecodedRows> DecodeJson(std::string_view text) {
    TARN_ASSIGN_OR_RETURN(
        auto decoder, Take(json_, [&] {
          return JsonDecoder::Make(parts_.plan.schema, {parts_.plan.inferred, kBadRowsMax});
        }));
    Result<DecodedRows> rows = decoder->Decode(text);
    Give(json_, std::move(decoder));
    return rows;
  }

  Result<DecodedRows> DecodeCsv(std::string_view text, const std::vector<std::string>& names) {
    TARN_ASSIGN_OR_RETURN(auto decoder, Take(csv_, [&] {
                            return CsvDecoder::Make(
                                parts_.plan.schema,
                                {parts_.pipeline.csv_delimiter, parts_.plan.inferred, kBadRowsMax});
                          }));
    TARN_RETURN_IF_ERROR(decoder->SetHeader(names));
    Result<DecodedRows> rows = decoder->Decode(text);
    if (rows.ok()) {
      for (const std::string& name : decoder->unknown_names()) {
        rows->unknown_columns.push_back({name, 0});
      }
    }
    Give(csv_, std::move(decoder));
    return rows;
  }

 private:
  static constexpr int64_t kBadRowsMax = 10;

  template <class T, class Maker>
  Result<std::unique_ptr<T>> Take(std::vector<std::unique_ptr<T>>& idle, const Maker& make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle.empty()) {
        std::unique_ptr<T> taken = std::move(idle.back());
        idle.pop_back();
        return taken;
      }
    }
    return make();
  }
  template <class T>
  void Give(std::vector<std::unique_ptr<T>>& idle, std::unique_ptr<T> decoder) {
    const std::lock_guard lock(mutex_);
    idle.push_back(std::move(decoder));
  }

  const Parts& parts_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<JsonDecoder>> json_;
  std::vector<std::unique_ptr<CsvDecoder>> csv_;
};

namespace {

FeedOptions WithSchema(FeedOptions options, const Schema& schema) {
  options.columnar_schema = schema;
  return options;
}

}  // namespace

RowSource::RowSource(Parts parts, std::shared_ptr<arrow::Schema> schema)
    : parts_(std::move(parts)),
      schema_(std::move(schema)),
      feed_(parts_.runtime, parts_.local, parts_.file_formats, parts_.files,
            WithSchema(FeedOptionsFor(parts_.runtime, parts_.pipeline), parts_.plan.schema)),
      decoders_(std::make_unique<Decoders>(parts_)),
      lines_(parts_.files.size(), 0),
      file_rows_(parts_.files.size(), 0) {
  const std::vector<std::string>& gone = parts_.plan.void_columns;
  if (gone.empty()) return;
  for (size_t i = 0; i < parts_.plan.schema.fields.size(); ++i) {
    if (std::find(gone.begin(), gone.end(), parts_.plan.schema.fields[i].name) == gone.end()) {
      kept_columns_.push_back(static_cast<int>(i));
    }
  }
}

RowSource::~RowSource() = default;

Result<std::unique_ptr<RowSource>> RowSource::Make(Parts parts) {
  TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(parts.chain.output()));
  return std::unique_ptr<RowSource>(new RowSource(std::move(parts), std::move(schema)));
}

std::shared_ptr<arrow::Schema> RowSource::schema() const { return schema_; }

std::string RowSource::PlaceOf(const Work& work, int64_t line) const {
  const SourceFile& file = parts_.files[work.item.file];
  if (work.item.batch != nullptr) {
    return file.shown + ": row " + std::to_string(file_rows_[work.item.file] + line);
  }
  return file.shown + ":" + std::to_string(lines_[work.item.file] + line);
}

Status RowSource::Fill() {
  coming_.clear();
  const int64_t at_once = PiecesAtOnce(parts_.runtime);
  while (static_cast<int64_t>(coming_.size()) < at_once) {
    TARN_ASSIGN_OR_RETURN(std::optional<FeedItem> item, feed_.Next());
    if (!item) break;
    coming_.push_back(std::move(*item));
  }
  return {};
}

Status RowSource::Decode(Work& work) {
  std::shared_ptr<arrow::RecordBatch> batch = work.item.batch;
  if (batch == nullptr) {
    if (work.item.names != nullptr) {
      TARN_ASSIGN_OR_RETURN(work.decoded, decoders_->DecodeCsv(work.item.text(), *work.item.names));
    } else {
      TARN_ASSIGN_OR_RETURN(work.decoded, decoders_->DecodeJson(work.item.text()));
    }
    batch = std::move(work.decoded.batch);
  }
  // A block that will be refused needs no transforms.
  if (!work.decoded.bad_rows.empty()) return {};
  if (!kept_columns_.empty()) {
    TARN_ASSIGN_OR_RETURN(batch, Lift(batch->SelectColumns(kept_columns_), "ingest"));
  }
  TARN_ASSIGN_OR_RETURN(work.transformed, parts_.chain.Apply(std::move(batch)));
  FindEmptyTexts(work.transformed);
  return {};
}

void RowSource::FindEmptyTexts(Transformed& transformed) const {
  for (const std::string& name : parts_.never_empty) {
    const auto column = transformed.batch->GetColumnByName(name);
    if (column == nullptr || column->type_id() != arrow::Type::STRING) continue;
    const auto& texts = static_cast<const arrow::StringArray&>(*column);
    for (int64_t row = 0; row < texts.length(); ++row) {
      if (texts.IsNull(row) || texts.value_length(row) != 0) continue;
      const int64_t origin =
          transformed.from_rows.empty() ? row : transformed.from_rows[static_cast<size_t>(row)];
      transformed.bad_rows.push_back(
          {origin, name,
           "the empty string '' cannot be told from NULL in a partition column of this format; "
           "replace '' or partition by another column"});
      break;
    }
  }
}

Status RowSource::DecodeGroup() {
  group_.clear();
  for (FeedItem& item : coming_) {
    group_.emplace_back();
    group_.back().item = std::move(item);
  }
  // Task 0 reads on while the others decode what was read before. Failures are kept with their
  // piece: the first in the order of the files is the one to report.
  Status read;
  TARN_RETURN_IF_ERROR(parts_.runtime.executor.ParallelFor(
      static_cast<int64_t>(group_.size()) + 1, [&](int64_t task) -> Status {
        if (task == 0) {
          read = Fill();
        } else {
          Work& work = group_[static_cast<size_t>(task - 1)];
          work.failure = Decode(work);
        }
        return {};
      }));
  for (Work& work : group_) TARN_RETURN_IF_ERROR(Accept(work));
  return read;
}

Status RowSource::CheckUnknown(const Work& work) {
  for (const UnknownColumn& unknown : work.decoded.unknown_columns) {
    if (parts_.plan.ignored.contains(unknown.path)) continue;
    // A line of 0 is a CSV header's.
    const std::string place =
        unknown.line > 0 ? PlaceOf(work, unknown.line) : parts_.files[work.item.file].shown + ":1";
    if (!parts_.plan.final) {
      needs_a_closer_look_ = true;
      return Invalid(place + ": column " + unknown.path + " is new");
    }
    if (parts_.plan.contract == SchemaContract::kFreeze) {
      return Invalid(place + ": column " + unknown.path +
                     " is not in the table, and the contract is freeze");
    }
    return Invalid(place + ": column " + unknown.path +
                   " came up while the file was read again; "
                   "did it change? run again");
  }
  return {};
}

Status RowSource::CheckBadRows(const Work& work) {
  if (work.decoded.bad_rows.empty()) return {};
  const BadRow& bad = work.decoded.bad_rows.front();
  const std::string message = PlaceOf(work, bad.line) + ": " + bad.ToText();
  if (!parts_.plan.final) {
    for (const BadRow& any : work.decoded.bad_rows) {
      for (size_t i = 0; i < parts_.plan.inferred.size(); ++i) {
        const std::string& name = parts_.plan.schema.fields[i].name;
        if (parts_.plan.inferred[i] && (any.column == name || any.column.starts_with(name + "."))) {
          needs_a_closer_look_ = true;
        }
      }
    }
  }
  return Invalid(message);
}

Status RowSource::Accept(Work& work) {
  if (!work.failure.ok()) {
    const Error& error = work.failure.error();
    if (error.code != ErrorCode::kInvalid) return error;
    return error.WithContext(parts_.files[work.item.file].shown);
  }
  lines_[work.item.file] += work.item.skip_lines;
  TARN_RETURN_IF_ERROR(CheckBadRows(work));
  TARN_RETURN_IF_ERROR(CheckUnknown(work));
  Transformed& transformed = work.transformed;
  if (!transformed.bad_rows.empty()) {
    const BadBatchRow& bad =
        *std::min_element(transformed.bad_rows.begin(), transformed.bad_rows.end(),
                          [](const BadBatchRow& a, const BadBatchRow& b) { return a.row < b.row; });
    const int64_t line = work.item.batch != nullptr
                             ? bad.row + 1
                             : work.decoded.row_lines[static_cast<size_t>(bad.row)];
    return Invalid(PlaceOf(work, line) + ": column " + bad.column + ": " + bad.reason);
  }
  lines_[work.item.file] += work.decoded.lines;
  if (work.item.batch != nullptr) file_rows_[work.item.file] += work.item.batch->num_rows();
  if (transformed.batch != nullptr && transformed.batch->num_rows() > 0) {
    rows_ += transformed.batch->num_rows();
    ready_.push_back(std::move(transformed.batch));
  }
  feed_.Recycle(std::move(work.item.block));
  return {};
}

void RowSource::Report(bool now) {
  if (!parts_.progress) return;
  const int64_t micros = parts_.runtime.clock.NowMicros();
  if (!now && micros - reported_micros_ < 100'000) return;
  reported_micros_ = micros;
  IngestProgress progress = parts_.before;
  progress.files_done += feed_.files_done();
  progress.rows += rows_;
  progress.bytes_read += feed_.bytes_read();
  progress.elapsed_ms = (micros - parts_.started_micros) / 1000;
  parts_.progress(progress);
}

Result<std::shared_ptr<arrow::RecordBatch>> RowSource::Next() {
  if (!started_) {
    started_ = true;
    TARN_RETURN_IF_ERROR(Fill());
  }
  for (;;) {
    TARN_RETURN_IF_ERROR(parts_.runtime.cancellation.Check());
    if (next_ready_ < ready_.size()) return std::move(ready_[next_ready_++]);
    ready_.clear();
    next_ready_ = 0;
    if (coming_.empty()) {
      if (!ended_) {
        ended_ = true;
        Report(/*now=*/true);
        if (parts_.at_end) TARN_RETURN_IF_ERROR(parts_.at_end());
      }
      return std::shared_ptr<arrow::RecordBatch>();
    }
    TARN_RETURN_IF_ERROR(DecodeGroup());
    Report(/*now=*/false);
  }
}

}  // namespace tarn
