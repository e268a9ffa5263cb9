#include "tarn/catalog/postgres_database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What a server answers is tested where there is one: tests/python/test_iceberg_sql_catalog.py.

TEST(PostgresDatabaseTest, NumbersParameters) {
  EXPECT_EQ(NumberedParameters("SELECT 1"), "SELECT 1");
  EXPECT_EQ(NumberedParameters("a = ? AND b = ?"), "a = $1 AND b = $2");
}

TEST(PostgresDatabaseTest, AddressesAreChecked) {
  EXPECT_OK(PostgresDatabase::Make("postgresql://u@127.0.0.1:1/d"));
  EXPECT_OK(PostgresDatabase::Make("postgres:///d?host=/tmp"));
  for (const char* wrong : {"", "d", "jdbc:postgresql://h/d", "sqlite:///d", "postgresql://[::1"}) {
    EXPECT_ERROR(PostgresDatabase::Make(wrong), ErrorCode::kInvalid);
  }
  for (const char* open : {"postgresql://u:secret@h/d", "postgresql://h/d?password=secret"}) {
    const auto refused = PostgresDatabase::Make(open);
    EXPECT_ERROR(refused, ErrorCode::kInvalid);
    EXPECT_THAT(refused.error().message, HasSubstr("PGPASSWORD"));
    EXPECT_THAT(refused.error().message, Not(HasSubstr("secret")));
  }
}

TEST(PostgresDatabaseTest, WithoutAServerNothingIsDone) {
  ASSERT_OK_AND_ASSIGN(const auto database, PostgresDatabase::Make("postgresql://u@127.0.0.1:1/d"));
  const auto asked = database->Query("SELECT 1", {});
  EXPECT_ERROR(asked, ErrorCode::kUnavailable);
  EXPECT_THAT(asked.error().message, HasSubstr("postgresql://u@127.0.0.1:1/d"));
  bool ran = false;
  EXPECT_ERROR(database->InTransaction([&]() -> Status {
    ran = true;
    return OkStatus();
  }),
               ErrorCode::kUnavailable);
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace tarn
