#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tarn/sql/dialect.h"
#include "tarn/sql/keyword.h"
#include "tarn/sql/parser.h"
#include "tarn/sql/places.h"
#include "tarn/sql/token.h"
#include "tarn/sql/tokenizer.h"
#include "tarn/sql/tree.h"

namespace tarn::sql::tree {

// One grammar for all dialects: recursive descent, with precedence climbing for expressions. Each
// ParseX reads an X at the cursor and gives its node, never null. The first thing that does not fit
// is recorded by Fail, which moves the cursor to the end: then nothing more is found, every loop
// ends, and the statement is dropped as a whole. So no method asks whether another one failed.
//
// The methods stand in files by what they read:
//   parse_script.cc       the statements of a text, one after another
//   parser_base.cc        tokens, names, lists of tokens, failing
//   expression_parser.cc  operators by precedence
//   primary_parser.cc     what stands between operators
//   call_parser.cc        functions and windows
//   type_name_parser.cc   types
//   query_parser.cc       WITH, set operations, SELECT
//   pipe_parser.cc        |> steps
//   relation_parser.cc    what stands after FROM
//   pivot_parser.cc       PIVOT, UNPIVOT, MATCH_RECOGNIZE
//   insert_parser.cc      INSERT and multi-insert
//   change_parser.cc      MERGE, UPDATE, DELETE, files in and out
//   create_parser.cc      CREATE
//   alter_parser.cc       ALTER, DROP
//   command_parser.cc     statements by their first word, and those of one line
//   script_parser.cc      BEGIN … END
class Parser {
 public:
  // Reads tokens of `text`; nodes go to `arena`. All of them outlive the parser; the arena and the
  // text also what it gives.
  Parser(std::string_view text, TokenizedScript& tokenized, const Dialect& dialect, Arena& arena);

  // Whether the cursor stands behind the last token.
  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }
  bool AcceptSemicolon() { return Accept(";"); }
  // The statement at the cursor, which is not at the end: read up to its semicolon or the end.
  // After an error the cursor stands at the semicolon after it.
  ParsedStatement ParseStatementWithRecovery();

 private:
  // ---- parser_base.cc: tokens.
  // Up to TokenizedScript::kPadding - 1 ahead.
  const Token& Peek(size_t ahead = 0) const { return tokens_[at_ + ahead]; }
  uint32_t Here() const { return Peek().span.begin; }
  void Skip(size_t count = 1) {
    for (; count > 0 && !AtEnd(); --count) ++at_;
  }
  bool LooksAt(Keyword word) const { return Peek().keyword == word.id; }
  bool LooksAt(Keyword first, Keyword second) const {
    return Peek().keyword == first.id && Peek(1).keyword == second.id;
  }
  bool LooksAt(Keyword first, Keyword second, Keyword third) const {
    return LooksAt(first, second) && Peek(2).keyword == third.id;
  }
  bool LooksAtAny(const KeywordSet& words, size_t ahead = 0) const {
    return words.Contains(Peek(ahead).keyword);
  }
  bool Accept(Keyword word) {
    if (!LooksAt(word)) return false;
    ++at_;
    return true;
  }
  bool Accept(Keyword first, Keyword second) {
    if (!LooksAt(first, second)) return false;
    at_ += 2;
    return true;
  }
  bool Accept(Keyword first, Keyword second, Keyword third) {
    if (!LooksAt(first, second, third)) return false;
    at_ += 3;
    return true;
  }
  // The text of the word taken (upper case), or empty.
  std::string_view AcceptAny(const KeywordSet& words) {
    if (!LooksAtAny(words) || Peek().keyword == 0) return {};
    return kKeywords[tokens_[at_++].keyword];
  }
  void Expect(Keyword word) {
    if (!Accept(word)) FailAt(word);
  }
  void Expect(Keyword first, Keyword second) {
    Expect(first);
    Expect(second);
  }
  void FailAt(Keyword word);
  // Records "expected `what`, found …" at the cursor and moves it to the end.
  void Fail(std::string_view what);
  bool failed() const { return error_.has_value(); }

