#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tarn/base/result.h"
#include "tarn/datafile/avro_header.h"
#include "tarn/datafile/avro_packer_internal.h"
#include "tarn/storage/storage.h"

namespace tarn {

// A block as it is stored.
struct AvroBlock {
  int64_t index = 0;
  int64_t offset = 0;  // in the file
  int64_t row_count = 0;
  AvroBuffer packed;

  // "avro: <name>: block 3 at 4711", for messages.
  std::string Place(const std::string& name) const;
};

// The blocks of a file from front to back, framing and sync markers checked. Reads ahead by
// 1 MiB at most. Not thread-safe.
class AvroBlockReader {
 public:
  AvroBlockReader(std::shared_ptr<const ObjectReader> file, std::string name,
                  std::shared_ptr<const AvroHeader> header)
      : file_(std::move(file)),
        name_(std::move(name)),
        header_(std::move(header)),
        offset_(header_->data_offset) {}

  // False at the end. kCorrupt: a block that ends early, a sync marker that is not the header's.
  Result<bool> Next(AvroBlock& block);

 private:
  // Makes min(wanted, what is left of the file) bytes stand at window_[0].
  Status Fill(size_t wanted);
  BytesView window() const { return ahead_.view().substr(begin_); }
  Error Broken(const AvroBlock& block, const std::string& why) const {
    return Corrupt(block.Place(name_) + ": " + why);
  }

  const std::shared_ptr<const ObjectReader> file_;
  const std::string name_;
  const std::shared_ptr<const AvroHeader> header_;
  int64_t offset_;    // of the window's first byte
  AvroBuffer ahead_;  // bytes read and not yet used: from begin_
  size_t begin_ = 0;
  int64_t index_ = 0;
};

}  // namespace tarn
