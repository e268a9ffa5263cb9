#include "tarn/catalog/sqlite_database.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

TEST(SqliteDatabase, RollsBackWhatFails) {
  const testing::TempFolder folder;
  ASSERT_OK_AND_ASSIGN(auto database,
                       SqliteDatabase::Open(folder.path() + "/a.db", SqliteDatabase::Create::kYes));
  ASSERT_OK(database->Execute("CREATE TABLE t (a TEXT)", {}));
  EXPECT_ERROR(database->InTransaction([&]() -> Status {
    TARN_RETURN_IF_ERROR(database->Execute("INSERT INTO t VALUES (?)", {"x"}));
    return Invalid("no");
  }),
               ErrorCode::kInvalid);
  ASSERT_OK_AND_ASSIGN(auto rows, database->Query("SELECT * FROM t", {}));
  EXPECT_TRUE(rows.empty());
  ASSERT_OK(database->InTransaction([&] {
    return database->Execute("INSERT INTO t VALUES (?)", {std::string("a\0b", 3)}).status();
  }));
  ASSERT_OK_AND_ASSIGN(rows, database->Query("SELECT * FROM t", {}));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0][0], std::string("a\0b", 3));
}

TEST(SqliteDatabase, SaysWhatIsNoDatabase) {
  const testing::TempFolder folder;
  std::ofstream(folder.path() + "/a.db") << std::string(1000, 'x');
  EXPECT_ERROR(SqliteDatabase::Open(folder.path() + "/none.db", SqliteDatabase::Create::kNo),
               ErrorCode::kInvalid);
  EXPECT_ERROR(SqliteDatabase::Open(folder.path() + "/a.db", SqliteDatabase::Create::kNo),
               ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn
