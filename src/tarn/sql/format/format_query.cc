#include "tarn/sql/format/formatter_internal.h"

namespace tarn::sql::tree {

void Formatter::Write(const Query& node) {
  if (!node.parenthesized) {
    WriteQueryInside(node);
    return;
  }
  Group(node, [&] {
    Text("(");
    Indented([&] {
      SoftLine();
      WriteQueryInside(node);
    });
    SoftLine();
    Text(")");
  });
}

void Formatter::WriteQueryInside(const Query& node) {
  if (node.with != nullptr) {
    Put(node.with);
    Line();
  }
  Put(node.body);
  WriteQueryEnd(node);
}

void Formatter::WriteQueryEnd(const Query& node) {
  PutClause("ORDER BY", node.order_by);
  PutClause("CLUSTER BY", node.cluster_by);
  PutClause("DISTRIBUTE BY", node.distribute_by);
  PutClause("SORT BY", node.sort_by);
  if (node.fetch) {
    if (node.offset != nullptr) {
      PutClause("OFFSET", node.offset);
      Text(" ROWS");
    }
    Line();
    Text("FETCH FIRST ");
    if (node.limit != nullptr) {
      Put(node.limit);
      Text(node.limit_percent ? " PERCENT " : " ");
    }
    Text(node.fetch_ties ? "ROWS WITH TIES" : "ROWS ONLY");
  } else if (node.limit_comma) {
    PutClause("LIMIT", node.offset);
    Text(", ");
    Put(node.limit);
  } else {
    // LIMIT before OFFSET is what most read; Trino's grammar has them the other way round.
    if (node.offset != nullptr && node.offset_first) PutClause("OFFSET", node.offset);
    PutClause("LIMIT", node.limit);
    if (node.limit_percent) Text(" PERCENT");
    if (node.offset != nullptr && !node.offset_first) PutClause("OFFSET", node.offset);
  }
  if (!node.tail.empty()) {
    Line();
    Put(node.tail);
  }
  for (const Pipe* pipe : node.pipes) {
    Line();
    if (!flat_) CommentsBefore(pipe->span.begin);
    Text("|> ");
    Group(*pipe, [&] { Put(pipe); });
  }
}

void Formatter::Write(const With& node) {
  Text(node.recursive ? "WITH RECURSIVE" : "WITH");
  Indented([&] {
    for (size_t i = 0; i < node.ctes.size(); ++i) {
      if (i > 0) Text(",");
      Line();
      if (!flat_) CommentsBefore(node.ctes[i]->span.begin);
      Group(*node.ctes[i], [&] { Put(node.ctes[i]); });
    }
  });
}

void Formatter::Write(const Cte& node) {
  const bool tail_first =
      !node.tail.empty() && (node.tail[0][0] | 0x20) != 's' && (node.tail[0][0] | 0x20) != 'c';
  Put(node.name);
  if (!node.columns.empty()) {
    Text(" (");
    PutList(node.columns);
    Text(")");
  }
  if (tail_first) PutTokens(node.tail);
  Text(" AS ");
  if (!node.materialized.empty()) {
    Text(node.materialized);
    Text(" ");
  }
  Text("(");
  Indented([&] {
    SoftLine();
    if (!flat_) CommentsBefore(node.query->span.begin);
    Put(node.query);
  });
  SoftLine();
  Text(")");
  if (!tail_first) PutTokens(node.tail);
}

void Formatter::Write(const Select& node) {
  if (node.from_first) {
    // DuckDB's PIVOT and UNPIVOT statements are the query, and have no FROM before them.
    const auto* const pivot = As<Pivot>(node.from.front());
    const auto* const unpivot = As<Unpivot>(node.from.front());
    const bool statement =
        (pivot != nullptr && pivot->statement) || (unpivot != nullptr && unpivot->statement);
    if (!statement) Text("FROM ");
    Group(SpanOf(node.from), [&] { Indented([&] { PutList(node.from); }); });
    if (!node.items.empty() || node.transform != nullptr || node.select_said) {
      Line();
      WriteSelectList(node);
    }
  } else {
    WriteSelectList(node);
    if (!node.into.empty()) {
      Line();
      Text("INTO ");
      Put(node.into);
    }
    if (!node.from.empty()) {
      Line();
      if (!flat_) CommentsBefore(node.from.front()->span.begin);
      Text("FROM ");
      Group(SpanOf(node.from), [&] { Indented([&] { PutList(node.from); }); });
    }
  }
  if (node.lateral_view != nullptr) {
    Line();
    Put(node.lateral_view);
  }
  PutClause("WHERE", node.where);
  WriteGroupBy(node);
  PutClause("HAVING", node.having);
  PutClause("QUALIFY", node.qualify);
  PutClause("WINDOW", node.windows);
  if (node.sample != nullptr) {
    Line();
    Put(node.sample);
  }
}

void Formatter::WriteSelectList(const Select& node) {
  if (node.transform == nullptr || node.transform->word == "TRANSFORM" || node.select_said) {
    Text("SELECT");
    for (const std::string_view hint : node.hints) Word(hint);
  }
  PutWord(node.quantifier);
  if (!node.distinct_on.empty()) {
    Text(" ON ");
    PutBracketed(node.distinct_on);
  }
  if (node.transform != nullptr) {
    if (!out_.empty() && out_.back() != ' ' && out_.back() != '\n') Text(" ");
    Put(node.transform);
    return;
  }
  if (node.items.empty()) return;
  if (node.items.size() == 1) {
    Text(" ");
    if (HasComment({0, node.items[0]->span.begin})) {
      Indented([&] {
        Line();
        PutList(node.items);
      });
    } else {
      Indented([&] { Group(*node.items[0], [&] { Put(node.items[0]); }); });
    }
    return;
  }
  Group(SpanOf(node.items), [&] {
    Indented([&] {
      Line();
      PutList(node.items);
    });
  });
}

void Formatter::WriteGroupBy(const Select& node) {
  if (node.group_by_all) {
    Line();
    Text("GROUP BY ALL");
    return;
  }
  if (node.group_by.empty()) return;
  Line();
  if (!flat_) CommentsBefore(node.group_by.front()->span.begin);
  Text("GROUP BY");
  PutWord(node.group_by_quantifier);
  Group(SpanOf(node.group_by), [&] {
    Indented([&] {
      Line();
      PutList(node.group_by);
    });
  });
  if (!node.group_by_with.empty()) {
    Text(" WITH ");
    Text(node.group_by_with);
  }
  if (node.grouping_sets != nullptr) PutNode(node.grouping_sets);
}

void Formatter::Write(const Transform& node) {
  Text(node.word);
  Text(node.parenthesized ? (node.word == "TRANSFORM" ? "(" : " (") : " ");
  if (!node.quantifier.empty()) {
    Text(node.quantifier);
    Text(" ");
  }
  PutList(node.arguments);
  if (node.parenthesized) Text(")");
  PutTokens(node.input_format);
  Text(" USING ");
  Put(node.script);
  if (!node.columns.empty()) {
    Text(" AS ");
    if (node.columns_parenthesized) Text("(");
    PutList(node.columns);
    if (node.columns_parenthesized) Text(")");
  }
  PutTokens(node.output_format);
}

void Formatter::Write(const SetOperation& node) {
  for (size_t i = 0; i < node.operands.size(); ++i) {
    if (i > 0) {
      Line();
      Text(node.word);
      PutWord(node.quantifier);
      if (node.by_name) Text(" BY NAME");
      Line();
      if (!flat_) CommentsBefore(node.operands[i]->span.begin);
    }
    Group(*node.operands[i], [&] { Put(node.operands[i]); });
  }
}

void Formatter::Write(const Values& node) {
  if (node.rows.empty()) return;  // the place of a pipe's input
  Text("VALUES");
  Indented([&] {
    Line();
    PutList(node.rows);
  });
}

void Formatter::Write(const TableQuery& node) {
  Text("TABLE ");
  Put(node.name);
}

void Formatter::Write(const NamedWindow& node) {
  Put(node.name);
  Text(" AS ");
  Put(node.window);
}

void Formatter::Write(const Pipe& node) {
  if (node.set_operation != nullptr) {
    // The first operand stands for the input.
    const auto* operation = As<SetOperation>(node.set_operation);
    const auto* const first = As<SetOperation>(operation->operands[0]);
    if (first != nullptr) Put(first);
    for (size_t i = 1; i < operation->operands.size(); ++i) {
      if (i > 1 || first != nullptr) Line();
      Text(operation->word);
      PutWord(operation->quantifier);
      if (operation->by_name) Text(" BY NAME");
      PutNode(operation->operands[i]);
    }
    return;
  }
  if (node.relation != nullptr) {
    Put(node.relation);
    return;
  }
  if (node.sample != nullptr) {
    Put(node.sample);
    return;
  }
  Text(node.step);
  if (node.distinct) Text(" DISTINCT");
  if (node.step == "SET") {
    for (size_t i = 0; i < node.items.size(); ++i) {
      Text(i > 0 ? ", " : " ");
      Put(node.items[i]->name);
      Text(" = ");
      Put(node.items[i]->expression);
    }
    return;
  }
  if (!node.items.empty()) {
    Text(" ");
    PutList(node.items);
  }
  if (!node.group_by.empty()) {
    Text(" GROUP BY ");
    PutList(node.group_by);
  }
  if (!node.names.empty()) {
    Text(" ");
    PutList(node.names);
  }
  if (!node.order_by.empty()) {
    Text(" ");
    PutList(node.order_by);
  }
  if (node.condition != nullptr) PutNode(node.condition);
  if (node.offset != nullptr) {
    Text(node.step == "OFFSET" ? " " : " OFFSET ");
    Put(node.offset);
  }
  if (!node.alias.empty()) Word(node.alias.text);
}

}  // namespace tarn::sql::tree
