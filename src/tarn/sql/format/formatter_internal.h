#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/sql/formatter.h"
#include "tarn/sql/tree.h"

namespace tarn::sql::tree {

// Writes trees as text. What belongs together is written by Group: on one line if it fits, else
// again with its Line()s as new lines. A try on one line stops where the width is used up, so the
// whole is O(n · width).
class Formatter {
 public:
  Formatter(std::string_view text, const std::vector<Comment>& comments,
            const FormatOptions& options)
      : text_(text), comments_(comments), options_(options) {}

  void Statement(const Node& root, const SourceSpan& span);
  void Unread(const SourceSpan& span);  // as it was written
  void Finish();                        // comments behind the last statement
  void Flat(const Node& node);          // on one line, however long
  std::string Take() { return std::move(out_); }

 private:
  // ---- formatter.cc: text, lines, groups, comments, lists.
  void Text(std::string_view text);
  void Word(std::string_view word) {  // with a space before it
    Text(" ");
    Text(word);
  }
  void Line();      // a space, or a new line
  void SoftLine();  // nothing, or a new line
  template <class Body>
  void Group(const Node& node, Body body) {
    Group(node.span, body);
  }
  template <class Body>
  void Group(const SourceSpan& span, Body body) {
    if (flat_) {
      body();
      return;
    }
    const size_t mark = out_.size();
    const size_t mark_line = line_begin_;
    if (!HasComment(span)) {
      flat_ = true;
      body();
      flat_ = false;
      if (!overflow_) return;
      overflow_ = false;
      out_.resize(mark);
      line_begin_ = mark_line;
    }
    body();
  }
  template <class Body>
  void Indented(Body body) {
    indent_ += options_.indent;
    body();
    indent_ -= options_.indent;
  }
  bool HasComment(const SourceSpan& span) const;
  void CommentsBefore(uint32_t offset);  // on lines of their own; at the beginning of a line
  void AddComment(const Comment& comment);

