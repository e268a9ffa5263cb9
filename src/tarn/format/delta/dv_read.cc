#include "tarn/format/delta/dv_read.h"

#include <array>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/deletion_vector.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/format/delta/location.h"

namespace tarn::delta {
namespace {

constexpr size_t kUuidText = 20;  // 16 bytes in Z85

constexpr std::string_view kZ85 =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

Error Bad(std::string_view what) { return Corrupt("deletion vector: " + std::string(what)); }

std::array<int8_t, 256> Z85Values() {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < kZ85.size(); ++i) {
    values[static_cast<unsigned char>(kZ85[i])] = static_cast<int8_t>(i);
  }
  return values;
}

Result<Path> VectorPath(const TableHome& home, const DeletionVectorDescriptor& vector) {
  if (vector.storage_type == 'p') return home.Resolve(DecodeLocation(vector.path_or_inline));
  if (vector.path_or_inline.size() < kUuidText) return Bad("a name shorter than a UUID");
  const size_t prefix_length = vector.path_or_inline.size() - kUuidText;
  TARN_ASSIGN_OR_RETURN(const Bytes uuid,
                        DecodeZ85(std::string_view(vector.path_or_inline).substr(prefix_length)));
  std::string name = HexEncode(uuid);
  for (const size_t at : {8, 13, 18, 23}) name.insert(at, "-");
  name = "deletion_vector_" + name + ".bin";
  if (prefix_length > 0) name = vector.path_or_inline.substr(0, prefix_length) + "/" + name;
  return home.root.Join(name);
}

// The checked bytes of a vector in a file ("Deletion Vector File Storage Format").
Result<Bytes> ReadFramed(const TableHome& home, const DeletionVectorDescriptor& vector) {
  TARN_ASSIGN_OR_RETURN(const Path path, VectorPath(home, vector));
  // The first byte is the file's version, so no vector starts at 0, which stands for "not given".
  const int64_t start = vector.offset.value_or(0) > 0 ? *vector.offset : 1;
  const int64_t size = vector.size_bytes;
  Result<Bytes> framed = home.storage.ReadRange(path, {start, size + 8});
  if (!framed.ok()) {
    if (framed.error().code == ErrorCode::kInvalid) {
      return Corrupt("deletion vector: '" + path.str() + "' is too short");
    }
    return std::move(framed).error();
  }
  Result<BytesView> data = UnframeDeletionVector(*framed);
  if (!data.ok()) return data.error().WithContext("'" + path.str() + "'");
  return Bytes(*data);
}

}  // namespace

Result<Bytes> DecodeZ85(std::string_view text) {
  static const std::array<int8_t, 256> kValues = Z85Values();
  if (text.size() % 5 != 0) return Bad("Z85 text of odd length");
  Bytes bytes;
  bytes.reserve(text.size() / 5 * 4);
  for (size_t at = 0; at < text.size(); at += 5) {
    std::string_view group = text.substr(at, 5);
    size_t length = 4;
    // '#' cannot begin four bytes: what follows one, two or three of them stands for as many bytes
    // less, in the last group only.
    while (at + 5 == text.size() && length > 1 && group.front() == '#') {
      group.remove_prefix(1);
      --length;
    }
    uint64_t number = 0;
    for (const char c : group) {
      const int8_t value = kValues[static_cast<unsigned char>(c)];
      if (value < 0) return Bad("a character outside Z85");
      number = number * 85 + static_cast<uint64_t>(value);
    }
    if (number >> (8 * length) != 0) return Bad("Z85 text that stands for no bytes");
    for (size_t i = length; i > 0; --i) {
      bytes.push_back(static_cast<char>(number >> (8 * (i - 1)) & 0xFFU));
    }
  }
  return bytes;
}

Result<RowSet> ReadDeletionVector(const TableHome& home, const DeleteFile& deletes) {
  TARN_ASSIGN_OR_RETURN(const DeletionVectorDescriptor vector, ToDescriptor(deletes));
  const auto in_context = [&](const Error& error) {
    return error.WithContext("delta: '" + vector.UniqueId() + "'");
  };
  Bytes bytes;
  if (vector.storage_type == 'i') {
    Result<Bytes> decoded = DecodeZ85(vector.path_or_inline);
    if (!decoded.ok()) return in_context(decoded.error());
    if (decoded->size() < static_cast<size_t>(vector.size_bytes)) {
      return in_context(Bad("shorter than the size in the log"));
    }
    bytes = decoded->substr(0, static_cast<size_t>(vector.size_bytes));
  } else if (vector.storage_type == 'u' || vector.storage_type == 'p') {
    Result<Bytes> read = ReadFramed(home, vector);
    if (!read.ok()) return in_context(read.error());
    bytes = *std::move(read);
  } else {
    return in_context(
        Unsupported("deletion vector: storage type '" + std::string(1, vector.storage_type) + "'"));
  }
  Result<RowSet> rows = DecodeDeletionVector(bytes, vector.cardinality);
  if (!rows.ok()) return in_context(rows.error());
  if (rows->Count() != vector.cardinality) {
    return in_context(Bad(std::to_string(rows->Count()) + " rows; the log says " +
                          std::to_string(vector.cardinality)));
  }
  return rows;
}

}  // namespace tarn::delta
