#include "tarn/datafile/avro_header.h"

#include <gtest/gtest.h>

#include "tests/support/avro_bytes.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::AvroHeaderBytes;
using testing::AvroLong;
using testing::AvroText;
using testing::kAvroSync;

Result<std::shared_ptr<const AvroHeader>> Read(const std::string& bytes) {
  return ReadAvroHeader(testing::BytesObject(bytes), "f.avro");
}

TEST(AvroHeaderTest, KeepsMetadataInOrder) {
  // Two blocks of the map, one with a count below zero and its size.
  const std::string second = AvroText("b") + AvroText("2") + AvroText("avro.codec") +
                             AvroText("snappy") + AvroText("avro.schema") + AvroText("\"int\"");
  const std::string bytes = "Obj\x01" + AvroLong(1) + AvroText("z") + AvroText("") + AvroLong(-3) +
                            AvroLong(static_cast<int64_t>(second.size())) + second + AvroLong(0) +
                            std::string(kAvroSync);
  ASSERT_OK_AND_ASSIGN(const auto header, Read(bytes + "blocks"));
  ASSERT_EQ(header->metadata.size(), 4U);
  EXPECT_EQ(header->metadata[0].first, "z");
  EXPECT_EQ(header->metadata[1].first, "b");
  EXPECT_EQ(*header->Find("b"), "2");
  EXPECT_EQ(header->Find("c"), nullptr);
  EXPECT_EQ(header->codec, AvroCodec::kSnappy);
  EXPECT_EQ(header->schema->kind, AvroKind::kInt);
  EXPECT_EQ(header->sync, kAvroSync);
  EXPECT_EQ(header->data_offset, static_cast<int64_t>(bytes.size()));
}

TEST(AvroHeaderTest, MayBeLong) {
  const std::string schema = R"({"type":"int","doc":")" + std::string(400'000, 'x') + "\"}";
  ASSERT_OK_AND_ASSIGN(const auto header, Read(AvroHeaderBytes(schema)));
  EXPECT_EQ(*header->Find("avro.schema"), schema);
}

TEST(AvroHeaderTest, SaysWhatIsWrong) {
  const auto refusal = [](const std::string& bytes) {
    const auto header = Read(bytes);
    return header.ok()
               ? "read"
               : std::string(ErrorCodeName(header.error().code)) + ": " + header.error().message;
  };
  EXPECT_EQ(refusal("PAR1 and more"),
            "corrupt: avro: f.avro: no Avro file: it does not begin with 'Obj' and 1");
  EXPECT_EQ(refusal(""), "corrupt: avro: f.avro: no Avro file: it does not begin with 'Obj' and 1");
  const std::string whole = AvroHeaderBytes("\"int\"");
  for (size_t cut = 4; cut < whole.size(); ++cut) {
    EXPECT_EQ(refusal(whole.substr(0, cut)),
              "corrupt: avro: f.avro: the header does not end before the file does, at " +
                  std::to_string(cut));
  }
  EXPECT_EQ(refusal("Obj\x01" + AvroLong(1) + AvroLong(-5)),
            "corrupt: avro: f.avro: the header breaks its format at 6");
  EXPECT_EQ(refusal("Obj\x01" + AvroLong(0) + std::string(kAvroSync)),
            "corrupt: avro: f.avro: the header has no 'avro.schema'");
  EXPECT_EQ(refusal(AvroHeaderBytes("\"int\"", "bzip2")),
            "unsupported: avro: f.avro: codec 'bzip2'; known: null, deflate, snappy, zstandard");
  EXPECT_EQ(refusal(AvroHeaderBytes("\"integer\"")),
            "corrupt: avro: f.avro: avro: schema: no type 'integer'");
}

}  // namespace
}  // namespace tarn