  // Tokens [from, at_) as a list, and as one upper-case text with single spaces.
  Tokens TokensFrom(size_t from);
  std::string_view WordsFrom(size_t from);
  // Takes tokens up to the semicolon, or up to a token outside brackets for which `stop` holds.
  Tokens TakeTokens() {
    return TakeTokensUntil([] { return false; });
  }
  template <class Stop>
  Tokens TakeTokensUntil(Stop stop) {
    const size_t from = at_;
    while (!AtEnd() && !LooksAt(";") && !LooksAt(")") && !stop()) SkipBalanced();
    return TokensFrom(from);
  }
  // One token, or all from an opening bracket to its closing one.
  void SkipBalanced();
  // The position of the bracket that closes the one at `position`, or end_; and that after it.
  size_t ClosingBracket(size_t position) const;
  size_t AfterBracket(size_t position) const {
    return std::min(ClosingBracket(position) + 1, end_);
  }
  // "( … )" as tokens, if one stands here.
  Tokens TakeBracket();

  // ---- Names.
  bool AtIdentifier(size_t ahead = 0) const;  // a word that may be a name here, or a quoted one
  bool AtClause() const;  // a word that begins a clause or ends a relation or an item
  bool AtAlias() const { return AtIdentifier() && !AtClause(); }
  Identifier ParseIdentifier(std::string_view what = "a name");
  Identifier TakeIdentifier();                     // whatever token stands here
  Identifier ParseAnyWord(std::string_view what);  // an identifier or any word, reserved or not
  Name ParseName(std::string_view what = "a name");
  Name ParseAnyName(std::string_view what);
  // a, b; "(" a, b ")".
  List<Identifier> ParseIdentifiers(std::string_view what);
  List<Identifier> ParseIdentifiersInBrackets(std::string_view what);
  List<Name> ParseNames(std::string_view what);
  List<Name> ParseNamesInBrackets(std::string_view what);
  const Expression* ParseString(std::string_view what);  // a Literal or a Parameter
  bool AtString() const {
    return Peek().kind == TokenKind::kString || Peek().kind == TokenKind::kTemplate ||
           Peek().kind == TokenKind::kParameter;
  }

  // ---- Nodes.
  template <class T>
  T* New() {
    return arena_.New<T>();
  }
  // Closes a node that began at `begin`: its span and height. Fails if the tree is too deep.
  template <class T>
  const T* Finish(T* node, uint32_t begin) {
    // What has no tokens of its own ends where it begins.
    node->span = {begin, at_ > 0 ? std::max(begin, tokens_[at_ - 1].span.end) : begin};
    uint16_t below = 0;
    const auto look = [&](const Node* child) {
      if (child != nullptr && child->height > below) below = child->height;
    };
    node->Fields([&](std::string_view, const auto& field) {
      using Field = std::decay_t<decltype(field)>;
      if constexpr (std::is_convertible_v<Field, const Node*>) {
        look(field);
      } else if constexpr (requires { static_cast<const Node*>(*field.begin()); }) {
        for (const Node* element : field) look(element);
      }
    });
    node->height = static_cast<uint16_t>(below + 1);
    if (node->height > kTreeHeightMax) FailTooDeep();
    return node;
  }
  void FailTooDeep();

  // Collects what a list will hold; runs of several lists at once share one stack per type.
  template <class T>
  class Collector {
   public:
    Collector(std::vector<T>& stack, Arena& arena)
        : stack_(stack), arena_(arena), begin_(stack.size()) {}
    ~Collector() { stack_.resize(begin_); }
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;
    void Add(T value) { stack_.push_back(value); }
    size_t size() const { return stack_.size() - begin_; }
    List<T> Take() {
      const size_t count = size();
      if (count == 0) return {};
      T* const copy = arena_.NewArray<T>(count);
      for (size_t i = 0; i < count; ++i) copy[i] = stack_[begin_ + i];
      return {copy, count};
    }

