#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/base/path.h"
#include "tarn/base/result.h"

namespace tarn {

struct ObjectInfo {
  Path path;
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  std::string etag = {};  // changes whenever the bytes do; empty where the store has none
};

// What PutIfAbsent found. Losing the race is an answer, not an error.
enum class PutOutcome : uint8_t { kCreated, kAlreadyExists };

// An object open for reading at any offset. Thread-safe.
class ObjectReader {
 public:
  virtual ~ObjectReader() = default;
  virtual int64_t size_bytes() const = 0;
  // Exactly `length` bytes into `out`. kInvalid past the end.
  virtual Status ReadAt(int64_t offset, int64_t length, char* out) const = 0;
};

// An object being written from front to back. Not thread-safe. Nothing is visible before Finish;
// destroyed without it, the object never existed.
class ObjectWriter {
 public:
  virtual ~ObjectWriter() = default;
  virtual Status Append(BytesView bytes) = 0;
  // Makes the object durable and visible under its path, replacing what was there.
  virtual Result<ObjectInfo> Finish() = 0;
};

// Named byte objects on one store: local disk, S3, HDFS, memory. Thread-safe.
// `const Storage&` may only read: that is how a format codec sees it, through TableHome.
// A success is durable: it survives a power cut. Errors of every call: kUnavailable (retry may
// help), kUnknownOutcome (writes only: the request may have taken effect), kInvalid (credentials, a
// path that leaves the root by a link); others stand below.
class Storage {
 public:
  virtual ~Storage() = default;

  // "file:///data/lake", "memory:": what locations of this store begin with, for messages.
  virtual std::string root_uri() const = 0;

  // The whole object. kNotFound if there is none.
  virtual Result<Bytes> Read(const Path& path) const = 0;

  // Exactly `range.length` bytes from `range.offset`. kNotFound; kInvalid past the end.
  virtual Result<Bytes> ReadRange(const Path& path, ByteRange range) const = 0;

  // kNotFound if there is none.
  virtual Result<ObjectInfo> Stat(const Path& path) const = 0;
  virtual Result<std::unique_ptr<ObjectReader>> OpenReader(const Path& path) const = 0;

  // Up to `limit` objects at or below the folder `prefix` whose path sorts after `after` (byte
  // order of whole paths; the empty path is before all): the next page starts after the last. Empty
  // if none; a store knows no folders to be missing. With `shallow`, only objects directly in the
  // folder.
  enum class Depth : uint8_t { kAll, kShallow };
  virtual Result<std::vector<ObjectInfo>> List(const Path& prefix, const Path& after, int32_t limit,
                                               Depth depth) const = 0;

  // Writes `bytes` at `path`, replacing what is there. Readers see all or nothing.
  virtual Status Put(const Path& path, BytesView bytes) = 0;

  // Creates `path` in one atomic step unless an object is there; of many callers exactly one
  // gets kCreated. After kUnknownOutcome, Read to learn who won.
  virtual Result<PutOutcome> PutIfAbsent(const Path& path, BytesView bytes) = 0;

  // Large objects. kInvalid for a bad path.
  virtual Result<std::unique_ptr<ObjectWriter>> OpenWriter(const Path& path) = 0;

  // Gives the object at `from` the name `to` unless one is there. Atomic on disk and HDFS; on S3 a
  // copy, then a removal, so a death between them leaves both. kNotFound if `from` is missing.
  virtual Result<PutOutcome> MoveIfAbsent(const Path& from, const Path& to) = 0;

  // Removes `path`. Ok when there is none, so a cleaner can be run twice.
  virtual Status Remove(const Path& path) = 0;

  // The name under which a native reader (DuckDB, Parquet by memory map) may open the object
  // itself, or empty when only this interface reaches it. Local disk: an absolute file name.
  virtual std::string NativeName(const Path& path) const = 0;
};

}  // namespace tarn
