#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/actions.h"
#include "tarn/model/row_set.h"

namespace tarn::delta {

// Z85 (rfc.zeromq.org/spec/32): five characters for each four bytes; requires whole fours.
std::string EncodeZ85(BytesView bytes);

// The deletion vectors of one commit: small ones stand inline in the log, the others share one file
// in the table's root ("Deletion Vector File Storage Format"), so that a commit writes at most one.
class DeletionVectorWriter {
 public:
  // Vectors of at most this many bytes stay in the log. A checkpoint repeats them, so they are few.
  static constexpr size_t kInlineBytesMax = 64;

  explicit DeletionVectorWriter(Runtime& runtime);

  // The descriptor of `rows`, which are not empty. kUnsupported when the file would pass 2 GiB, the
  // most that a descriptor's offset can name.
  Result<DeletionVectorDescriptor> Add(const RowSet& rows);

  // The file's name below the table's root and its bytes; no bytes when every vector is inline.
  const std::string& file_name() const { return file_name_; }
  Bytes TakeFile() { return std::move(file_); }

 private:
  std::string file_name_;
  std::string encoded_uuid_;
  Bytes file_;
};

}  // namespace tarn::delta