   private:
    std::vector<T>& stack_;
    Arena& arena_;
    const size_t begin_;
  };
  // The same for nodes of one type, kept as Node* meanwhile.
  template <class T>
  class NodeCollector {
   public:
    explicit NodeCollector(Parser& parser)
        : nodes_(parser.nodes_, parser.arena_), parser_(parser) {}
    void Add(const T* node) { nodes_.Add(node); }
    size_t size() const { return nodes_.size(); }
    List<const T*> Take() {
      const size_t count = nodes_.size();
      if (count == 0) return {};
      const T** const copy = parser_.arena_.NewArray<const T*>(count);
      const size_t begin = parser_.nodes_.size() - count;
      for (size_t i = 0; i < count; ++i) copy[i] = static_cast<const T*>(parser_.nodes_[begin + i]);
      return {copy, count};
    }

   private:
    Collector<const Node*> nodes_;
    Parser& parser_;
  };
  template <class T>
  List<T> OneOf(T value) {
    T* const copy = arena_.NewArray<T>(1);
    *copy = value;
    return {copy, 1};
  }

  // Counts how deep the grammar is in itself, for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kTreeHeightMax) parser_.FailTooDeep();
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // ---- expression_parser.cc
  const Expression* ParseExpression() { return ParseOperators(1); }
  List<const Expression*> ParseExpressions();
  List<const Expression*> ParseExpressionsInBrackets();
  // An expression of operators that bind at least as tightly as `precedence_min`.
  const Expression* ParseOperators(int precedence_min);
  int InfixPrecedence() const;
  const Expression* ParseUnary();
  const Expression* ParseInfix(const Expression* left, uint32_t begin, int precedence);
  const Expression* ParseChain(const Expression* left, uint32_t begin, int precedence);
  const Expression* ParsePredicate(const Expression* left, uint32_t begin, int precedence);
  const Expression* ParseIn(const Expression* left, uint32_t begin, bool negated);
  const Expression* ParseLike(const Expression* left, uint32_t begin, bool negated);
  const Expression* ParseIs(const Expression* left, uint32_t begin);
  const Expression* ParsePostfix();
  const Expression* ParseSubscript(const Expression* base, uint32_t begin);
  const Expression* ParseOpenBound();
  List<const SortItem*> ParseSortItems();
  const SortItem* ParseSortItem();

  // ---- primary_parser.cc
  const Expression* ParsePrimary();
  const Expression* ParseWord();
  const Expression* ParseKeywordExpression();  // null if the word at hand is only a name here
  const Expression* ParseNamed();
  const Expression* ParseBracket();
  const Expression* ParseAliasIfNamed();
  const Expression* ParseSquareBracket(std::string_view word, uint32_t begin);
  const Expression* ParseBrace(std::string_view word, uint32_t begin);
  const Expression* ParseLiteral(Literal::Class what, size_t token_count = 1);
  const Expression* ParseParameter();
  const Expression* ParseCase();
  const Expression* ParseCast();
  const Expression* ParseInterval();
  bool AtInterval() const;
  const Expression* ParseLambda(List<Identifier> parameters, bool parenthesized, uint32_t begin);
  bool AtLambdaArrow() const;
  const Expression* ParseStar(Name qualifier, const Expression* base, uint32_t begin);
  const Alias* ParseStarAlias();
  bool AtTypedLiteral() const;
  // Whether a query begins here: SELECT, WITH, VALUES, FROM, TABLE t, …; not a bracket.
  bool AtQuery(size_t ahead = 0) const;

  // ---- call_parser.cc
  const Expression* ParseCall(Name function, uint32_t begin);  // at its bracket
  const Call* ParseRelationCall();
  void ParseArguments(Call& call, NodeCollector<Node>& arguments);
  const Node* ParseArgument(std::string_view function, bool first);
  const Node* ParseTableArgument();
  List<const Expression*> ParseTableKeys();
  List<const SortItem*> ParseTableOrder();
  void ParseCallEnd(Call& call);
  void ParseOver(Call& call);
  const Window* ParseWindow();
  std::string_view ParseFrameBound(const Expression*& value);

