#include "tarn/ingest/source/block_feed.h"

#include <gtest/gtest.h>

#include "tests/unit/ingest/ingest_fixture.h"

namespace tarn {
namespace {

class BlockFeedTest : public testing::IngestFixture {
 protected:
  std::vector<std::string> Feed(FeedOptions options = {}) {
    pipeline.paths = {folder.path() + "/*"};
    files = *FindSourceFiles(*local, pipeline);
    BlockFeed feed(stand.runtime, *local, stand.file_formats, files, options);
    std::vector<std::string> texts;
    for (;;) {
      auto item = feed.Next();
      if (!item.ok()) return {"error: " + item.error().message.substr(folder.path().size() + 1)};
      if (!*item) return texts;
      texts.push_back(std::to_string((*item)->file) + ":" + std::string((*item)->text()));
      feed.Recycle(std::move((*item)->block));
    }
  }
  std::unique_ptr<Storage> local = *MakeLocalStorage("/", CreateRoot::kNo);
  std::vector<SourceFile> files;
};

using Texts = std::vector<std::string>;

TEST_F(BlockFeedTest, GoesThroughFilesInOrder) {
  Put("a.jsonl", "{}\n{}\n");
  Put("b.csv", "id\n1\n");
  Put("c.jsonl", "");
  EXPECT_EQ(Feed(), (Texts{"0:{}\n{}\n", "1:1\n"}));
  EXPECT_EQ(Feed({.block_bytes = 3}), (Texts{"0:{}\n", "0:{}\n", "1:", "1:1\n"}));
  EXPECT_EQ(Feed({.csv_header = false}), (Texts{"0:{}\n{}\n", "1:id\n1\n"}));
}

TEST_F(BlockFeedTest, NamesTheFileThatIsBroken) {
  Put("a.jsonl.gz", "no gzip");
  EXPECT_EQ(Feed(), Texts{"error: a.jsonl.gz: gzip: incorrect header check"});
}

TEST_F(BlockFeedTest, NoticesAChangeWhileReading) {
  Put("a.jsonl", "{}\n");
  pipeline.paths = {folder.path() + "/a.jsonl"};
  ASSERT_OK_AND_ASSIGN(files, FindSourceFiles(*local, pipeline));
  BlockFeed feed(stand.runtime, *local, stand.file_formats, files, {});
  ASSERT_OK(feed.Next());
  Put("a.jsonl", "{}\n{}\n");
  EXPECT_ERROR(feed.Next(), ErrorCode::kInvalid);
}

TEST_F(BlockFeedTest, BlocksFitTheMemory) {
  MemoryBudget small(int64_t{128} << 20), large(int64_t{16} << 30);
  Runtime& all = stand.runtime;
  Runtime little{all.clock,   all.random, all.executor,    all.log,
                 all.metrics, small,      all.cancellation};
  Runtime much{all.clock, all.random, all.executor, all.log, all.metrics, large, all.cancellation};
  EXPECT_EQ(FeedOptionsFor(little, pipeline).block_bytes, size_t{512} << 10);
  EXPECT_EQ(FeedOptionsFor(much, pipeline).block_bytes, size_t{4} << 20);
}

}  // namespace
}  // namespace tarn
