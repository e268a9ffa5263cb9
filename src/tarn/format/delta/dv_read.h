#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/model/data_file.h"
#include "tarn/model/row_set.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// PROTOCOL.md, "Deletion Vectors"; their bytes are datafile/deletion_vector.h.

// Z85 (rfc.zeromq.org/spec/32), and the last group as Rust's z85 has it where bytes are no whole
// fours:
// '#' for each byte less, then their digits ("##093" is 03 00). kCorrupt: a length that is no
// multiple of five, a character outside the alphabet, five that stand for more than 32 bits.
Result<Bytes> DecodeZ85(std::string_view text);

// The vector that a DeleteFile names: inline, in a file named by UUID in the table's root, or at an
// absolute path; checksum, size and number of rows are compared. kCorrupt; kNotFound for a missing
// file; kUnsupported naming a storage type that is none of the three.
Result<RowSet> ReadDeletionVector(const TableHome& home, const DeleteFile& deletes);

}  // namespace tarn::delta