  // ---- type_name_parser.cc
  const Type* ParseType();
  const Type* ParseTypeWord();
  const Node* ParseTypeArgument();
  void CloseAngle();
  Tokens TakeColumnAttributes();

  // ---- query_parser.cc
  const Query* ParseQuery();
  // The query whose body, or the first operand of it, was read before as `first`.
  const Query* ParseQueryFrom(const With* with, const QueryBody* first, uint32_t begin);
  const With* ParseWith();
  const Cte* ParseCte();
  const QueryBody* ParseQueryBody(const QueryBody* first, int precedence_min);
  const QueryBody* ParseQueryPrimary();
  bool AtSetOperator() const;
  bool AtQueryEnd() const;  // ORDER BY, LIMIT …: what may follow a body
  void ParseQueryEnd(Query& query);
  void ParseLimit(Query& query);
  const QueryBody* ParseSelect();
  const QueryBody* ParseFromFirst();
  const QueryBody* ParseSelectAfter(List<const Relation*> from, uint32_t begin);
  void ParseSelectList(Select& select);
  void ParseSelectClauses(Select& select);
  void ParseGroupBy(Select& select);
  const Expression* ParseGroupingElement();
  const GroupingSet* ParseGroupingSet();
  const Transform* ParseTransform();
  bool AtTransform() const;
  const Values* ParseValues();
  List<const Alias*> ParseAliases();
  const Alias* ParseAlias();
  List<std::string_view> TakeHints();
  List<const NamedWindow*> ParseNamedWindows();
  const Query* WrapBody(const QueryBody* body);

  // ---- pipe_parser.cc
  List<const Pipe*> ParsePipes();
  const Pipe* ParsePipe();

  // ---- relation_parser.cc
  List<const Relation*> ParseRelations();
  const Relation* ParseRelation();
  const Relation* ParseRelationAfter(const Relation* left, uint32_t begin, bool whole_chain);
  const Relation* ParseJoin(const Relation* left, uint32_t begin);
  bool AtJoin() const;
  JoinKind TakeJoinWords(Join& join);
  const Relation* ParseRelationOperand();  // a primary with what binds to it: PIVOT, …
  const Relation* ParseRelationPrimary();
  const Relation* ParseRelationBracket(bool lateral, uint32_t begin);
  const Relation* ParseDerived(const Node* query, bool lateral, uint32_t begin);
  const Relation* ParseFunctionRelation(bool lateral, uint32_t begin);
  const Table* ParseTable();
  const Table* ParseTableName(bool with_alias);  // targets: no sample, columns or time travel
  const Relation* ParseLateralView(const Relation* input, uint32_t begin);
  bool AtRelationAhead(size_t ahead) const;
  const TimeTravel* ParseTimeTravel();
  const Sample* ParseSample();
  RelationAlias ParseRelationAlias();
  template <class T>
  void ParseAliasAndSample(T& relation);
  const Node* ParseQueryOrCommand();  // what may stand in brackets after FROM

  // ---- pivot_parser.cc
  const Relation* ParsePivot(const Relation* input, uint32_t begin);
  const Relation* ParseUnpivot(const Relation* input, uint32_t begin);
  const Relation* ParseMatchRecognize(const Relation* input, uint32_t begin);
  const UnpivotItem* ParseUnpivotItem();
  const QueryBody* ParsePivotStatement();
  void ParsePivotValues(Pivot& pivot);
  const QueryBody* WrapRelation(const Relation* relation);
  bool AtPivot() const;

