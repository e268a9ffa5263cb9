#include "tarn/ingest/transform/naming.h"

#include <clocale>

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using testing::Lines;

TEST(SnakeCaseTest, FollowsTheRules) {
  EXPECT_EQ(SnakeCase("userID"), "user_id");
  EXPECT_EQ(SnakeCase("user_id"), "user_id");
  EXPECT_EQ(SnakeCase("UserId"), "user_id");
  EXPECT_EQ(SnakeCase("user.id"), "user_id");
  EXPECT_EQ(SnakeCase("HTTPServerURL"), "http_server_url");
  EXPECT_EQ(SnakeCase("größeÄnderung"), "größe_änderung");
  EXPECT_EQ(SnakeCase("İstanbul"), "i\xCC\x87stanbul");
  EXPECT_EQ(SnakeCase("v2Beta3X"), "v2_beta3_x");
  EXPECT_EQ(SnakeCase("ΑΒΓδ"), "αβ_γδ");
  EXPECT_EQ(SnakeCase("two words-x"), "two_words_x");
  EXPECT_EQ(SnakeCase(""), "");
}

class NamingTest : public testing::TransformFixture {
 protected:
  // S11.
  static Schema Colliding() {
    Schema schema =
        *ParseColumns("a bigint, user_id bigint, b bigint, user struct<id: bigint>, c bigint");
    schema.fields[0].name = "userID";
    schema.fields[2].name = "UserId";
    schema.fields[4].name = "user.id";
    return schema;
  }
};

TEST_F(NamingTest, FlattensAndKeepsNulls) {
  EXPECT_EQ(
      Run("Id bigint, o struct<aB: bigint, in: struct<c: string>>, l array<struct<xY: bigint>>",
          R"([[1,{"aB":2,"in":{"c":"z"}},[{"xY":1}]],[2,null,null],[3,{"aB":null,"in":null},[]]])",
          {{.kind = "flatten"}, {.kind = "snake_case"}})[0],
      "id: int64, o_a_b: int64, o_in_c: string, l: list<struct<x_y: int64>>");
  const Lines lines = Run("o struct<a: bigint, p: struct<q: bigint>>",
                          R"([[{"a":2,"p":{"q":3}}],[null],[{"a":null,"p":null}]])",
                          {{.kind = "flatten", .options = {{"separator", "__"}}}});
  EXPECT_EQ(lines, (Lines{"o__a: int64, o__p__q: int64", "2|3", "NULL|NULL", "NULL|NULL"}));
}

TEST_F(NamingTest, ClashesListAllTheirSources) {
  for (const char* locale : {"C", "tr_TR.UTF-8"}) {
    std::setlocale(LC_ALL, locale);
    EXPECT_EQ(
        Run(Colliding(), "[]", {{.kind = "snake_case"}, {.kind = "flatten"}}),
        Lines{"error: flatten: these become one column 'user_id': $.userID, $.user_id, "
              "$.UserId, $.user.id, $['user.id']; rename all but one before this step, or say "
              "'collisions: suffix'"});
  }
  std::setlocale(LC_ALL, "C");
}

TEST_F(NamingTest, SuffixesAreTheSameInEveryRun) {
  const std::vector<TransformStep> steps = {
      {.kind = "flatten", .options = {{"collisions", "suffix"}}}, {.kind = "snake_case"}};
  const Lines first = Run(Colliding(), R"([[1,2,3,{"id":4},5]])", steps);
  EXPECT_EQ(first[1], "1|2|3|4|5");
  EXPECT_NE(first[0].find(", user_id: int64, "), std::string::npos) << first[0];
  EXPECT_EQ(Run(Colliding(), R"([[1,2,3,{"id":4},5]])", steps), first);
}

TEST_F(NamingTest, MembersClashAtAnyDepth) {
  EXPECT_EQ(
      Run("o struct<aB: bigint, a_b: bigint>", "[]", {{.kind = "snake_case"}}),
      Lines{"error: snake_case: these become one column 'a_b': $.o.aB, $.o.a_b; rename all but "
            "one before this step, or say 'collisions: suffix'"});
  EXPECT_EQ(Run("a bigint", "[]", {{.kind = "flatten", .options = {{"colisions", "suffix"}}}}),
            Lines{"error: flatten: no option 'colisions'; did you mean 'collisions'?"});
}

}  // namespace
}  // namespace tarn
