#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/cli/cli_fixture.h"

namespace tarn::cli {
namespace {

using testing::Outcome;
using testing::RunTest;
using testing::Tarn;

class LineageCommandTest : public RunTest {
 protected:
  std::string File(const std::string& name, const std::string& text) {
    const std::string file = folder_.path() + "/" + name;
    std::ofstream(file) << text;
    return file;
  }
};

TEST_F(LineageCommandTest, OfAFileWithASchema) {
  const std::string script = File("job.sql", "insert into d.r select a, b from s");
  const std::string schema = File("schema.json", R"({"ods.s": ["a", "b"], "d.r": ["x", "y"]})");
  const Outcome outcome = Tarn({"lineage", script, "--schema", schema, "--dialect", "hive",
                                "--default-db", "ods", "--format", "json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\"d.r.x\""), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\"ods.s.a\""), std::string::npos);
}

TEST_F(LineageCommandTest, OfTheLakesTables) {
  Load();
  const std::string script = File("job.sql", "select * from default.events");
  const Outcome outcome = Tarn({"lineage", script, "--lake", lake_, "--dialect", "duckdb"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("default.events.id"), std::string::npos) << outcome.out;
}

TEST_F(LineageCommandTest, Variables) {
  const std::string script = File("job.sql", "select a from ${env}.t");
  const Outcome outcome = Tarn({"lineage", script, "--dialect", "hive", "--var", "env=prod"});
  EXPECT_NE(outcome.out.find("prod.t"), std::string::npos) << outcome.out;
  EXPECT_EQ(Tarn({"lineage", script, "--var", "=x"}).code, 1);
}

TEST_F(LineageCommandTest, OfAFolder) {
  const std::string models = folder_.path() + "/models";
  std::filesystem::create_directories(models + "/marts");
  std::filesystem::create_directories(models + "/.git");
  File("models/marts/b.sql", "select * from {{ ref('a') }}");
  File("models/a.hql", "select 1 as one");
  File("models/readme.md", "not SQL");
  File("models/.git/c.sql", "select 2 as two");
  const Outcome outcome = Tarn({"lineage", models, File("last.sql", "select one from b")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("a.hql\nline 1: create view → a"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("← a.one  IDENTITY"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("last.sql\nline 1: create view → last"), std::string::npos);
  EXPECT_EQ(outcome.out.find("two"), std::string::npos) << outcome.out;
}

TEST_F(LineageCommandTest, AFolderWithoutScriptsIsAnError) {
  const std::string empty = folder_.path() + "/empty";
  std::filesystem::create_directories(empty);
  const Outcome outcome = Tarn({"lineage", empty});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("no *.sql and no *.hql in"), std::string::npos) << outcome.err;
}

TEST_F(LineageCommandTest, Refusals) {
  const std::string script = File("job.sql", "select 1");
  EXPECT_EQ(Tarn({"lineage"}).code, 2);
  EXPECT_EQ(Tarn({"lineage", script, "--format", "poster"}).code, 2);
  EXPECT_EQ(Tarn({"lineage", script, "--dialect", "klingon"}).code, 2);
  EXPECT_EQ(Tarn({"lineage", folder_.path() + "/none.sql"}).code, 1);
  EXPECT_EQ(Tarn({"lineage", script, "--schema", folder_.path() + "/none.json"}).code, 1);
}

}  // namespace
}  // namespace tarn::cli
