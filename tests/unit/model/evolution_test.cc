#include "tarn/model/evolution.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

Schema Parsed(const char* ddl) { return AssignFreshIds(*ParseColumns(ddl)); }
Field Column(const char* name, const char* type) {
  return {.name = name, .type = *ParseType(type)};
}

ErrorCode CodeOf(const Schema& schema, SchemaChange change) {
  Result<Schema> evolved = Evolve(schema, {std::move(change)});
  EXPECT_FALSE(evolved.ok());
  return evolved.ok() ? ErrorCode::kInternal : evolved.error().code;
}

TEST(EvolutionTest, ADroppedIdIsNeverUsedAgain) {
  Schema schema = Parsed("id int, tag string");
  schema = *Evolve(schema, {DropColumn{"tag"}, AddColumn{"", Column("tag", "string")}});
  EXPECT_EQ(schema.FindByPath("tag")->id, 3);
  schema = *Evolve(schema, {DropColumn{"tag"}});
  EXPECT_EQ(schema.last_column_id, 3);
  EXPECT_EQ(Evolve(schema, {AddColumn{"", Column("x", "list<int>")}})->FindByPath("x.element")->id,
            5);
}

TEST(EvolutionTest, RenameKeepsTheIdAndTheNameInFiles) {
  Schema schema = Parsed("id int, s struct<a: int, b: int>");
  schema = *Evolve(schema,
                   {RenameColumn{"s.a", "c"}, RenameColumn{"s.c", "d"}, RenameColumn{"id", "key"}});
  EXPECT_EQ(schema.FindByPath("s.d")->file_name(), "a");
  EXPECT_EQ(schema.FindByPath("key")->id, 1);
  // Swapping only the case of a name is a rename, not a collision with itself.
  EXPECT_TRUE(Evolve(schema, {RenameColumn{"key", "KEY"}}).ok());
  EXPECT_EQ(CodeOf(schema, RenameColumn{"s.d", "B"}), ErrorCode::kAlreadyExists);
}

TEST(EvolutionTest, PlacesAndMoves) {
  Schema schema = Parsed("a int, b int, c int");
  schema = *Evolve(schema, {AddColumn{"", Column("x", "int"), {.after = "a"}},
                            MoveColumn{"c", {.first = true}}});
  std::string order;
  for (const Field& field : schema.fields) order += field.name;
  EXPECT_EQ(order, "caxb");
  EXPECT_EQ(CodeOf(schema, MoveColumn{"a", {.after = "zz"}}), ErrorCode::kNotFound);
}

TEST(EvolutionTest, NestedAdditionsGoIntoElementsAndValues) {
  Schema schema = Parsed("l list<struct<a: int>>, m map<string, struct<b: int>>");
  schema = *Evolve(schema,
                   {AddColumn{"l", Column("x", "int")}, AddColumn{"m.value", Column("y", "int")}});
  EXPECT_NE(schema.FindByPath("l.element.x"), nullptr);
  EXPECT_NE(schema.FindByPath("m.value.y"), nullptr);
  EXPECT_EQ(CodeOf(schema, AddColumn{"l.element.a", Column("z", "int")}), ErrorCode::kInvalid);
}

TEST(EvolutionTest, WhatCannotBe) {
  const Schema schema = Parsed("id int not null, m map<string, int>, s struct<only: int>");
  Field required = Column("r", "int");
  required.required = true;
  EXPECT_EQ(CodeOf(schema, AddColumn{"", required}), ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf(schema, AddColumn{"", Column("ID", "int")}), ErrorCode::kAlreadyExists);
  EXPECT_EQ(CodeOf(schema, DropColumn{"m.key"}), ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf(schema, DropColumn{"s.only"}), ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf(schema, DropColumn{"nope"}), ErrorCode::kNotFound);
  EXPECT_EQ(CodeOf(schema, WidenColumn{"id", Type::Of(TypeKind::kInt16)}), ErrorCode::kInvalid);
  EXPECT_EQ(CodeOf(schema, MakeOptional{"m.key"}), ErrorCode::kInvalid);
  EXPECT_TRUE(Evolve(schema, {MakeOptional{"id"}}).ok());
}

TEST(EvolutionTest, WideningTable) {
  const auto can = [](const char* from, const char* to) {
    return CanWiden(*ParseType(from), *ParseType(to));
  };
  EXPECT_TRUE(can("int8", "int64"));
  EXPECT_TRUE(can("int32", "double"));
  EXPECT_FALSE(can("int64", "double"));  // 2^53 + 1
  EXPECT_FALSE(can("int32", "float"));
  EXPECT_TRUE(can("float", "double"));
  EXPECT_TRUE(can("int32", "decimal(10,0)"));
  EXPECT_FALSE(can("int32", "decimal(10,1)"));
  EXPECT_TRUE(can("decimal(9,2)", "decimal(11,4)"));
  EXPECT_FALSE(can("decimal(9,2)", "decimal(9,4)"));
  EXPECT_TRUE(can("date", "timestamp_ntz"));
  EXPECT_FALSE(can("date", "timestamp"));
  EXPECT_TRUE(can("list<int>", "list<bigint>"));
  EXPECT_FALSE(can("string", "binary"));
}

TEST(EvolutionTest, ChangesToAcceptNewColumnsAtEveryDepth) {
  const Schema current = Parsed("Id bigint, s struct<a: int>, l list<struct<p: int>>");
  const Schema incoming = *ParseColumns(
      "id int, s struct<a: bigint, b: string>, l list<struct<p: int, q: int>>, extra int");
  const std::vector<SchemaChange> changes = *ChangesToAccept(current, incoming);
  const Schema evolved = *Evolve(current, changes);
  EXPECT_EQ(SchemaToDdl(evolved),
            "Id: int64, s: struct<a: int64, b: string>, l: list<struct<p: int32, q: int32>>, "
            "extra: int32");
}

TEST(EvolutionTest, ValuesThatDoNotFitAreNamed) {
  const Schema current = Parsed("v bigint");
  Result<std::vector<SchemaChange>> changes = ChangesToAccept(current, *ParseColumns("v string"));
  ASSERT_FALSE(changes.ok());
  EXPECT_EQ(changes.error().message, "column 'v': expected int64, got string");
}

}  // namespace
}  // namespace tarn
