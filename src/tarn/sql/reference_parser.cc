#include "tarn/sql/reference_parser.h"

#include <charconv>
#include <utility>

#include "tarn/base/text.h"

namespace tarn::sql {
namespace {

Result<int64_t> ExpectCount(TokenCursor& cursor, const char* what) {
  const std::string text(cursor.Peek().text);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number <= 0) {
    return cursor.Expected(what);
  }
  cursor.Skip();
  return number;
}

// DAYS | HOURS | MINUTES, in milliseconds; 0 if none stands here.
int64_t AcceptUnit(TokenCursor& cursor) {
  constexpr int64_t kMinuteMs = 60'000;
  if (cursor.Accept("days") || cursor.Accept("day")) return kMinuteMs * 60 * 24;
  if (cursor.Accept("hours") || cursor.Accept("hour")) return kMinuteMs * 60;
  if (cursor.Accept("minutes") || cursor.Accept("minute")) return kMinuteMs;
  return 0;
}

Result<int64_t> ExpectTime(TokenCursor& cursor) {
  TARN_ASSIGN_OR_RETURN(const int64_t count, ExpectCount(cursor, "a number of days"));
  const int64_t unit = AcceptUnit(cursor);
  if (unit == 0) return cursor.Expected("DAYS, HOURS or MINUTES");
  return count * unit;
}

Status ParseSnapshotRetention(TokenCursor& cursor, ChangeReference& change) {
  TARN_ASSIGN_OR_RETURN(const int64_t count, ExpectCount(cursor, "a number"));
  if (const int64_t unit = AcceptUnit(cursor); unit > 0) {
    change.keep_versions_ms = count * unit;
    return OkStatus();
  }
  if (!cursor.Accept("snapshots") && !cursor.Accept("snapshot")) {
    return cursor.Expected("SNAPSHOTS, DAYS, HOURS or MINUTES");
  }
  change.keep_versions_min = count;
  if (cursor.Peek().kind == TokenKind::kNumber) {
    TARN_ASSIGN_OR_RETURN(change.keep_versions_ms, ExpectTime(cursor));
  }
  return OkStatus();
}

}  // namespace

bool LooksAtReferenceAction(const TokenCursor& cursor) {
  TokenCursor look = cursor;
  if (!look.Accept({"create", "or", "replace"}) && !look.Accept("create") &&
      !look.Accept("replace") && !look.Accept("drop")) {
    return false;
  }
  if (!look.Accept("branch") && !look.Accept("tag")) return false;
  // Else a column is called so: DROP tag.
  return look.Peek().IsIdentifier() || look.Peek().kind == TokenKind::kString;
}

Result<ChangeReference> ParseReferenceAction(TokenCursor& cursor) {
  ChangeReference change;
  using Do = ChangeReference::Do;
  if (cursor.Accept({"create", "or", "replace"})) {
    change.action = Do::kCreateOrReplace;
  } else if (cursor.Accept("create")) {
    change.action = Do::kCreate;
  } else if (cursor.Accept("replace")) {
    change.action = Do::kReplace;
  } else {
    TARN_RETURN_IF_ERROR(cursor.Expect("drop"));
    change.action = Do::kDrop;
  }
  change.is_branch = cursor.Accept("branch");
  if (!change.is_branch) TARN_RETURN_IF_ERROR(cursor.Expect("tag"));
  if (change.action == Do::kCreate) change.lenient = cursor.Accept({"if", "not", "exists"});
  if (change.action == Do::kDrop) change.lenient = cursor.Accept({"if", "exists"});
  const char* what = change.is_branch ? "the name of a branch" : "the name of a tag";
  if (cursor.Peek().kind == TokenKind::kString) {
    change.name = cursor.Next().Value();
  } else {
    TARN_ASSIGN_OR_RETURN(change.name, cursor.ExpectIdentifier(what));
  }
  if (change.action == Do::kDrop) return change;
  if (cursor.Accept({"as", "of", "version"})) {
    const Token& token = cursor.Peek();
    if (token.kind != TokenKind::kNumber && token.kind != TokenKind::kString &&
        !token.IsIdentifier()) {
      return cursor.Expected("a version");
    }
    change.version = token.kind == TokenKind::kNumber ? std::string(token.text) : token.Value();
    cursor.Skip();
  }
  if (cursor.Accept("retain")) {
    TARN_ASSIGN_OR_RETURN(change.keep_name_ms, ExpectTime(cursor));
  }
  if (change.is_branch && cursor.Accept({"with", "snapshot", "retention"})) {
    TARN_RETURN_IF_ERROR(ParseSnapshotRetention(cursor, change));
  }
  return change;
}

Result<Call> ParseCall(TokenCursor& cursor) {
  Call call;
  do {
    TARN_ASSIGN_OR_RETURN(std::string part, cursor.ExpectIdentifier("the name of a procedure"));
    call.procedure.push_back(std::move(part));
  } while (cursor.AcceptOperator("."));
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator("("));
  if (cursor.AcceptOperator(")")) return call;
  do {
    Call::Argument argument;
    if (cursor.Peek().IsIdentifier() && cursor.Peek(1).IsOperator("=>")) {
      argument.name = AsciiLower(cursor.Next().Value());
      cursor.Skip();
    }
    const size_t begin = cursor.position();
    cursor.MoveTo(cursor.FindOutsideBrackets(
        [](const Token& token) { return token.IsOperator(",") || token.IsOperator(")"); }));
    argument.value = cursor.TextOf(begin, cursor.position());
    if (argument.value.empty()) return cursor.Expected("a value");
    call.arguments.push_back(std::move(argument));
  } while (cursor.AcceptOperator(","));
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  return call;
}

}  // namespace tarn::sql
