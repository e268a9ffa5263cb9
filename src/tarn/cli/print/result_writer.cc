#include "tarn/cli/print/result_writer.h"

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/options.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tarn/base/counted.h"
#include "tarn/base/json_text.h"
#include "tarn/base/text.h"
#include "tarn/cli/print/cell.h"
#include "tarn/cli/print/display_width.h"
#include "tarn/cli/print/text_table.h"

namespace tarn::cli {
namespace {

using Batch = std::shared_ptr<arrow::RecordBatch>;

// Calls `visit` with every batch that has rows.
Status ForEachBatch(Runtime& runtime, BatchStream& rows,
                    const std::function<Status(const arrow::RecordBatch&)>& visit) {
  while (true) {
    TARN_RETURN_IF_ERROR(runtime.cancellation.Check());
    TARN_ASSIGN_OR_RETURN(const Batch batch, rows.Next());
    if (batch == nullptr) return OkStatus();
    if (batch->num_rows() > 0) TARN_RETURN_IF_ERROR(visit(*batch));
  }
}

std::string CsvField(std::string_view text) {
  if (!text.empty() && text.find_first_of("\",\n\r") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

Status WriteCsv(Runtime& runtime, BatchStream& rows, const WriteBytes& write) {
  std::string out;
  for (int i = 0; i < rows.schema()->num_fields(); ++i) {
    if (i > 0) out += ',';
    out += CsvField(rows.schema()->field(i)->name());
  }
  out += '\n';
  TARN_RETURN_IF_ERROR(write(out));
  return ForEachBatch(runtime, rows, [&](const arrow::RecordBatch& batch) {
    out.clear();
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      for (int i = 0; i < batch.num_columns(); ++i) {
        if (i > 0) out += ',';
        const arrow::Array& column = *batch.column(i);
        if (!column.IsNull(row)) out += CsvField(CellText(column, row));
      }
      out += '\n';
    }
    return write(out);
  });
}

enum class JsonShape : uint8_t { kArray, kLines };

Status WriteJson(Runtime& runtime, BatchStream& rows, JsonShape shape, const WriteBytes& write) {
  std::vector<std::string> keys;
  for (int i = 0; i < rows.schema()->num_fields(); ++i) {
    std::string key;
    AppendJsonString(rows.schema()->field(i)->name(), key);
    keys.push_back(key + ":");
  }
  std::string out = shape == JsonShape::kArray ? "[" : "";
  bool first = true;
  TARN_RETURN_IF_ERROR(ForEachBatch(runtime, rows, [&](const arrow::RecordBatch& batch) {
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      if (shape == JsonShape::kArray) out += first ? "\n" : ",\n";
      first = false;
      out += '{';
      for (int i = 0; i < batch.num_columns(); ++i) {
        if (i > 0) out += ',';
        out += keys[static_cast<size_t>(i)];
        AppendCellJson(*batch.column(i), row, out);
      }
      out += '}';
      if (shape == JsonShape::kLines) out += '\n';
    }
    Status status = write(out);
    out.clear();
    return status;
  }));
  if (shape == JsonShape::kArray) out += first ? "]\n" : "\n]\n";
  return out.empty() ? OkStatus() : write(out);
}

// Rows of a result as text cells, at most `rows_max` kept (0: all); NULL as `null_text`.
struct TextRows {
  std::vector<TextColumn> columns;
  std::vector<std::vector<std::string>> rows;
  int64_t rows_seen = 0;
};

TextRows HeaderOf(const arrow::Schema& schema) {
  TextRows text;
  for (const auto& field : schema.fields()) {
    text.columns.push_back(
        {field->name(), IsNumeric(*field->type()) ? Align::kRight : Align::kLeft});
  }
  return text;
}

void AppendRows(const arrow::RecordBatch& batch, int64_t rows_max, TextRows& text) {
  text.rows_seen += batch.num_rows();
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    if (rows_max > 0 && static_cast<int64_t>(text.rows.size()) >= rows_max) return;
    std::vector<std::string> cells;
    for (int i = 0; i < batch.num_columns(); ++i) {
      const arrow::Array& column = *batch.column(i);
      cells.push_back(column.IsNull(row) ? "NULL" : CellText(column, row));
    }
    text.rows.push_back(std::move(cells));
  }
}

Status WriteTable(Runtime& runtime, BatchStream& rows, const ResultOptions& options,
                  const WriteBytes& write) {
  TextRows text = HeaderOf(*rows.schema());
  TARN_RETURN_IF_ERROR(ForEachBatch(runtime, rows, [&](const arrow::RecordBatch& batch) {
    AppendRows(batch, options.table_rows_max, text);
    return OkStatus();
  }));
  std::string out = BoxedTable(text.columns, text.rows, options.width_max);
  out += Counted(text.rows_seen, "row");
  const auto shown = static_cast<int64_t>(text.rows.size());
  if (shown < text.rows_seen) {
    out += fmt::format(" (the first {} shown; --format csv writes all)", HumanCount(shown));
  }
  return write(out + "\n");
}

Status WriteMarkdown(Runtime& runtime, BatchStream& rows, const WriteBytes& write) {
  TextRows text = HeaderOf(*rows.schema());
  const auto cell = [](const std::string& value) {
    std::string escaped;
    for (const char c : OnOneLine(value)) {
      if (c == '|') escaped += '\\';
      escaped += c;
    }
    return escaped;
  };
  std::string header = "|";
  std::string rule = "|";
  for (const TextColumn& column : text.columns) {
    header += " " + cell(column.name) + " |";
    rule += column.align == Align::kRight ? " ---: |" : " --- |";
  }
  TARN_RETURN_IF_ERROR(write(header + "\n" + rule + "\n"));
  return ForEachBatch(runtime, rows, [&](const arrow::RecordBatch& batch) {
    text.rows.clear();
    AppendRows(batch, 0, text);
    std::string out;
    for (const auto& row : text.rows) {
      out += "|";
      for (const std::string& value : row) out += " " + cell(value) + " |";
      out += "\n";
    }
    return write(out);
  });
}

// Arrow's view of `write`.
class WriteStream final : public arrow::io::OutputStream {
 public:
  explicit WriteStream(const WriteBytes& write) : write_(write) {}
  arrow::Status Write(const void* data, int64_t size) override {
    position_ += size;
    status_ = write_(std::string_view(static_cast<const char*>(data), static_cast<size_t>(size)));
    return status_.ok() ? arrow::Status::OK() : arrow::Status::IOError("write failed");
  }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> Tell() const override { return position_; }
  bool closed() const override { return closed_; }
  const Status& status() const { return status_; }

