#pragma once

#include <memory>

#include <arrow/io/type_fwd.h>
#include <arrow/type_fwd.h>

#include "tarn/storage/storage.h"

namespace tarn {

// An object as Arrow reads files: at any offset, from any thread. Errors of ours come back whole
// through ArrowError.
std::shared_ptr<arrow::io::RandomAccessFile> MakeArrowFile(
    std::shared_ptr<const ObjectReader> object);

// An object being written as Arrow writes files. Small writes are gathered into Appends of about
// 256 KiB. `object` outlives it; closing the stream flushes but does not finish the object.
std::shared_ptr<arrow::io::OutputStream> MakeArrowSink(ObjectWriter& object);

}  // namespace tarn
