#include "tarn/sql/format/formatter_internal.h"

namespace tarn::sql::tree {

void Formatter::PutAlias(const RelationAlias& alias) {
  if (alias.empty()) return;
  Text(" AS");
  if (!alias.name.empty()) Word(alias.name.text);
  if (alias.columns.empty()) return;
  Text(" (");
  for (size_t i = 0; i < alias.columns.size(); ++i) {
    if (i > 0) Text(", ");
    Put(alias.columns[i]);
    if (i < alias.types.size()) PutNode(alias.types[i]);
  }
  Text(")");
}

void Formatter::Write(const Table& node) {
  if (!node.only.empty()) {
    Text(node.only);
    Text(" ");
  }
  if (node.source != nullptr) {
    Put(node.source);
  } else {
    Put(node.name);
  }
  if (!node.partitions.empty()) {
    Text(" PARTITION (");
    PutList(node.partitions);
    Text(")");
  }
  const bool with_options = !node.options.empty() && node.options[0] != "(";
  if (!with_options) PutTokens(node.options);
  if (node.as_of != nullptr && !node.as_of_last) PutNode(node.as_of);
  PutAliasAndSample(node);
  if (node.as_of != nullptr && node.as_of_last) PutNode(node.as_of);
  if (with_options) PutTokens(node.options);
}

void Formatter::Write(const Derived& node) {
  if (node.lateral) Text("LATERAL ");
  if (node.bare) {
    Put(node.query);
  } else {
    Group(node.query->span, [&] {
      Text(node.table_word ? "TABLE (" : "(");
      Indented([&] {
        SoftLine();
        if (!flat_) CommentsBefore(node.query->span.begin);
        Put(node.query);
      });
      SoftLine();
      Text(")");
    });
  }
  PutAliasAndSample(node);
}

void Formatter::Write(const Function& node) {
  if (node.lateral) Text("LATERAL ");
  if (!node.wrapper.empty()) {
    Text(node.wrapper);
    Text(" (");
  }
  PutList(node.calls);
  if (!node.wrapper.empty()) Text(")");
  if (node.with == "WITH ORDINALITY") Word(node.with);
  PutAliasAndSample(node);
  if (node.with == "WITH OFFSET") {
    Word(node.with);
    if (!node.offset.empty()) {
      Text(" AS ");
      Put(node.offset);
    }
  }
}

void Formatter::Write(const Join& node) {
  if (node.left != nullptr) {
    Put(node.left);
    Line();
    if (!flat_) CommentsBefore(node.right->span.begin);
  }
  Text(node.words);
  PutNode(node.right);
  if (node.on != nullptr) {
    Text(" ON ");
    Indented([&] { Group(*node.on, [&] { Put(node.on); }); });
  }
  if (!node.using_columns.empty()) {
    Text(" USING (");
    PutList(node.using_columns);
    Text(")");
    if (!node.using_alias.empty()) {
      Text(" AS ");
      Put(node.using_alias);
    }
  }
}

void Formatter::Write(const Nested& node) {
  Text("(");
  Indented([&] {
    SoftLine();
    PutList(node.relations);
  });
  SoftLine();
  Text(")");
  PutAliasAndSample(node);
}

void Formatter::Write(const LateralView& node) {
  if (node.input != nullptr) {
    Put(node.input);
    Line();
  }
  Text(node.outer ? "LATERAL VIEW OUTER " : "LATERAL VIEW ");
  Put(node.call);
  if (!node.table_alias.empty()) Word(node.table_alias.text);
  if (node.columns.empty()) return;
  Text(node.worded ? " AS " : " ");
  if (node.columns_parenthesized) Text("(");
  PutList(node.columns);
  if (node.columns_parenthesized) Text(")");
}

void Formatter::Write(const Pivot& node) {
  if (node.statement) {
    Text("PIVOT ");
    Put(node.input);
    PutClause("ON", node.keys);
    PutClause("USING", node.aggregates);
    PutClause("GROUP BY", node.group_by);
    return;
  }
  if (node.input != nullptr) {
    Put(node.input);
    Line();
  }
  Text("PIVOT (");
  PutList(node.aggregates);
  Text(" FOR ");
  if (node.key_parenthesized) Text("(");
  PutList(node.keys);
  if (node.key_parenthesized) Text(")");
  Text(" IN ");
  if (node.values_query != nullptr && !node.values_bracketed) {
    Put(node.values_query);
  } else if (node.values_query != nullptr) {
    Text("(");
    Put(node.values_query);
    Text(")");
  } else {
    PutBracketed(node.values);
  }
  if (!node.group_by.empty()) {
    Text(" GROUP BY ");
    PutList(node.group_by);
  }
  Text(")");
  PutAlias(node.alias);
}

void Formatter::Write(const Unpivot& node) {
  if (node.statement) {
    Text("UNPIVOT ");
    if (!node.nulls.empty()) {
      Text(node.nulls);
      Text(" ");
    }
    Put(node.input);
    PutClause("ON", node.items);
    if (!node.name.empty() || !node.values.empty()) {
      Line();
      Text("INTO");
      if (!node.name.empty()) {
        Text(" NAME ");
        Put(node.name);
      }
      if (!node.values.empty()) {
        Text(" VALUE ");
        PutList(node.values);
      }
    }
    return;
  }
  if (node.input != nullptr) {
    Put(node.input);
    Line();
  }
  Text("UNPIVOT ");
  if (!node.nulls.empty()) {
    Text(node.nulls);
    Text(" ");
  }
  Text("(");
  if (node.values_parenthesized) Text("(");
  PutList(node.values);
  if (node.values_parenthesized) Text(")");
  Text(" FOR ");
  Put(node.name);
  Text(" IN ");
  PutBracketed(node.items);
  Text(")");
  PutAlias(node.alias);
}

void Formatter::Write(const UnpivotItem& node) {
  if (node.parenthesized) Text("(");
  PutList(node.columns);
  if (node.parenthesized) Text(")");
  if (node.label != nullptr) {
    Text(" AS ");
    Put(node.label);
  }
}

void Formatter::Write(const MatchRecognize& node) {
  if (node.input != nullptr) {
    Put(node.input);
    Text(" ");
  }
  Text("MATCH_RECOGNIZE (");
  Indented([&] {
    PutClause("PARTITION BY", node.partition_by);
    PutClause("ORDER BY", node.order_by);
    PutClause("MEASURES", node.measures);
    if (!node.rows.empty()) {
      Line();
      Put(node.rows);
    }
    Line();
    Text("PATTERN (");
    PutAsWritten(node.pattern);
    Text(")");
    if (!node.subset.empty()) {
      Line();
      Text("SUBSET");
      PutTokens(node.subset);
    }
    if (!node.defines.empty()) {
      Line();
      Text("DEFINE");
      Indented([&] {
        for (size_t i = 0; i < node.defines.size(); ++i) {
          if (i > 0) Text(",");
          Line();
          Put(node.defines[i]->name);
          Text(" AS ");
          Put(node.defines[i]->expression);
        }
      });
    }
  });
  SoftLine();
  Text(")");
  PutAlias(node.alias);
}

void Formatter::Write(const Sample& node) {
  Text(node.word);
  PutTokens(node.method);
  if (!node.on.empty()) {
    Text(" ON ");
    PutList(node.on);
  }
  Put(node.rest);
}

void Formatter::Write(const TimeTravel& node) {
  Text(node.words);
  if (!node.unit.empty()) {
    Text(" (");
    Text(node.unit);
    Text(" => ");
    Put(node.value);
    Text(")");
    return;
  }
  PutNode(node.value);
  if (node.until != nullptr) {
    Text(node.words.ends_with("BETWEEN") ? " AND " : " TO ");
    Put(node.until);
  }
}

}  // namespace tarn::sql::tree
