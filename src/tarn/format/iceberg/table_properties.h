#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tarn/base/result.h"
#include "tarn/table/retry_policy.h"

namespace tarn::iceberg {

// What writers read of a table's properties, with Iceberg's defaults.
struct WriteProperties {
  int64_t target_file_size_bytes = int64_t{512} << 20;
  std::string file_format = "parquet";  // write.format.default: parquet, avro, orc
  std::string compression = "zstd";     // write.<file_format>.compression-codec
  int64_t manifest_target_bytes = int64_t{8} << 20;
  int64_t manifests_min_to_merge = 100;
  bool merge_manifests = true;
  int64_t previous_versions_max = 100;
  bool delete_old_metadata = false;
  bool gzip_metadata = false;
  bool merge_on_read_deletes = false;  // write.delete.mode
  bool merge_on_read_updates = false;  // write.update.mode
};

// kInvalid naming property and value that do not go together; kUnsupported naming what Tarn does
// not write: data files of other formats, another codec, data or metadata kept outside the
// table's folder, object storage paths, encryption.
Result<WriteProperties> ParseWriteProperties(const std::map<std::string, std::string>& properties);

// commit.retry.num-retries, .min-wait-ms, .max-wait-ms, .total-timeout-ms, where they are set.
// kInvalid naming the one that cannot be.
Result<RetryPolicy> ParseRetryPolicy(const std::map<std::string, std::string>& properties,
                                     const RetryPolicy& otherwise);

}  // namespace tarn::iceberg