 private:
  const WriteBytes& write_;
  Status status_;
  int64_t position_ = 0;
  bool closed_ = false;
};

Status WriteArrow(Runtime& runtime, BatchStream& rows, const WriteBytes& write) {
  WriteStream stream(write);
  const auto ours = [&](const arrow::Status& status) -> Status {
    if (status.ok()) return OkStatus();
    return stream.status().ok() ? Status(Internal("arrow: " + status.message())) : stream.status();
  };
  auto writer = arrow::ipc::MakeStreamWriter(&stream, rows.schema());
  TARN_RETURN_IF_ERROR(ours(writer.status()));
  TARN_RETURN_IF_ERROR(ForEachBatch(runtime, rows, [&](const arrow::RecordBatch& batch) {
    return ours((*writer)->WriteRecordBatch(batch));
  }));
  return ours((*writer)->Close());
}

}  // namespace

Result<ResultFormat> ParseResultFormat(std::string_view name) {
  static const std::vector<std::pair<std::string, ResultFormat>> kFormats = {
      {"table", ResultFormat::kTable},       {"csv", ResultFormat::kCsv},
      {"json", ResultFormat::kJson},         {"jsonl", ResultFormat::kJsonLines},
      {"markdown", ResultFormat::kMarkdown}, {"arrow", ResultFormat::kArrow}};
  std::vector<std::string> names;
  for (const auto& [known, format] : kFormats) {
    if (AsciiEqualsIgnoreCase(known, name)) return format;
    names.push_back(known);
  }
  return Invalid("no output format '" + std::string(name) + "'" + DidYouMean(name, names));
}

Status WriteResult(Runtime& runtime, BatchStream& rows, const ResultOptions& options,
                   const WriteBytes& write) {
  switch (options.format) {
    case ResultFormat::kTable:
      return WriteTable(runtime, rows, options, write);
    case ResultFormat::kCsv:
      return WriteCsv(runtime, rows, write);
    case ResultFormat::kJson:
      return WriteJson(runtime, rows, JsonShape::kArray, write);
    case ResultFormat::kJsonLines:
      return WriteJson(runtime, rows, JsonShape::kLines, write);
    case ResultFormat::kMarkdown:
      return WriteMarkdown(runtime, rows, write);
    case ResultFormat::kArrow:
      return WriteArrow(runtime, rows, write);
  }
  return Internal("no writer for this output format");
}

}  // namespace tarn::cli
