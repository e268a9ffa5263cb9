#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {
namespace {

constexpr KeywordSet kObjectAdjectives = {"MATERIALIZED", "TEMPORARY", "TEMP",      "GLOBAL",
                                          "EXTERNAL",     "FOREIGN",   "STREAMING", "MANAGED"};

}  // namespace

// TABLE, MATERIALIZED VIEW, TEMPORARY FUNCTION, …: as many words as the kind of an object has.
std::string_view Parser::TakeObjectKind() {
  const size_t from = at_;
  while (LooksAtAny(kObjectAdjectives) && Peek(1).kind == TokenKind::kWord) Skip();
  if (Peek().kind != TokenKind::kWord) {
    Fail("TABLE, VIEW or another object");
    return {};
  }
  Skip();
  return WordsFrom(from);
}

const Node* Parser::ParseAlter() {
  const Level level(*this);
  const uint32_t begin = Here();
  auto* const alter = New<Alter>();
  Expect("ALTER");
  alter->object = TakeObjectKind();
  alter->if_exists = AcceptIfExists();
  if (LooksAt("ONLY") && AtIdentifier(1)) Skip();
  alter->name = ParseName("a name");
  if (LooksAt("PARTITION", "(")) {
    Skip();
    alter->partitions = ParsePartition();
  }
  NodeCollector<AlterAction> actions(*this);
  do {
    actions.Add(ParseAlterAction(alter->object));
  } while (Accept(","));
  alter->actions = actions.Take();
  return Finish(alter, begin);
}

const AlterAction* Parser::ParseAlterAction(std::string_view object) {
  const uint32_t begin = Here();
  auto* const action = New<AlterAction>();
  switch (Peek().keyword) {
    case K("RENAME"):
      ParseRenameAction(*action);
      break;
    case K("ADD"):
      ParseAddAction(*action);
      break;
    case K("DROP"):
      ParseDropAction(*action);
      break;
    case K("CHANGE"):
    case K("ALTER"):
    case K("MODIFY"):
      ParseChangeAction(*action);
      break;
    case K("REPLACE"):
      if (LooksAt("REPLACE", "COLUMNS")) {
        action->what = AlterAction::What::kReplaceColumns;
        action->words = "REPLACE COLUMNS";
        Skip(2);
        ParseColumnList(*action);
      }
      break;
    case K("EXCHANGE"):
      if (!LooksAt("EXCHANGE", "PARTITION")) break;
      action->what = AlterAction::What::kExchangePartition;
      action->words = "EXCHANGE PARTITION";
      Skip();
      action->partitions = ParsePartitionSpecs();
      Expect("WITH", "TABLE");
      action->name = ParseName("a table");
      break;
    case K("SWAP"):
      if (!LooksAt("SWAP", "WITH")) break;
      Skip(2);
      action->what = AlterAction::What::kSwapWith;
      action->words = "SWAP WITH";
      action->name = ParseName("a table");
      break;
    case K("SET"):
      if (Accept("SET", "LOCATION")) {
        action->what = AlterAction::What::kSetLocation;
        action->words = "SET LOCATION";
        action->location = ParseString("a path");
      } else if (LooksAt("SET", "SCHEMA") && AtIdentifier(2)) {
        Skip(2);
        action->what = AlterAction::What::kSetSchema;
        action->words = "SET SCHEMA";
        action->name = ParseName("a schema");
      }
      break;
    case K("AS"):
    case K("SELECT"):
      if (object.ends_with("VIEW")) {
        Accept("AS");
        action->what = AlterAction::What::kSetQuery;
        action->words = "AS";
        action->query = ParseQuery();
      }
      break;
    default:
      break;
  }
  if (action->what == AlterAction::What::kOther) {
    if (AtEnd() || LooksAt(";")) Fail("what to alter");
    // A comma may be part of what nobody takes apart.
    action->tokens = TakeTokens();
  } else if (!AtEnd() && !LooksAt(";") && !LooksAt(",")) {
    action->tokens = TakeTokensUntil([&] { return LooksAt(","); });
  }
  return Finish(action, begin);
}

// RENAME TO t · RENAME COLUMN a TO b · RENAME a TO b
void Parser::ParseRenameAction(AlterAction& action) {
  Expect("RENAME");
  if (Accept("TO")) {
    if (LooksAt("PARTITION", "(")) {
      Skip();
      action.what = AlterAction::What::kRenamePartition;
      action.words = "RENAME TO PARTITION";
      action.new_partitions = ParsePartition();
      return;
    }
    action.what = AlterAction::What::kRenameTable;
    action.words = "RENAME TO";
    action.name = ParseName("a new name");
    return;
  }
  action.words = "RENAME";
  if (LooksAt("COLUMN") && Peek(1).keyword != K("TO")) {
    Skip();
    action.words = "RENAME COLUMN";
  }
  action.if_exists = AcceptIfExists();
  action.what = AlterAction::What::kRenameColumn;
  action.column_names = OneOf(ParseAnyName("a column"));
  Expect("TO");
  action.new_column = ParseAnyName("a column");
}

