#include "tarn/format/delta/dropped_columns.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

Field Member(int32_t id, std::string name, Type type) {
  Field field;
  field.id = id;
  field.name = std::move(name);
  field.type = std::move(type);
  return field;
}

DroppedColumn Nested() {
  Field field =
      Member(4, "s",
             Type::Struct(
                 {Member(5, "x", Type::Of(TypeKind::kInt64)),
                  Member(6, "l", Type::List(Member(7, "element", Type::Of(TypeKind::kString))))}));
  field.source_name = "col-1";
  field.doc = "a struct";
  return {"s", field};
}

TEST(DroppedColumns, KeepIdsAndPhysicalNamesAtEveryDepth) {
  const std::vector<DroppedColumn> columns = {Nested(),
                                              {"a.b", Member(9, "b", Type::Decimal(10, 2))}};
  ASSERT_OK_AND_ASSIGN(const std::string property, DroppedColumnsToProperty(columns));
  ASSERT_OK_AND_ASSIGN(const auto read,
                       DroppedColumnsOf({{std::string(kDroppedColumnsProperty), property}}));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].path, "s");
  EXPECT_EQ(read[0].field, columns[0].field);
  EXPECT_EQ(read[1].path, "a.b");
  EXPECT_EQ(read[1].field, columns[1].field);
}

TEST(DroppedColumns, AreBoundedAndForgetTheOldest) {
  std::vector<DroppedColumn> columns;
  for (int i = 1; i <= 2000; ++i) {
    columns.push_back(
        {"c" + std::to_string(i), Member(i, "c" + std::to_string(i), Type::Of(TypeKind::kInt32))});
  }
  ASSERT_OK_AND_ASSIGN(const std::string property, DroppedColumnsToProperty(columns));
  EXPECT_LE(property.size(), kDroppedColumnsBytesMax + 2);
  ASSERT_OK_AND_ASSIGN(const auto read,
                       DroppedColumnsOf({{std::string(kDroppedColumnsProperty), property}}));
  EXPECT_LT(read.size(), 2000u);
  EXPECT_EQ(read.back().path, "c2000");
}

TEST(DroppedColumns, NamesABrokenProperty) {
  for (const char* text : {"{", "{}", "[1]", R"([{"path":"a"}])", R"([{"path":"a","field":3}])"}) {
    EXPECT_ERROR(DroppedColumnsOf({{std::string(kDroppedColumnsProperty), text}}),
                 ErrorCode::kCorrupt);
  }
  EXPECT_OK(DroppedColumnsOf({}));
}

TableMetadata TableWith(const std::vector<DroppedColumn>& dropped) {
  TableMetadata metadata;
  metadata.schema.fields = {
      Member(1, "id", Type::Of(TypeKind::kInt64)),
      Member(2, "a", Type::Struct({Member(3, "x", Type::Of(TypeKind::kDate))}))};
  metadata.schema.last_column_id = 20;
  metadata.properties[std::string(kDroppedColumnsProperty)] = *DroppedColumnsToProperty(dropped);
  return metadata;
}

TEST(UndropColumn, PutsAColumnBackIntoItsStruct) {
  ASSERT_OK_AND_ASSIGN(
      const TableMetadata table,
      UndropColumn(TableWith({{"a.b", Member(9, "b", Type::Of(TypeKind::kString))}}), "a.b",
                   std::nullopt, ""));
  const Field* back = table.schema.FindByPath("a.b");
  ASSERT_NE(back, nullptr);
  EXPECT_EQ(back->id, 9);
  EXPECT_FALSE(back->required);
}

TEST(UndropColumn, TakesTheLastOfAPathUnlessAnIdSaysWhich) {
  const TableMetadata table = TableWith({{"tag", Member(5, "tag", Type::Of(TypeKind::kString))},
                                         {"tag", Member(8, "tag", Type::Of(TypeKind::kInt32))}});
  ASSERT_OK_AND_ASSIGN(const TableMetadata last, UndropColumn(table, "TAG", std::nullopt, ""));
  EXPECT_EQ(last.schema.FindByPath("tag")->id, 8);
  ASSERT_OK_AND_ASSIGN(const TableMetadata first, UndropColumn(table, "tag", 5, "old"));
  EXPECT_EQ(first.schema.FindByPath("old")->id, 5);
  EXPECT_EQ(first.schema.FindByPath("old")->source_name, "tag");
}

TEST(UndropColumn, SaysWhatIsWrong) {
  const TableMetadata table = TableWith({{"gone.b", Member(9, "b", Type::Of(TypeKind::kString))},
                                         {"id", Member(7, "id", Type::Of(TypeKind::kString))}});
  EXPECT_ERROR(UndropColumn(table, "never", std::nullopt, ""), ErrorCode::kNotFound);
  EXPECT_ERROR(UndropColumn(table, "gone.b", std::nullopt, ""), ErrorCode::kNotFound);
  EXPECT_ERROR(UndropColumn(table, "id", std::nullopt, ""), ErrorCode::kAlreadyExists);
}

}  // namespace
}  // namespace tarn::delta
