#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/datafile/text_source.h"
#include "tarn/ingest/pipeline.h"
#include "tarn/storage/storage.h"

namespace tarn {

// A file to load, as it was when it was found.
struct SourceFile {
  std::string shown;  // as the user's pattern spells it: for messages
  std::string path;   // absolute, without "." and "..": what the ledger knows it by
  SourceFormat format = SourceFormat::kJsonLines;
  Compression compression = Compression::kNone;
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;

  // On a store whose root is "/".
  Result<Path> object() const { return Path::Make(std::string_view(path).substr(1)); }
};

// The files that `pipeline.paths` name, sorted by path within each pattern, each once, with size
// and time of change. By the name's ending (.jsonl, .ndjson, .json, .csv, .tsv, .parquet, .arrow,
// .arrows, .ipc, .feather, .avro; .gz and .zst behind the text formats) unless the pipeline says
// the format. kNotFound: a pattern that matches nothing; kInvalid: an ending that says nothing,
// compressed Parquet, Arrow or Avro. Folders and ** take only files whose ending is known.
Result<std::vector<SourceFile>> FindSourceFiles(const Storage& local, const Pipeline& pipeline);

// XXH3 over size, first and last 4 KiB, as 16 hex digits: tells a changed file from a touched one.
Result<std::string> FingerprintOf(const Storage& local, const SourceFile& file);

std::string_view SourceFormatName(SourceFormat format);

}  // namespace tarn
