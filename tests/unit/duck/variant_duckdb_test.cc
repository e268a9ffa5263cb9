#include "tarn/duck/variant_duckdb.h"

#include <gtest/gtest.h>

#include "tarn/base/runtime.h"
#include "tarn/duck/types_duckdb.h"

namespace tarn {
namespace {

duckdb::Value Blob(const std::string& bytes) {
  return duckdb::Value::BLOB(reinterpret_cast<duckdb::const_data_ptr_t>(bytes.data()),
                             bytes.size());
}

TEST(VariantCastTest, NullAndVariantNullAreTwoThings) {
  SystemRuntime system{RuntimeOptions{.threads = 1}};
  auto session = *DuckSession::Make(system.runtime());
  ASSERT_TRUE(InstallVariantCast(*session).ok());
  duckdb::ClientContext& context = *session->connection().context;
  const std::string no_keys("\x01\x00\x00", 3);
  // VariantEncoding.md: a header of 3 << 2 is an int8, 0 is null.
  const auto of = [&](const std::string& value) {
    return duckdb::Value::STRUCT({{"metadata", Blob(no_keys)}, {"value", Blob(value)}});
  };
  const auto text = [&](const duckdb::Value& value) {
    duckdb::Value out;
    context.RunFunctionInTransaction([&] { out = value.CastAs(context, VariantTextType()); });
    return out.IsNull() ? std::string("NULL") : out.ToString();
  };
  EXPECT_EQ(text(of(std::string("\x0c\x0c", 2))), "12");
  EXPECT_EQ(text(of(std::string("\x00", 1))), "null");
  EXPECT_EQ(text(duckdb::Value(of(std::string("\x00", 1)).type())), "NULL");
}

}  // namespace
}  // namespace tarn
