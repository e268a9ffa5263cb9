#include "tarn/datafile/storage_file.h"

#include <gtest/gtest.h>

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include "tarn/datafile/arrow_status.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(StorageFileTest, WritesGatherAndReadsAreShortAtTheEnd) {
  testing::FakeRuntime fake;
  const auto storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("x");
  ASSERT_OK_AND_ASSIGN(auto object, storage->OpenWriter(path));
  const auto sink = MakeArrowSink(*object);
  std::string expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string piece(static_cast<size_t>(i), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(sink->Write(piece.data(), static_cast<int64_t>(piece.size())).ok());
    expected += piece;
  }
  EXPECT_EQ(*sink->Tell(), static_cast<int64_t>(expected.size()));
  ASSERT_TRUE(sink->Close().ok());
  ASSERT_OK(object->Finish());
  ASSERT_OK_AND_ASSIGN(const Bytes bytes, storage->Read(path));
  EXPECT_EQ(bytes, expected);

  ASSERT_OK_AND_ASSIGN(auto reader, storage->OpenReader(path));
  const auto file = MakeArrowFile(std::move(reader));
  EXPECT_EQ(*file->GetSize(), static_cast<int64_t>(expected.size()));
  EXPECT_EQ((*file->ReadAt(static_cast<int64_t>(expected.size()) - 3, 10))->ToString(),
            expected.substr(expected.size() - 3));
  EXPECT_EQ((*file->ReadAt(static_cast<int64_t>(expected.size()) + 5, 10))->size(), 0);
  EXPECT_FALSE(file->ReadAt(-1, 10).ok());
}

TEST(StorageFileTest, ErrorOfTheStoreKeepsItsCode) {
  class Failing final : public ObjectReader {
   public:
    int64_t size_bytes() const override { return 100; }
    Status ReadAt(int64_t, int64_t, char*) const override { return Unavailable("store: later"); }
  };
  const auto file = MakeArrowFile(std::make_shared<Failing>());
  EXPECT_ERROR(Lift(file->ReadAt(0, 10), "read"), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace tarn
