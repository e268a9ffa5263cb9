// Any text as a location in a Delta log and as a partition value: paths never leave the table's
// store, an encoded path decodes to itself, and a value that has a text is read back from it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tarn/format/delta/location.h"
#include "tarn/format/delta/partition_values.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tarn::testing::FakeRuntime fake;
  const auto storage = tarn::MakeMemoryStorage(fake.clock, *fake.random);
  const tarn::TableHome home{*tarn::Path::Make("lake/t"), *storage};

  const auto spelled = tarn::delta::SpellLocation(home, text);
  if (spelled.ok()) {
    if (("/" + *spelled + "/").find("/../") != std::string::npos) std::abort();
    if (!home.ObjectOf(*spelled).ok()) std::abort();
  }
  const std::string encoded = tarn::delta::EncodeLocation(text);
  if (tarn::delta::DecodeLocation(encoded) != text) std::abort();
  if (!text.starts_with('/') && tarn::delta::IsAbsoluteLocation(encoded)) std::abort();

  for (int kind = 0; kind <= static_cast<int>(tarn::TypeKind::kVoid); ++kind) {
    tarn::Type type = tarn::Type::Of(static_cast<tarn::TypeKind>(kind));
    if (type.kind == tarn::TypeKind::kDecimal) type = tarn::Type::Decimal(20, 4);
    const auto value = tarn::delta::PartitionValueFromText(type, text);
    if (!value.ok() || tarn::IsNull(*value)) continue;
    const auto back = tarn::delta::PartitionValueToText(type, *value);
    if (!back.ok()) continue;  // bytes that are no UTF-8
    const auto again = tarn::delta::PartitionValueFromText(type, **back);
    if (!again.ok() || tarn::CompareValues(type, *value, *again) != 0) std::abort();
  }
  return 0;
}
