#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/model/row_set.h"

namespace tarn::iceberg {

// A Puffin file under construction (Puffin specification: magic, blobs, footer with their
// description), of deletion vectors only.
class PuffinVectors {
 public:
  PuffinVectors();

  struct Place {
    int64_t offset = 0;
    int64_t size_bytes = 0;
  };
  // Appends the rows of one data file as a blob "deletion-vector-v1"; where it stands.
  Place Add(const RowSet& rows, const std::string& data_file);
  // The whole file. Nothing may be added afterwards.
  Bytes Finish();

 private:
  struct Blob {
    Place place;
    std::string data_file;
    int64_t rows = 0;
  };
  Bytes bytes_;
  std::vector<Blob> blobs_;
};

}  // namespace tarn::iceberg
