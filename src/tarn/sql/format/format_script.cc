#include "tarn/sql/formatter.h"

#include "tarn/sql/format/formatter_internal.h"

namespace tarn::sql {
namespace tree {

void Formatter::Statement(const Node& root, const SourceSpan& span) {
  CommentsBefore(span.begin);
  Group(span, [&] { Put(&root); });
  Text(";\n");
  line_begin_ = out_.size();
  CommentsBefore(span.end);  // those that found no line of their own
}

void Formatter::Unread(const SourceSpan& span) {
  CommentsBefore(span.begin);
  out_ += text_.substr(span.begin, span.size());
  out_ += ";\n";
  line_begin_ = out_.size();
  while (next_comment_ < comments_.size() && comments_[next_comment_].span.begin < span.end) {
    ++next_comment_;  // they are in the text
  }
}

void Formatter::Finish() { CommentsBefore(static_cast<uint32_t>(text_.size())); }

void Formatter::Flat(const Node& node) {
  flat_ = true;
  unbounded_ = true;
  Put(&node);
}

void Formatter::Text(std::string_view text) {
  if (overflow_) return;
  out_ += text;
  if (flat_ && !unbounded_ && out_.size() - line_begin_ > static_cast<size_t>(options_.width)) {
    overflow_ = true;
  }
}

void Formatter::Line() {
  if (flat_) {
    Text(" ");
    return;
  }
  while (!out_.empty() && out_.back() == ' ') out_.pop_back();
  out_ += '\n';
  line_begin_ = out_.size();
  out_.append(static_cast<size_t>(indent_), ' ');
}

void Formatter::SoftLine() {
  if (!flat_) Line();
}

bool Formatter::HasComment(const SourceSpan& span) const {
  for (size_t i = next_comment_; i < comments_.size(); ++i) {
    if (comments_[i].span.begin >= span.end) return false;
    if (!comments_[i].hint) return true;
  }
  return false;
}

void Formatter::CommentsBefore(uint32_t offset) {
  for (; next_comment_ < comments_.size() && comments_[next_comment_].span.begin < offset;
       ++next_comment_) {
    if (!comments_[next_comment_].hint) AddComment(comments_[next_comment_]);
  }
}

void Formatter::AddComment(const Comment& comment) {
  std::string_view text = TextOf(text_, comment.span);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  out_ += text;
  Line();
}

void Formatter::Put(const Node* node) {
  if (node == nullptr || overflow_) return;
  Visit(*node, [&](const auto& typed) { Write(typed); });
}

void Formatter::Put(const Name& name) {
  for (size_t i = 0; i < name.parts.size(); ++i) {
    if (i > 0) Text(".");
    Text(name.parts[i].text);
  }
}

// Tokens side by side, with the spaces people expect. A space never changes what tokens they are,
// so any choice reads back the same.
void Formatter::Put(const Tokens& tokens) {
  std::string_view last;
  for (const std::string_view token : tokens) {
    const bool touches = !last.empty() && last.data() + last.size() == token.data();
    const bool closes = token == ")" || token == "," || token == "." || token == "]";
    const bool opened = last.empty() || last == "(" || last == "." || last == "[";
    const bool binds = token == "(" || token == "[" || token == "::" || last == "::";
    // A number beside a dot would read as another number.
    const bool number = last == "." && token[0] >= '0' && token[0] <= '9';
    const bool after_number = token == "." && !last.empty() && last[0] >= '0' && last[0] <= '9';
    if ((!closes && !opened && !(touches && binds)) || (!touches && (number || after_number))) {
      Text(" ");
    }
    Text(token);
    last = token;
  }
}

// Tokens that touched still do: paths and patterns, whose spaces only their reader understands.
void Formatter::PutAsWritten(const Tokens& tokens) {
  std::string_view last;
  for (const std::string_view token : tokens) {
    if (!last.empty() && last.data() + last.size() != token.data()) Text(" ");
    Text(token);
    last = token;
  }
}

void Formatter::PutTokens(const Tokens& tokens) {
  if (tokens.empty()) return;
  Text(" ");
  Put(tokens);
}

void Formatter::PutClause(std::string_view word, const Node* node) {
  if (node == nullptr) return;
  Line();
  if (!flat_) CommentsBefore(node->span.begin);
  Text(word);
  Text(" ");
  Indented([&] { Group(*node, [&] { Put(node); }); });
}

}  // namespace tree

std::string Format(const ParsedScript& script, const FormatOptions& options) {
  tree::Formatter formatter(script.text, script.comments, options);
  for (const ParsedStatement& statement : script.statements) {
    if (statement.root != nullptr) {
      formatter.Statement(*statement.root, statement.span);
    } else {
      formatter.Unread(statement.span);
    }
  }
  formatter.Finish();
  return formatter.Take();
}

std::string FormatNode(const tree::Node& node) {
  const std::vector<Comment> none;
  tree::Formatter formatter({}, none, {});
  formatter.Flat(node);
  return formatter.Take();
}

}  // namespace tarn::sql