  void Put(const Node* node);
  void Put(const Identifier& identifier) { Text(identifier.text); }
  void Put(const Name& name);
  void Put(const Tokens& tokens);
  void PutAsWritten(const Tokens& tokens);
  void PutTokens(const Tokens& tokens);  // with a space before, if there are any
  void PutWord(std::string_view word) {  // with a space before, if there is one
    if (!word.empty()) Word(word);
  }
  template <class T>
  void PutList(const List<T>& list) {  // a, b on one line or a line each
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) {
        Text(",");
        Line();
      }
      PutItem(list[i]);
    }
  }
  template <class T>
  void PutItem(const T& item) {
    if constexpr (std::is_pointer_v<T>) {
      if (!flat_) CommentsBefore(item->span.begin);
      Group(*item, [&] { Put(item); });
    } else {
      Put(item);
    }
  }
  template <class T>
  void PutBracketed(const List<T>& list) {  // (a, b)
    if (list.empty()) {
      Text("()");
      return;
    }
    Group(SpanOf(list), [&] {
      Text("(");
      Indented([&] {
        SoftLine();
        PutList(list);
      });
      SoftLine();
      Text(")");
    });
  }
  // A clause with a list: the word, then the list behind it, or below it if it does not fit.
  template <class T>
  void PutClause(std::string_view word, const List<T>& list) {
    if (list.empty()) return;
    Line();
    if constexpr (std::is_pointer_v<T>) {
      if (!flat_) CommentsBefore(list.front()->span.begin);
    }
    Text(word);
    Group(SpanOf(list), [&] {
      Indented([&] {
        Line();
        PutList(list);
      });
    });
  }
  template <class T>
  SourceSpan SpanOf(const List<T>& list) const {
    if constexpr (std::is_pointer_v<T>) {
      return {list.front()->span.begin, list.back()->span.end};
    } else if constexpr (requires { list.front().span; }) {
      return {list.front().span.begin, list.back().span.end};
    } else {
      return {};
    }
  }
  void PutClause(std::string_view word, const Node* node);

  // ---- One for each kind; grouped in files like the tree's headers.
  void Write(const Literal& node);
  void Write(const Interval& node);
  void Write(const Parameter& node);
  void Write(const Column& node);
  void Write(const Star& node);
  void Write(const Field& node);
  void Write(const Subscript& node);
  void Write(const Unary& node);
  void Write(const Binary& node);
  void Write(const Between& node);
  void Write(const In& node);
  void Write(const Like& node);
  void Write(const Is& node);
  void Write(const Quantified& node);
  void Write(const Case& node);
  void Write(const When& node);
  void Write(const Cast& node);
  void Write(const Call& node);
  void WriteArguments(const Call& node);
  void WriteCallEnd(const Call& node);
  void Write(const Argument& node);
  void Write(const TableArgument& node);
  void Write(const Lambda& node);
  void Write(const Row& node);
  void Write(const Array& node);
  void Write(const StructLiteral& node);
  void Write(const StructEntry& node);
  void Write(const Comprehension& node);
  void Write(const Subquery& node);
  void Write(const Exists& node);
  void Write(const Parenthesized& node);
  void Write(const Alias& node);
  void Write(const SortItem& node);
  void Write(const Window& node);
  void Write(const GroupingSet& node);
  void Write(const Type& node);
  void Write(const TypeField& node);

  void Write(const Query& node);
  void WriteQueryInside(const Query& node);
  void WriteQueryEnd(const Query& node);
  void Write(const With& node);
  void Write(const Cte& node);
  void Write(const Select& node);
  void WriteSelectList(const Select& node);
  void WriteGroupBy(const Select& node);
  void Write(const Transform& node);
  void Write(const SetOperation& node);
  void Write(const Values& node);
  void Write(const TableQuery& node);
  void Write(const NamedWindow& node);
  void Write(const Pipe& node);

  void Write(const Table& node);
  void Write(const Derived& node);
  void Write(const Function& node);
  void Write(const Join& node);
  void Write(const Nested& node);
  void Write(const LateralView& node);
  void Write(const Pivot& node);
  void Write(const Unpivot& node);
  void Write(const UnpivotItem& node);
  void Write(const MatchRecognize& node);
  void Write(const Sample& node);
  void Write(const TimeTravel& node);
  void PutAlias(const RelationAlias& alias);
  template <class T>
  void PutAliasAndSample(const T& node) {
    if (node.sample != nullptr && node.sample_first) PutNode(node.sample);
    PutAlias(node.alias);
    if (node.sample != nullptr && !node.sample_first) PutNode(node.sample);
  }
  void PutNode(const Node* node) {  // with a space before
    Text(" ");
    Put(node);
  }

  void Write(const Insert& node);
  void WriteInsertTarget(const Insert& node);
  void WriteInsertEnd(const Insert& node);
  void Write(const PartitionItem& node);
  void Write(const PartitionSpec& node);
  void Write(const MultiInsert& node);
  void Write(const Assignment& node);
  void Write(const Merge& node);
  void Write(const MergeClause& node);
  void Write(const Update& node);
  void Write(const Delete& node);
  void Write(const Truncate& node);
  void Write(const Load& node);
  void Write(const Copy& node);
  void Write(const Export& node);
  void Write(const Import& node);

  void Write(const ColumnDefinition& node);
  void Write(const Clause& node);
  void Write(const CreateTable& node);
  void Write(const CreateView& node);
  void Write(const CreateFunction& node);
  void Write(const CreateOther& node);
  void Write(const Drop& node);
  void Write(const Alter& node);
  void Write(const AlterAction& node);
  void PutPartition(const List<const PartitionItem*>& items);

  void Write(const Cache& node);
  void Write(const Use& node);
  void Write(const Set& node);
  void Write(const Maintain& node);
  void Write(const CallStatement& node);
  void Write(const Explain& node);
  void Write(const Command& node);
  void Write(const Block& node);
  void Write(const If& node);
  void Write(const Branch& node);
  void Write(const Loop& node);
  void Write(const Declare& node);
  void PutStatements(const List<const Node*>& statements);

  const std::string_view text_;
  const std::vector<Comment>& comments_;
  const FormatOptions options_;
  std::string out_;
  size_t line_begin_ = 0;  // in out_
  int32_t indent_ = 0;
  bool flat_ = false;
  bool unbounded_ = false;
  bool overflow_ = false;
  size_t next_comment_ = 0;
};

}  // namespace tarn::sql::tree
