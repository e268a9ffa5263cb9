#include "tarn/format/delta/dv_read.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tarn/format/delta/dv_write.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

std::vector<uint64_t> RowsOf(const RowSet& rows) {
  std::vector<uint64_t> all;
  rows.ForEach([&](uint64_t row) { all.push_back(row); });
  return all;
}

class DeletionVectorTest : public ::testing::Test {
 protected:
  DeletionVectorTest()
      : storage_(MakeMemoryStorage(fake_.clock, *fake_.random)),
        home_{*Path::Make("t"), *storage_} {}
  testing::FakeRuntime fake_;
  std::unique_ptr<MemoryStorage> storage_;
  TableHome home_;
};

TEST(Z85, DecodesTheProtocolsUuid) {
  const Result<Bytes> bytes = DecodeZ85("^-aqEH.-t@S}K{vb[*k^");
  ASSERT_OK(bytes);
  EXPECT_EQ(EncodeZ85(*bytes), "^-aqEH.-t@S}K{vb[*k^");
  EXPECT_EQ(static_cast<unsigned char>((*bytes)[0]), 0xd2);
  EXPECT_EQ(*DecodeZ85("##093"), Bytes("\x03\x00", 2)) << "a last group of two bytes";
  for (const char* text : {"1234", "12~45", "#####", "%nSc1", "##09300000"}) {
    EXPECT_ERROR(DecodeZ85(text), ErrorCode::kCorrupt);
  }
  EXPECT_EQ(*DecodeZ85(""), "");
}

TEST_F(DeletionVectorTest, TheProtocolsInlineExample) {
  DeleteFile deletes;
  // With the magic number and bucket count in the byte order that the format asks for; the
  // protocol's own text has them the other way round, which no reader accepts.
  deletes.location = "i^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L";
  deletes.size_bytes = 44;
  deletes.row_count = 6;
  ASSERT_OK_AND_ASSIGN(const RowSet rows, ReadDeletionVector(home_, deletes));
  EXPECT_EQ(RowsOf(rows), (std::vector<uint64_t>{3, 4, 7, 11, 18, 29}));
  deletes.location = "iwi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L";
  deletes.size_bytes = 40;
  EXPECT_ERROR(ReadDeletionVector(home_, deletes), ErrorCode::kCorrupt);
}

TEST_F(DeletionVectorTest, OneOfDatabricks) {
  DeleteFile deletes;
  deletes.location = "i^Bg9^0rr910000000000iXQKl0rr91000935c8Xg000311onP9";
  deletes.size_bytes = 40;
  deletes.row_count = 4;
  ASSERT_OK_AND_ASSIGN(const RowSet rows, ReadDeletionVector(home_, deletes));
  EXPECT_EQ(RowsOf(rows), (std::vector<uint64_t>{0, 1, 4, 5}));
  deletes.row_count = 5;
  EXPECT_ERROR(ReadDeletionVector(home_, deletes), ErrorCode::kCorrupt);
  deletes.size_bytes = 44;
  EXPECT_ERROR(ReadDeletionVector(home_, deletes), ErrorCode::kCorrupt);
  deletes.location = "x123";
  EXPECT_ERROR(ReadDeletionVector(home_, deletes), ErrorCode::kUnsupported);
}

TEST_F(DeletionVectorTest, InAFileWithItsChecksum) {
  RowSet rows;
  for (uint64_t row = 0; row < 1000; row += 3) rows.Add(row);
  DeletionVectorWriter writer(fake_.runtime);
  ASSERT_OK_AND_ASSIGN(const DeletionVectorDescriptor first, writer.Add(rows));
  rows.Add(5'000);
  ASSERT_OK_AND_ASSIGN(const DeletionVectorDescriptor second, writer.Add(rows));
  Bytes file = writer.TakeFile();
  const Path path = home_.root / writer.file_name();
  ASSERT_OK(storage_->Put(path, file));
  ASSERT_OK_AND_ASSIGN(const RowSet back, ReadDeletionVector(home_, ToDeleteFile(second)));
  EXPECT_TRUE(back == rows);
  EXPECT_OK(ReadDeletionVector(home_, ToDeleteFile(first)));

  DeleteFile absolute = ToDeleteFile(second);
  absolute.location = "p" + storage_->root_uri() + "/" + path.str();
  EXPECT_OK(ReadDeletionVector(home_, absolute));

  file[file.size() - 5] = static_cast<char>(file[file.size() - 5] ^ 1);
  ASSERT_OK(storage_->Put(path, file));
  EXPECT_ERROR(ReadDeletionVector(home_, ToDeleteFile(second)), ErrorCode::kCorrupt);
  ASSERT_OK(storage_->Put(path, file.substr(0, file.size() - 20)));
  EXPECT_ERROR(ReadDeletionVector(home_, ToDeleteFile(second)), ErrorCode::kCorrupt);
  ASSERT_OK(storage_->Remove(path));
  EXPECT_ERROR(ReadDeletionVector(home_, ToDeleteFile(second)), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tarn::delta
