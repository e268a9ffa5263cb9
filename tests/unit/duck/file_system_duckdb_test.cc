#include "tarn/duck/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/base/runtime.h"
#include "tarn/storage/memory.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::RowsText;

class ObjectFilesTest : public ::testing::Test {
 protected:
  SystemRuntime system_{RuntimeOptions{.threads = 2}};
  std::unique_ptr<MemoryStorage> store_ =
      MakeMemoryStorage(system_.runtime().clock, system_.runtime().random);
  std::unique_ptr<DuckSession> session_ =
      *DuckSession::Make(system_.runtime(), {.file_access = FileAccess::kAllowed});
  std::shared_ptr<ObjectFiles> files_ = *ObjectFiles::Mount(*session_, system_.runtime());
};

TEST_F(ObjectFilesTest, ObjectsOpenUnderTheirName) {
  const Path path = *Path::Make("a b/ü.csv");
  ASSERT_TRUE(store_->Put(path, "x,y\n1,2\n3,4\n").ok());
  const std::string name = files_->NameOf(*store_, path);
  EXPECT_EQ(name, "tarn://0/a b/ü.csv");
  EXPECT_THAT(RowsText(session_->Query("SELECT y, x FROM read_csv('" + name + "') ORDER BY x")),
              ElementsAre("2|1", "4|3"));
}

TEST_F(ObjectFilesTest, StoresAreToldApart) {
  auto other = MakeMemoryStorage(system_.runtime().clock, system_.runtime().random);
  const Path path = *Path::Make("x");
  EXPECT_EQ(files_->NameOf(*store_, path), "tarn://0/x");
  EXPECT_EQ(files_->NameOf(*other, path), "tarn://1/x");
  EXPECT_EQ(files_->NameOf(*store_, path), "tarn://0/x");
}

TEST_F(ObjectFilesTest, WhatIsMissingKeepsItsError) {
  const auto missing = session_->Query("FROM read_parquet('" +
                                       files_->NameOf(*store_, *Path::Make("none.parquet")) + "')");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().ToString(), HasSubstr("none.parquet"));
  EXPECT_FALSE(session_->Execute("COPY (SELECT 1) TO 'tarn://0/new.csv'").ok());
}

}  // namespace
}  // namespace tarn
