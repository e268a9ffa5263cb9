#pragma once

#include <string_view>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/model/data_file.h"

namespace tarn {

// What a task leaves for the driver that commits: the files it wrote, which nothing refers to yet
// (TableWriter::Finish). A task may be another process, on another machine: the result travels as
// bytes.
struct TaskResult {
  std::vector<DataFile> files = {};
};

// CBOR (RFC 8949), with the version of the layout in front: about 200 bytes a file and 50 a column
// with statistics. Every member of DataFile, doubles exactly.
Bytes EncodeTaskResult(const TaskResult& result);

// kCorrupt naming the member that is missing or of another type; kUnsupported for a layout of a
// newer Tarn.
Result<TaskResult> DecodeTaskResult(std::string_view bytes);

}  // namespace tarn
