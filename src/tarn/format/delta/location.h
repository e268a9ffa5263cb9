#pragma once

#include <string>
#include <string_view>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// A location as the log spells it (add.path, absolute paths of deletion vectors: RFC 2396 URIs,
// relative to the table's root or absolute) without its encoding: what TableHome::Resolve takes.
// "a%20b/x.parquet" → "a b/x.parquet"; "file:///t/a%2520b" → "file:///t/a%20b". Bytes that form no
// valid escape stay as they are.
std::string DecodeLocation(std::string_view uri);

// Whether it starts with '/' or a scheme ("file:", "s3://").
bool IsAbsoluteLocation(std::string_view uri);

// The inverse: the one spelling Tarn gives to a path of its own. Keeps most of what Java's
// Path.toUri keeps (letters, digits and -._~!$&'()*+,;=@/), encodes every other byte, ':' too,
// which would make a scheme of the first segment. An absolute path keeps its '/'.
std::string EncodeLocation(std::string_view spelled);

// DataFile::path of a location in the log: decoded, resolved, relocated. kInvalid naming the
// location when it lies outside the store.
Result<std::string> SpellLocation(const TableHome& home, std::string_view uri);

}  // namespace tarn::delta
