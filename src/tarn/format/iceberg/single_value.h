#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/bytes.h"
#include "tarn/model/types.h"
#include "tarn/model/value.h"

namespace tarn::iceberg {

// Iceberg specification, "Appendix D: Single-value serialization".

// "Binary single-value serialization": bounds in manifests. Bytes of a type from which `type` was
// widened (int for long, float for double, date for timestamps, a shorter decimal) are taken too.
// Nothing for bytes of no such length: a bound that cannot be read says nothing.
std::optional<Value> ValueFromBinary(const Type& type, BytesView bytes);
// `value` is not null and of `type`. Decimals take the fewest bytes.
Bytes ValueToBinary(const Type& type, const Value& value);

// A scalar's text in JSON or partition folders: "2017-11-16", "22:31:08.5", "…T…" with a zone where
// the type has one, "14.20", hex of binary and fixed, a uuid with dashes. Nothing when it is no
// text of the type.
std::optional<Value> ValueFromText(const Type& type, std::string_view text);

// As SQL writes the value: 12, 'it''s', DATE '2017-11-16', '\x01'::BLOB.
std::string ValueToSql(const Type& type, const Value& value);

}  // namespace tarn::iceberg
