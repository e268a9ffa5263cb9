#include "tarn/sql/format/formatter_internal.h"

namespace tarn::sql::tree {

void Formatter::Write(const Literal& node) {
  if (!node.type.empty()) {
    Text(node.type);
    Text(" ");
  }
  for (size_t i = 0; i < node.tokens.size(); ++i) {
    if (i > 0) Text(" ");
    Text(node.tokens[i]);
  }
}

void Formatter::Write(const Interval& node) {
  Text("INTERVAL ");
  Text(node.sign);
  for (size_t i = 0; i < node.values.size(); ++i) {
    if (i > 0) Text(" ");
    Put(node.values[i]);
    if (i < node.units.size()) Word(node.units[i]);
  }
  if (node.units.size() == node.values.size() + 1) {
    Text(" TO ");
    Text(node.units.back());
  }
}

void Formatter::Write(const Parameter& node) { Text(node.text); }

void Formatter::Write(const Column& node) { Put(node.name); }

void Formatter::Write(const Star& node) {
  if (node.columns_call) {
    Text("COLUMNS(");
    Put(node.pattern);
    Text(")");
    return;
  }
  if (node.base != nullptr) {
    Put(node.base);
    Text(".");
  } else if (!node.qualifier.empty()) {
    Put(node.qualifier);
    Text(".");
  }
  Text("*");
  if (!node.except.empty()) {
    Word(node.except_word);
    Text(" ");
    PutBracketed(node.except);
  }
  if (!node.replace.empty()) {
    Text(" REPLACE ");
    PutBracketed(node.replace);
  }
  if (!node.rename.empty()) {
    Text(" RENAME ");
    PutBracketed(node.rename);
  }
}

void Formatter::Write(const Field& node) {
  Put(node.base);
  Text(node.path_operator);
  Put(node.field);
}

void Formatter::Write(const Subscript& node) {
  Put(node.base);
  Text("[");
  Put(node.index);
  if (node.slice) {
    // Spaces behind a name, lest the bound be read as a path of it.
    const bool literal = node.index == nullptr || node.index->kind == NodeKind::kLiteral ||
                         node.index->kind == NodeKind::kUnary;
    Text(literal ? ":" : " : ");
    Put(node.upper);
    if (node.step != nullptr) {
      Text(literal && node.upper != nullptr ? ":" : " : ");
      Put(node.step);
    }
  }
  Text("]");
}

void Formatter::Write(const Unary& node) {
  if (node.postfix) {
    Put(node.operand);
    Word(node.symbol);
    return;
  }
  Text(node.symbol);
  // Two minus signs side by side begin a comment.
  const bool word = node.symbol[0] >= 'A' && node.symbol[0] <= 'Z';
  if (word || node.operand->kind == NodeKind::kUnary) Text(" ");
  Put(node.operand);
}

void Formatter::Write(const Binary& node) {
  if (node.symbol == "AT LOCAL") {
    Put(node.operands[0]);
    Text(" AT LOCAL");
    return;
  }
  const auto write = [&] {
    for (size_t i = 0; i < node.operands.size(); ++i) {
      if (i > 0) {
        if (node.IsPredicateLink() || node.operands.size() > 2) {
          Line();
          if (!flat_) CommentsBefore(node.operands[i]->span.begin);
        } else {
          Text(" ");
        }
        Text(node.SymbolBefore(i));
        Text(" ");
      }
      Group(*node.operands[i], [&] { Put(node.operands[i]); });
    }
  };
  Group(node, write);
}

void Formatter::Write(const Between& node) {
  Put(node.operand);
  if (node.negated) Text(" NOT");
  Text(" BETWEEN ");
  if (!node.symmetry.empty()) {
    Text(node.symmetry);
    Text(" ");
  }
  Put(node.low);
  Text(" AND ");
  Put(node.high);
}

void Formatter::Write(const In& node) {
  Put(node.operand);
  Text(node.negated ? " NOT IN " : " IN ");
  if (node.list != nullptr) {
    Put(node.list);
  } else if (node.query != nullptr) {
    Text("(");
    Indented([&] {
      SoftLine();
      Put(node.query);
    });
    SoftLine();
    Text(")");
  } else {
    PutBracketed(node.values);
  }
}

void Formatter::Write(const Like& node) {
  Put(node.operand);
  if (node.negated) Text(" NOT");
  Word(node.symbol);
  PutWord(node.quantifier);
  Text(" ");
  Put(node.pattern);
  if (node.escape != nullptr) {
    Text(" ESCAPE ");
    Put(node.escape);
  }
}

void Formatter::Write(const Is& node) {
  Put(node.operand);
  Text(node.negated ? " IS NOT " : " IS ");
  Text(node.test);
  if (node.other != nullptr) PutNode(node.other);
}

void Formatter::Write(const Quantified& node) {
  Put(node.operand);
  Word(node.symbol);
  Word(node.quantifier);
  Text(" ");
  Put(node.argument);
}

void Formatter::Write(const Case& node) {
  Text("CASE");
  if (node.operand != nullptr) PutNode(node.operand);
  Indented([&] {
    for (const When* when : node.whens) {
      Line();
      if (!flat_) CommentsBefore(when->span.begin);
      Group(*when, [&] { Put(when); });
    }
    if (node.otherwise != nullptr) {
      Line();
      if (!flat_) CommentsBefore(node.otherwise->span.begin);
      Text("ELSE ");
      Group(*node.otherwise, [&] { Put(node.otherwise); });
    }
  });
  Line();
  Text("END");
}

void Formatter::Write(const When& node) {
  Text("WHEN ");
  Put(node.condition);
  Indented([&] {
    Line();
    Text("THEN ");
    Put(node.result);
  });
}

void Formatter::Write(const Cast& node) {
  if (node.word == "::") {
    Put(node.operand);
    Text("::");
    Put(node.type);
    return;
  }
  Text(node.word);
  Text("(");
  Put(node.operand);
  Text(" AS ");
  Put(node.type);
  if (node.format != nullptr) {
    Text(" FORMAT ");
    Put(node.format);
  }
  Text(")");
}

void Formatter::Write(const Call& node) {
  if (node.method) {
    Put(node.arguments[0]);
    Text(".");
  }
  Put(node.function);
  if (node.bare) return;
  Group(node, [&] {
    Text("(");
    Indented([&] { WriteArguments(node); });
    if (node.arguments.size() > (node.method ? 1 : 0)) SoftLine();
    Text(")");
  });
  WriteCallEnd(node);
}

void Formatter::WriteArguments(const Call& node) {
  if (node.star) Text("*");
  const size_t first = node.method ? 1 : 0;
  for (size_t i = first; i < node.arguments.size(); ++i) {
    const Node& argument = *node.arguments[i];
    const auto* const labelled = As<Argument>(&argument);
    // What follows a keyword of the grammar has no comma before it: EXTRACT(YEAR FROM x).
    const auto* const table = i > first ? As<TableArgument>(node.arguments[i - 1]) : nullptr;
    const bool joined = (i > first && labelled != nullptr && !labelled->keyword.empty() &&
                         labelled->keyword != "KEY" && labelled->keyword != "VARIADIC") ||
                        (table != nullptr && table->keyword == "ON");
    if (i > first) {
      if (joined) {
        Text(" ");
      } else {
        Text(",");
        Line();
      }
    } else {
      SoftLine();
      if (!node.quantifier.empty()) {
        Text(node.quantifier);
        Text(" ");
      }
    }
    Group(argument, [&] { Put(&argument); });
  }
  const bool any = node.arguments.size() > first || node.star;
  if (!node.order_by.empty()) {
    Text(any ? " ORDER BY " : "ORDER BY ");
    PutList(node.order_by);
  }
  if (node.limit != nullptr) {
    Text(" LIMIT ");
    Put(node.limit);
  }
  if (node.nulls_inside) Word(node.nulls);
  PutTokens(node.tail);
}

void Formatter::WriteCallEnd(const Call& node) {
  if (!node.within_group.empty()) {
    Text(" WITHIN GROUP (ORDER BY ");
    PutList(node.within_group);
    Text(")");
  }
  if (node.filter != nullptr) {
    Text(node.filter_where ? " FILTER (WHERE " : " FILTER (");
    Put(node.filter);
    Text(")");
  }
  if (!node.nulls_inside) PutWord(node.nulls);
  if (node.over != nullptr) {
    Text(" OVER ");
    Group(*node.over, [&] { Put(node.over); });
  }
}

void Formatter::Write(const Argument& node) {
  if (!node.name.empty()) {
    Put(node.name);
    Word(node.arrow);
    Text(" ");
  }
  Text(node.keyword);
  if (!node.keyword.empty() && node.value != nullptr) Text(" ");
  Put(node.value);
}

void Formatter::Write(const TableArgument& node) {
  Text(node.keyword);
  PutNode(node.relation);
  if (!node.partition_by.empty() || node.partition_empty) {
    Text(" PARTITION BY ");
    if (node.partition_empty) {
      Text("()");
    } else {
      PutList(node.partition_by);
    }
  }
  if (!node.order_by.empty()) {
    Text(" ORDER BY ");
    PutList(node.order_by);
  }
  PutTokens(node.rest);
}

void Formatter::Write(const Lambda& node) {
  if (node.worded) {
    Text("lambda ");
    PutList(node.parameters);
    Text(" : ");
  } else {
    if (node.parenthesized) Text("(");
    PutList(node.parameters);
    if (node.parenthesized) Text(")");
    Text(" -> ");
  }
  Put(node.body);
}

void Formatter::Write(const Row& node) {
  Text(node.word);
  Text("(");
  Indented([&] {
    if (node.elements.size() > 0) SoftLine();
    PutList(node.elements);
  });
  if (node.trailing_comma) Text(",");
  if (node.elements.size() > 0) SoftLine();
  Text(")");
}

void Formatter::Write(const Array& node) {
  Text(node.word);
  Text("[");
  Indented([&] {
    if (node.elements.size() > 0) SoftLine();
    PutList(node.elements);
  });
  if (node.elements.size() > 0) SoftLine();
  Text("]");
}

void Formatter::Write(const StructLiteral& node) {
  if (!node.word.empty()) {
    Text(node.word);
    Text(" ");
  }
  Text("{");
  // A space, lest two braces be read as a template.
  if (!node.entries.empty() && node.entries[0]->key->kind == NodeKind::kStructLiteral) Text(" ");
  PutList(node.entries);
  if (!node.entries.empty() && node.entries.back()->value->kind == NodeKind::kStructLiteral) {
    Text(" ");
  }
  Text("}");
}

void Formatter::Write(const StructEntry& node) {
  Put(node.key);
  Text(": ");
  Put(node.value);
}

void Formatter::Write(const Comprehension& node) {
  Text("[");
  Put(node.result);
  Text(" FOR ");
  PutList(node.variables);
  Text(" IN ");
  Put(node.list);
  if (node.condition != nullptr) {
    Text(" IF ");
    Put(node.condition);
  }
  Text("]");
}

void Formatter::Write(const Subquery& node) {
  Group(node, [&] { Put(node.query); });
}

void Formatter::Write(const Exists& node) {
  Text("EXISTS ");
  Put(node.query);
}

void Formatter::Write(const Parenthesized& node) {
  Text("(");
  Indented([&] {
    SoftLine();
    Put(node.inner);
  });
  SoftLine();
  Text(")");
}

void Formatter::Write(const Alias& node) {
  Put(node.expression);
  if (!node.name.empty()) {
    Text(" AS ");
    Put(node.name);
  } else if (!node.names.empty()) {
    Text(" AS (");
    PutList(node.names);
    Text(")");
  }
}

void Formatter::Write(const SortItem& node) {
  Put(node.expression);
  PutWord(node.direction);
  if (!node.nulls.empty()) {
    Text(" NULLS ");
    Text(node.nulls);
  }
}

void Formatter::Write(const Window& node) {
  if (!node.parenthesized) {
    Put(node.base);
    return;
  }
  Text("(");
  bool any = false;
  const auto next = [&] {
    if (any) {
      Line();
    } else {
      SoftLine();
    }
    any = true;
  };
  Indented([&] {
    if (!node.base.empty()) {
      next();
      Put(node.base);
    }
    if (!node.partition_by.empty()) {
      next();
      Text(node.partition_word);
      Text(" ");
      PutList(node.partition_by);
    }
    if (!node.order_by.empty()) {
      next();
      Text(node.order_word);
      Text(" ");
      PutList(node.order_by);
    }
    if (!node.frame_unit.empty()) {
      next();
      Text(node.frame_unit);
      Text(node.frame_end.empty() ? " " : " BETWEEN ");
      Put(node.start);
      if (node.start != nullptr) Text(" ");
      Text(node.frame_start);
      if (!node.frame_end.empty()) {
        Text(" AND ");
        Put(node.end);
        if (node.end != nullptr) Text(" ");
        Text(node.frame_end);
      }
      if (!node.exclude.empty()) {
        Text(" EXCLUDE ");
        Text(node.exclude);
      }
    }
  });
  if (any) SoftLine();
  Text(")");
}

void Formatter::Write(const GroupingSet& node) {
  Text(node.word);
  Text(" ");
  PutBracketed(node.elements);
}

void Formatter::Write(const Type& node) {
  if (node.name == "[]" || (node.name == "ARRAY" && node.bracket == '\0')) {
    if (!node.arguments.empty()) {
      Put(node.arguments[0]);
      Text(node.name == "[]" ? "[" : " ARRAY");
      if (node.arguments.size() > 1) Put(node.arguments[1]);
      if (node.name == "[]") Text("]");
      return;
    }
  }
  Text(node.name);
  if (node.bracket != '\0') {
    Text(node.bracket == '<' ? "<" : "(");
    for (size_t i = 0; i < node.arguments.size(); ++i) {
      if (i > 0) Text(", ");
      Put(node.arguments[i]);
    }
    Text(node.bracket == '<' ? ">" : ")");
  }
  PutWord(node.zone);
}

void Formatter::Write(const TypeField& node) {
  Put(node.name);
  if (node.colon) Text(":");
  if (node.type != nullptr) PutNode(node.type);
  PutTokens(node.attributes);
}

}  // namespace tarn::sql::tree
