#include "tarn/datafile/infer_json.h"

#include <string>

#include "tarn/datafile/json_cursor.h"

namespace tarn {
namespace {

using Token = JsonCursor::Token;

// Walks one value after another; a false answer means that the line is no JSON.
class Observer {
 public:
  explicit Observer(JsonCursor& cursor) : cursor_(cursor) {}

  void Row(ColumnEvidence& root, int64_t line) {
    line_ = line;
    if (cursor_.token() == Token::kObject) Object(root);
  }

 private:
  bool Object(ColumnEvidence& node) {
    node.BeginObject();
    cursor_.Advance();
    if (cursor_.Take('}')) return true;
    std::string_view raw;
    for (size_t expected = 0;; ++expected) {
      if (!cursor_.Key(&raw)) return false;
      ColumnEvidence* member = node.MemberAt(expected, raw);
      if (member == nullptr) {
        std::string name(raw.size(), '\0');
        size_t size = 0;
        if (!UnescapeJson(raw, name.data(), &size)) return false;
        name.resize(size);
        member = &node.Member(name);
      }
      if (!Value(*member)) return false;
      if (cursor_.Take(',')) continue;
      return cursor_.Take('}');
    }
  }

  bool List(ColumnEvidence& node) {
    cursor_.Advance();
    if (cursor_.Take(']')) return true;
    ColumnEvidence& element = node.Element();
    for (;;) {
      if (!Value(element)) return false;
      if (cursor_.Take(',')) continue;
      return cursor_.Take(']');
    }
  }

  bool Value(ColumnEvidence& node) {
    const Token token = cursor_.token();
    std::string_view raw;
    switch (token) {
      case Token::kNull:
        return cursor_.Literal(token);
      case Token::kTrue:
      case Token::kFalse:
        node.See(ValueKind::kBoolean, line_, [&] { return cursor_.Describe(); });
        return cursor_.Literal(token);
      case Token::kNumber: {
        bool integer = false;
        const uint32_t here = cursor_.mark();
        if (!cursor_.Number(&raw, &integer)) return false;
        const ValueKind kind = !integer          ? ValueKind::kFraction
                               : raw.size() < 16 ? ValueKind::kInteger
                                                 : IntegerKind(raw);
        node.See(kind, line_, [&] { return cursor_.DescribeAt(here); });
        return true;
      }
      case Token::kString: {
        const uint32_t here = cursor_.mark();
        if (!cursor_.String(&raw)) return false;
        if (node.Has(ValueKind::kText)) return true;
        // An escaped text is never a time: times need no escapes, and none writes them so.
        node.See(StringKind(raw), line_, [&] { return cursor_.DescribeAt(here); });
        return true;
      }
      case Token::kObject:
        node.See(ValueKind::kObject, line_, [] { return std::string("object"); });
        return Object(node);
      case Token::kArray:
        node.See(ValueKind::kList, line_, [] { return std::string("list"); });
        return List(node);
      case Token::kBad:
        break;
    }
    return false;
  }

  JsonCursor& cursor_;
  int64_t line_ = 0;
};

}  // namespace

ObservedText ObserveJson(std::string_view block) {
  ObservedText observed;
  JsonLineWalker walker;
  Observer observer(walker.cursor());
  observed.lines = walker.Walk(
      block, [&](int64_t line, std::string_view) { observer.Row(observed.root, line + 1); },
      [](int64_t, std::string_view, const char*) {});
  return observed;
}

}  // namespace tarn
