#include "tarn/lineage/commit_lineage.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tarn/lineage/analyze.h"
#include "tarn/sql/dialect.h"
#include "tests/support/matchers.h"

namespace tarn::lineage {
namespace {

using Flow = CommitLineage::Flow;
constexpr uint32_t kEvery = CommitLineage::kEveryOutput;

CommitLineage Sample() {
  return {.operation = "insert overwrite",
          .replaces = true,
          .sources = {{"sales.orders", "id-1", "7"}, {"path:/in/*.jsonl"}},
          .inputs = {{0, "amount", 3}, {0, "day", 2}, {1, "geo.lat"}},
          .outputs = {{"total", 1}, {"lat"}},
          .flows = {{0, 0, EdgeKind::kAggregation},
                    {1, 2, EdgeKind::kTransformation, true},
                    {kEvery, 1, EdgeKind::kFilter}}};
}

CommitLineage Of(const std::string& sql) {
  const ScriptLineage script = Analyze(sql, sql::GenericDialect(), NoSchema());
  const StatementLineage& statement = script.statements.at(0);
  return CommitLineageOf(statement, statement.outputs.at(0));
}

TEST(CommitLineageTest, TextAndBack) {
  CommitLineage sample = Sample();
  SortFlows(sample);
  const std::string text = EncodeCommitLineage(sample);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  ASSERT_OK_AND_ASSIGN(const CommitLineage back, DecodeCommitLineage(text));
  EXPECT_EQ(back, sample);
}

TEST(CommitLineageTest, OfAStatement) {
  const CommitLineage lineage =
      Of("INSERT OVERWRITE d.r SELECT sum(o.amount) AS total, md5(o.who) AS who FROM d.o AS o "
         "WHERE o.day > 3 AND o.day < 9 GROUP BY md5(o.who)");
  EXPECT_EQ(lineage.operation, "insert overwrite");
  EXPECT_EQ(lineage.sources, (std::vector<CommitLineage::Source>{{"d.o"}}));
  EXPECT_EQ(lineage.outputs, (std::vector<CommitLineage::Output>{{"total"}, {"who"}}));
  const auto named = [&](const Flow& flow) {
    return (flow.output == kEvery ? "*" : lineage.outputs[flow.output].column) + "<-" +
           lineage.inputs[flow.input].column + " " + std::string(EdgeKindName(flow.kind)) +
           (flow.masking ? " masked" : "");
  };
  std::vector<std::string> flows;
  for (const Flow& flow : lineage.flows) flows.push_back(named(flow));
  // `day` is compared twice and told once.
  EXPECT_EQ(flows,
            (std::vector<std::string>{"who<-who TRANSFORMATION masked", "total<-amount AGGREGATION",
                                      "*<-who GROUP_BY", "*<-day FILTER"}));
}

TEST(CommitLineageTest, TheHashIsOfWhatWasDone) {
  CommitLineage later = Sample();
  later.sources[0].version = "8";
  later.sources[0].table_id = "id-2";
  later.outputs[0].field_id = 9;
  EXPECT_EQ(HashOf(later), HashOf(Sample()));
  EXPECT_EQ(HashOf(later).size(), 16U);
  CommitLineage other = Sample();
  other.flows[0].kind = EdgeKind::kIdentity;
  EXPECT_NE(HashOf(other), HashOf(Sample()));
  EXPECT_NE(EncodeCommitLineage(Sample()).find(HashOf(Sample())), std::string::npos);
}

TEST(CommitLineageTest, TooLongIsLeftOutWhole) {
  CommitLineage wide = Sample();
  while (EncodeCommitLineage(wide).size() + 200 < kCommitLineageBytesMax) {
    wide.outputs.push_back({std::string(100, 'c')});
    ASSERT_FALSE(EncodeCommitLineage(wide).empty());
  }
  EXPECT_OK(DecodeCommitLineage(EncodeCommitLineage(wide)));
  wide.outputs.push_back({std::string(300, 'c')});
  EXPECT_EQ(EncodeCommitLineage(wide), "");
}

TEST(CommitLineageTest, BytesThatAreNoUtf8) {
  CommitLineage odd = Sample();
  odd.inputs[0].column = "a\xff";
  ASSERT_OK_AND_ASSIGN(const CommitLineage back, DecodeCommitLineage(EncodeCommitLineage(odd)));
  EXPECT_EQ(back.inputs[0].column, "a\xEF\xBF\xBD");
}

TEST(CommitLineageTest, Refusals) {
  const std::string good = EncodeCommitLineage(Sample());
  const auto code = [](const std::string& text) { return DecodeCommitLineage(text).error().code; };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in " << text;
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(code(""), ErrorCode::kCorrupt);
  EXPECT_EQ(code("{}"), ErrorCode::kCorrupt);
  EXPECT_EQ(code("[1"), ErrorCode::kCorrupt);
  EXPECT_EQ(code(with("\"v\":1", "\"v\":2")), ErrorCode::kCorrupt);
  EXPECT_EQ(code(with("\"FILTER\"", "\"SIEVE\"")), ErrorCode::kCorrupt);
  EXPECT_EQ(code(with("[-1,1]", "[-2,1]")), ErrorCode::kCorrupt);
  EXPECT_EQ(code(with("[-1,1]", "[2,1]")), ErrorCode::kCorrupt);
  EXPECT_EQ(code(with("[-1,1]", "[-1,3]")), ErrorCode::kCorrupt);
  EXPECT_EQ(code(with("[1,\"geo.lat\"]", "[2,\"geo.lat\"]")), ErrorCode::kCorrupt);
  EXPECT_EQ(code(with("[1,\"geo.lat\"]", "\"geo.lat\"")), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn::lineage