  // ---- insert_parser.cc
  const Node* ParseInsert(const With* with);
  void ParseInsertTarget(Insert& insert);
  void ParseDirectory(Insert& insert);
  void ParseInsertSource(Insert& insert);
  void ParseConflict(Insert& insert);
  const Node* ParseFromStatement(const With* with);
  List<const PartitionItem*> ParsePartition();  // at its bracket
  const PartitionItem* ParsePartitionItem();
  List<const Assignment*> ParseAssignments();
  List<const Alias*> ParseReturning();

  // ---- change_parser.cc
  const Node* ParseMerge(const With* with);
  const MergeClause* ParseMergeClause();
  const Node* ParseUpdate(const With* with);
  const Node* ParseDelete(const With* with);
  const Node* ParseTruncate();
  const Node* ParseLoad();
  const Node* ParseCopy();
  const Node* ParseExport();
  const Node* ParseImport();

  // ---- create_parser.cc
  const Node* ParseCreate(const With* with);
  const Node* ParseCreateTable(uint32_t begin, size_t words_from, const With* with);
  void ParseTableElements(CreateTable& table);
  bool ParseTableClause(CreateTable& table, NodeCollector<Clause>& clauses);
  const Node* ParseCreateView(uint32_t begin, size_t words_from);
  const Node* ParseCreateFunction(uint32_t begin, size_t words_from);
  void ParseFunctionBody(CreateFunction& function);
  const Node* ParseCreateOther(uint32_t begin, size_t words_from);
  const ColumnDefinition* ParseColumnDefinition();
  List<const ColumnDefinition*> ParseColumnDefinitions();  // in brackets
  List<const Node*> ParsePartitionedBy();
  const Clause* ParseClause();
  const Clause* ParseRest();
  bool ContinuesClause(size_t from) const;
  bool AtTableConstraint() const;
  bool AcceptIfNotExists();
  bool AcceptIfExists();

  // ---- alter_parser.cc
  const Node* ParseAlter();
  const AlterAction* ParseAlterAction(std::string_view object);
  void ParseAddAction(AlterAction& action);
  void ParseDropAction(AlterAction& action);
  void ParseRenameAction(AlterAction& action);
  void ParseChangeAction(AlterAction& action);
  void ParseColumnList(AlterAction& action);
  List<const Node*> ParsePartitionSpecs();
  const Node* ParseDrop();
  std::string_view TakeObjectKind();

  // ---- command_parser.cc
  const Node* ParseStatement();
  const Node* ParseWithStatement();
  const Node* ParseStatementByWord();
  const Node* ParseCache();
  const Node* ParseUse();
  const Node* ParseSet();
  std::string_view TextBetween(size_t from, size_t to) const;
  const Node* ParseMaintain(size_t word_count, bool table_follows);
  const Node* ParseExplain();
  const Node* ParseCallStatement();
  const Node* ParseCommand();

  // ---- script_parser.cc
  const Node* ParseScripting();  // null if no scripting statement begins here
  const Node* ParseBlock(Identifier label, uint32_t begin);
  const Node* ParseIf();
  const Node* ParseCaseStatement();
  void ParseBranches(If& node);
  const Node* ParseLoop(Identifier label, uint32_t begin);
  const Node* ParseDeclare();
  // Statements, each with its semicolon, up to one of these words.
  List<const Node*> ParseStatementsUntil(const KeywordSet& ends);

  const std::string_view text_;
  Places places_;  // of errors
  std::vector<Token>& tokens_;
  const std::vector<Comment>& comments_;
  const Dialect& dialect_;
  Arena& arena_;
  const size_t end_;  // the first kEnd
  size_t at_ = 0;
  size_t failed_at_ = 0;
  size_t next_comment_ = 0;  // the first that may begin behind the cursor
  int depth_ = 0;
  int block_depth_ = 0;  // of BEGIN … END: there END ends statements
  std::optional<ParseError> error_;

  std::vector<const Node*> nodes_;
  std::vector<Identifier> identifiers_;
  std::vector<Name> names_;
  std::vector<std::string_view> views_;
};

}  // namespace tarn::sql::tree
