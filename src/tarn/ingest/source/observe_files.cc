#include "tarn/ingest/source/observe_files.h"

#include <algorithm>
#include <utility>

#include "tarn/datafile/csv_decoder.h"
#include "tarn/datafile/infer_json.h"
#include "tarn/ingest/source/block_feed.h"
#include "tarn/model/evolution.h"

namespace tarn {
namespace {

bool IsText(SourceFormat format) {
  return format == SourceFormat::kJsonLines || format == SourceFormat::kCsv;
}

void ForgetIds(std::vector<Field>& fields) {
  for (Field& field : fields) {
    field.id = 0;
    ForgetIds(field.type.fields);
  }
}

// What both kinds of text showed.
struct Evidence {
  ColumnEvidence json;
  ColumnEvidence csv;
};

Status ObserveText(Runtime& runtime, const Storage& local, const Registry<FileFormat>& file_formats,
                   const std::vector<SourceFile>& files, const FeedOptions& options, Look look,
                   Evidence* evidence, bool* complete) {
  BlockFeed feed(runtime, local, file_formats, files, options);
  const int64_t at_once = look == Look::kAtBeginning ? 1 : PiecesAtOnce(runtime);
  std::vector<int64_t> lines(files.size(), 0);
  std::vector<FeedItem> items, coming;
  const auto fill = [&](std::vector<FeedItem>* into) -> Status {
    into->clear();
    while (static_cast<int64_t>(into->size()) < at_once) {
      TARN_ASSIGN_OR_RETURN(std::optional<FeedItem> item, feed.Next());
      if (!item) break;
      into->push_back(std::move(*item));
    }
    return {};
  };
  TARN_RETURN_IF_ERROR(fill(&items));
  while (!items.empty()) {
    std::vector<ObservedText> seen(items.size());
    // Task 0 reads on while the others look at what was read before.
    TARN_RETURN_IF_ERROR(runtime.executor.ParallelFor(
        static_cast<int64_t>(items.size()) + 1, [&](int64_t task) -> Status {
          if (task == 0) return fill(&coming);
          const FeedItem& item = items[static_cast<size_t>(task - 1)];
          ObservedText& observed = seen[static_cast<size_t>(task - 1)];
          observed = item.names != nullptr
                         ? ObserveCsv(item.text(), *item.names, options.csv_delimiter)
                         : ObserveJson(item.text());
          return {};
        }));
    for (size_t i = 0; i < items.size(); ++i) {
      FeedItem& item = items[i];
      lines[item.file] += item.skip_lines;
      ColumnEvidence& root = item.names != nullptr ? evidence->csv : evidence->json;
      root.Merge(seen[i].root, static_cast<int32_t>(item.file), lines[item.file]);
      lines[item.file] += seen[i].lines;
      feed.Recycle(std::move(item.block));
    }
    std::swap(items, coming);
    if (look == Look::kAtBeginning) break;
  }
  *complete = items.empty();
  return {};
}

// `all` with what `more` adds.
Status Unite(Schema* all, const Schema& more) {
  if (more.fields.empty()) return {};
  if (all->fields.empty()) {
    *all = more;
    return {};
  }
  *all = AssignFreshIds(std::move(*all));
  TARN_ASSIGN_OR_RETURN(const auto changes, ChangesToAccept(*all, more));
  TARN_ASSIGN_OR_RETURN(*all, Evolve(std::move(*all), changes));
  return {};
}

}  // namespace

Result<SourceSchema> ObserveFiles(Runtime& runtime, const Storage& local,
                                  const Registry<FileFormat>& file_formats,
                                  const std::vector<SourceFile>& files, const Pipeline& pipeline,
                                  const ObserveOptions& how) {
  SourceSchema source;
  for (const SourceFile& file : files) {
    if (IsText(file.format)) continue;
    const auto read = [&]() -> Status {
      TARN_ASSIGN_OR_RETURN(const Path object, file.object());
      TARN_ASSIGN_OR_RETURN(const auto reader, local.OpenReader(object));
      TARN_ASSIGN_OR_RETURN(const FileFormat* format,
                            file_formats.Find(SourceFormatName(file.format)));
      TARN_ASSIGN_OR_RETURN(Schema schema, format->ReadSchema(*reader));
      ForgetIds(schema.fields);
      return Unite(&source.schema, schema);
    };
    if (const Status status = read(); !status.ok()) return status.error().WithContext(file.shown);
  }
  const bool any_text = std::any_of(files.begin(), files.end(),
                                    [](const SourceFile& file) { return IsText(file.format); });
  if (any_text) {
    Evidence evidence;
    TARN_RETURN_IF_ERROR(ObserveText(runtime, local, file_formats, files,
                                     FeedOptionsFor(runtime, pipeline), how.look, &evidence,
                                     &source.complete));
    InferOptions options;
    options.times = pipeline.infer_times;
    options.variants = how.variants;
    options.known = how.known;
    for (const SourceFile& file : files) options.sources.push_back(file.shown);
    TARN_ASSIGN_OR_RETURN(InferredSchema json, MakeSchema(evidence.json, options));
    options.mixed = MixedKinds::kText;
    TARN_ASSIGN_OR_RETURN(InferredSchema csv, MakeSchema(evidence.csv, options));
    TARN_RETURN_IF_ERROR(Unite(&source.schema, json.schema));
    TARN_RETURN_IF_ERROR(Unite(&source.schema, csv.schema));
    source.without_values = std::move(json.without_values);
    source.without_values.insert(source.without_values.end(), csv.without_values.begin(),
                                 csv.without_values.end());
  }
  ForgetIds(source.schema.fields);
  source.schema.last_column_id = 0;
  return source;
}

}  // namespace tarn
