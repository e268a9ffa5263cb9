#include "tarn/format/iceberg/puffin.h"

#include <string_view>
#include <utility>

#include "tarn/base/version.h"
#include "tarn/datafile/deletion_vector.h"
#include "tarn/format/iceberg/json_internal.h"

namespace tarn::iceberg {
namespace {

constexpr std::string_view kMagic = "PFA1";
constexpr int32_t kRowPositionId = 2147483645;  // "Reserved Field IDs": _pos

void AppendLittleEndian(uint32_t number, Bytes& bytes) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xFF);
}

}  // namespace

PuffinVectors::PuffinVectors() : bytes_(kMagic) {}

PuffinVectors::Place PuffinVectors::Add(const RowSet& rows, const std::string& data_file) {
  Place place{.offset = static_cast<int64_t>(bytes_.size())};
  FrameDeletionVector(EncodeDeletionVector(rows), bytes_);
  place.size_bytes = static_cast<int64_t>(bytes_.size()) - place.offset;
  blobs_.push_back({place, data_file, static_cast<int64_t>(rows.Count())});
  return place;
}

Bytes PuffinVectors::Finish() {
  Json blobs = Json::array();
  for (const Blob& blob : blobs_) {
    Json json;
    json["type"] = "deletion-vector-v1";
    json["fields"] = Json::array({kRowPositionId});
    // "deletion-vector-v1 blob type": both -1, for they are inherited.
    json["snapshot-id"] = -1;
    json["sequence-number"] = -1;
    json["offset"] = blob.place.offset;
    json["length"] = blob.place.size_bytes;
    json["properties"] = {{"referenced-data-file", blob.data_file},
                          {"cardinality", std::to_string(blob.rows)}};
    blobs.push_back(std::move(json));
  }
  Json footer;
  footer["blobs"] = std::move(blobs);
  footer["properties"] = {{"created-by", "tarn " + std::string(kTarnVersion)}};
  const std::string payload = footer.dump();
  bytes_ += kMagic;
  bytes_ += payload;
  AppendLittleEndian(static_cast<uint32_t>(payload.size()), bytes_);
  AppendLittleEndian(0, bytes_);  // flags: the payload is not compressed
  bytes_ += kMagic;
  return std::move(bytes_);
}

}  // namespace tarn::iceberg