void Parser::ParseColumnList(AlterAction& action) {
  if (LooksAt("(")) {
    action.parenthesized = true;
    action.columns = ParseColumnDefinitions();
    return;
  }
  NodeCollector<ColumnDefinition> columns(*this);
  do {
    columns.Add(ParseColumnDefinition());
    // A comma may go on with the next action.
  } while (LooksAt(",") && action.words == "ADD COLUMNS" && Accept(","));
  action.columns = columns.Take();
}

void Parser::ParseAddAction(AlterAction& action) {
  const size_t from = at_;
  Expect("ADD");
  if (LooksAt("COLUMN") || LooksAt("COLUMNS")) {
    Skip();
    action.words = WordsFrom(from);
    action.what = AlterAction::What::kAddColumns;
    action.if_exists = AcceptIfNotExists();
    ParseColumnList(action);
    return;
  }
  if (LooksAt("PARTITION", "(") ||
      (LooksAt("IF", "NOT", "EXISTS") && Peek(3).keyword == K("PARTITION"))) {
    action.what = AlterAction::What::kAddPartitions;
    action.words = "ADD";
    action.if_exists = AcceptIfNotExists();
    action.partitions = ParsePartitionSpecs();
    return;
  }
  static constexpr KeywordSet kNoColumns = {"CONSTRAINT", "PRIMARY",   "FOREIGN", "UNIQUE",
                                            "CHECK",      "PARTITION", "JAR",     "FILE"};
  if (LooksAt("(") || (AtIdentifier() && !LooksAtAny(kNoColumns))) {
    action.what = AlterAction::What::kAddColumns;
    action.words = "ADD";
    action.if_exists = AcceptIfNotExists();
    ParseColumnList(action);
    return;
  }
  at_ = from;  // constraints and the like stay tokens
}

void Parser::ParseDropAction(AlterAction& action) {
  const size_t from = at_;
  Expect("DROP");
  if (LooksAt("PARTITION", "(") || (LooksAt("IF", "EXISTS") && Peek(2).keyword == K("PARTITION"))) {
    action.what = AlterAction::What::kDropPartitions;
    action.words = "DROP";
    action.if_exists = AcceptIfExists();
    action.partitions = ParsePartitionSpecs();
    return;
  }
  if (!LooksAt("COLUMN") && !LooksAt("COLUMNS")) {
    at_ = from;
    return;
  }
  Skip();
  action.words = WordsFrom(from);
  action.what = AlterAction::What::kDropColumns;
  action.if_exists = AcceptIfExists();
  action.parenthesized = LooksAt("(");
  if (action.parenthesized) {
    action.column_names = ParseNamesInBrackets("a column");
  } else if (action.words == "DROP COLUMNS") {
    action.column_names = ParseNames("a column");
  } else {
    action.column_names = OneOf(ParseAnyName("a column"));
  }
}

// CHANGE [COLUMN] a b INT …, ALTER [COLUMN] a TYPE INT …
void Parser::ParseChangeAction(AlterAction& action) {
  const size_t from = at_;
  const bool change = LooksAt("CHANGE");
  Skip();
  Accept("COLUMN");
  action.words = WordsFrom(from);
  action.column_names = OneOf(ParseAnyName("a column"));
  static constexpr KeywordSet kNotNewNames = {"TYPE",  "COMMENT", "SET", "DROP",
                                              "FIRST", "AFTER",   "SYNC"};
  if (change && !LooksAtAny(kNotNewNames) && Peek().kind != TokenKind::kEnd) {
    action.what = AlterAction::What::kChangeColumn;
    action.columns = OneOf(ParseColumnDefinition());
    return;
  }
  action.what = AlterAction::What::kAlterColumn;
  const size_t type = at_;
  if (Accept("TYPE") || Accept("SET", "DATA", "TYPE")) {
    action.type_words = WordsFrom(type);
    action.type = ParseType();
  }
}

// PARTITION (…) LOCATION '…' PARTITION (…), and with commas between them.
List<const Node*> Parser::ParsePartitionSpecs() {
  NodeCollector<Node> specs(*this);
  do {
    const uint32_t begin = Here();
    Expect("PARTITION");
    auto* const spec = New<PartitionSpec>();
    spec->items = ParsePartition();
    if (Accept("LOCATION")) spec->location = ParseString("a path");
    specs.Add(Finish(spec, begin));
  } while (LooksAt("PARTITION", "(") || (LooksAt(",", "PARTITION") && Accept(",")));
  return specs.Take();
}

const Node* Parser::ParseDrop() {
  const uint32_t begin = Here();
  auto* const drop = New<Drop>();
  Expect("DROP");
  drop->object = TakeObjectKind();
  drop->if_exists = AcceptIfExists();
  if (AtIdentifier() || Peek().kind == TokenKind::kString) {
    drop->names = ParseNames("a name");
  } else {
    Fail("a name");
  }
  drop->tail = TakeTokens();
  return Finish(drop, begin);
}

}  // namespace tarn::sql::tree
