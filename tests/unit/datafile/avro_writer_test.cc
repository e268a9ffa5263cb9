#include "tarn/datafile/avro_writer.h"

#include <gtest/gtest.h>

#include "tarn/datafile/avro_reader.h"
#include "tarn/storage/memory.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/avro_bytes.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::AvroLong;
using testing::AvroText;
using testing::BatchOf;
using testing::Col;
using testing::RowsText;
using testing::SchemaOf;

const char* const kJson = R"({"type": "record", "name":"r", "fields":[{"name":"a","type":"int"}]})";

class AvroWriterTest : public ::testing::Test {
 protected:
  testing::FakeRuntime fake;
  const Schema schema = SchemaOf({Col(1, "a", "int")});
};

TEST_F(AvroWriterTest, TheHeaderAsItWasGiven) {
  ASSERT_OK_AND_ASSIGN(
      const Bytes bytes,
      WriteAvro({BatchOf(schema, "[[1],[2]]")}, *fake.random,
                {.schema_json = kJson, .codec = "null", .metadata = {{"z", "1"}, {"b", ""}}}));
  const std::string head = "Obj\x01" + AvroLong(4) + AvroText("z") + AvroText("1") + AvroText("b") +
                           AvroText("") + AvroText("avro.codec") + AvroText("null") +
                           AvroText("avro.schema") + AvroText(kJson) + AvroLong(0);
  ASSERT_EQ(bytes.substr(0, head.size()), head);
  const std::string sync = bytes.substr(head.size(), 16);
  EXPECT_EQ(bytes.substr(head.size() + 16),
            AvroLong(2) + AvroText(AvroLong(1) + AvroLong(2)) + sync);
}

TEST_F(AvroWriterTest, SyncMarkersDiffer) {
  const AvroWriteOptions options{.schema_json = kJson, .codec = "null", .metadata = {}};
  ASSERT_OK_AND_ASSIGN(const Bytes one, WriteAvro({}, *fake.random, options));
  ASSERT_OK_AND_ASSIGN(const Bytes two, WriteAvro({}, *fake.random, options));
  EXPECT_EQ(one.size(), two.size());
  EXPECT_NE(one, two);
}

TEST_F(AvroWriterTest, BlocksEndAtTheirSize) {
  const auto storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("f.avro");
  ASSERT_OK_AND_ASSIGN(auto object, storage->OpenWriter(path));
  ASSERT_OK_AND_ASSIGN(
      auto writer,
      MakeAvroWriter(std::move(object), *fake.random,
                     {.schema_json = kJson, .codec = "null", .metadata = {}, .block_bytes = 10}));
  const int64_t empty = writer->size_bytes();
  std::string rows = "[[1]";
  for (int i = 2; i <= 24; ++i) rows += ",[" + std::to_string(i) + "]";
  ASSERT_OK(writer->Write(*BatchOf(schema, rows + "]")));
  EXPECT_EQ(writer->buffered_bytes(), 4);  // 24 rows of a byte: two blocks of ten, and four
  EXPECT_EQ(writer->size_bytes(), empty + 2 * (2 + 10 + 16) + 4);
  ASSERT_OK_AND_ASSIGN(const ObjectInfo info, writer->Finish());
  EXPECT_EQ(writer->record_count(), 24);
  EXPECT_EQ(info.size_bytes, empty + 2 * (2 + 10 + 16) + 2 + 4 + 16);
  ASSERT_OK_AND_ASSIGN(auto reader, storage->OpenReader(path));
  ASSERT_OK_AND_ASSIGN(const AvroFile file, AvroFile::Open(std::move(reader), "f.avro"));
  ASSERT_OK_AND_ASSIGN(auto stream, file.Read(fake.runtime, {}));
  const auto read = RowsText(*stream);
  ASSERT_EQ(read.size(), 24U);
  EXPECT_EQ(read[0] + read[23], "124");
}

TEST_F(AvroWriterTest, RefusesBadOptions) {
  const auto refusal = [&](AvroWriteOptions options) {
    const auto bytes = WriteAvro({}, *fake.random, options);
    return bytes.ok()
               ? "written"
               : std::string(ErrorCodeName(bytes.error().code)) + ": " + bytes.error().message;
  };
  EXPECT_EQ(refusal({.schema_json = kJson, .codec = "bzip2", .metadata = {}}),
            "invalid: avro: codec 'bzip2'; known: null, deflate, snappy, zstandard");
  EXPECT_EQ(refusal({.schema_json = "\"int\"", .metadata = {}}),
            "invalid: avro: expected a record as schema, got int");
  EXPECT_EQ(refusal({.schema_json = "{", .metadata = {}}), "invalid: avro: schema: no JSON: {");
}

}  // namespace
}  // namespace tarn
