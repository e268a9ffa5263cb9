#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tarn/sql/dialect.h"

namespace tarn::fuzz {

// Statements of a small grammar: every choice takes a byte, and where none is left the shortest is
// chosen, so each input ends. What comes out is SQL of the dialect, however odd; tables and columns
// are those of FuzzSchema (lineage_checks.h) and some that nobody knows.
class SqlGrammar {
 public:
  SqlGrammar(const uint8_t* data, size_t size, const sql::Dialect& dialect)
      : data_(data),
        size_(size),
        hadoop_(dialect.tokens.double_quoted_strings),
        postgres_(dialect.arrow_is_json) {}

  std::string Script() {
    do {
      Statement();
      out_ += ";\n";
    } while (Maybe() && size_ > 0);
    return std::move(out_);
  }

 private:
  // 0 … count - 1; 0 when the bytes are used up or the nesting is deep.
  size_t Choose(size_t count) {
    if (size_ == 0) return 0;
    --size_;
    const size_t choice = *data_++ % count;
    return depth_ > kDepthMax ? 0 : choice;
  }
  bool Maybe() { return Choose(2) == 1; }
  void Put(std::string_view text) { out_ += text; }
  void OneOf(std::initializer_list<std::string_view> texts) {
    Put(texts.begin()[Choose(texts.size())]);
  }
  // What `make` makes, once or more, with `between` in between.
  template <class Make>
  void Some(std::string_view between, Make make) {
    make();
    for (size_t count = Choose(4); count > 0; --count) {
      Put(between);
      make();
    }
  }
  struct Deeper {
    explicit Deeper(SqlGrammar& grammar) : grammar(grammar) { ++grammar.depth_; }
    ~Deeper() { --grammar.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    SqlGrammar& grammar;
  };

  void Table() { OneOf({"t", "s", "db.u", "v", "r", "q", "cat.db.w", "unknown", "`a.b`.z"}); }
  void TableOfDialect() {
    const size_t before = out_.size();
    Table();
    // Back-ticks quote names everywhere in the grammar, but PostgreSQL's people write "a.b".
    if (out_[before] == '`' && !hadoop_) {
      out_.resize(before);
      Put("\"a.b\".z");
    }
  }
  void ColumnName() { OneOf({"a", "b", "c", "d", "x", "y", "w"}); }
  void Alias() { OneOf({"m", "n", "o", "p"}); }
  void Type() { OneOf({"INT", "DECIMAL(10, 2)", "VARCHAR(5)", "DOUBLE", "DATE"}); }

  void Query() {
    const Deeper deeper(*this);
    if (Choose(4) == 1) {
      Put(Choose(4) == 1 ? "WITH RECURSIVE " : "WITH ");
      Some(", ", [&] {
        OneOf({"q", "k", "t", "r"});
        if (Choose(4) == 1) Put(" (a, b)");
        Put(" AS (");
        Query();
        Put(")");
      });
      Put(" ");
    }
    Body();
    if (Choose(4) == 1) {
      Put(" ORDER BY ");
      Some(", ", [&] {
        Expression();
        OneOf({"", " ASC", " DESC", " DESC NULLS LAST"});
      });
    }
    if (Choose(4) == 1) Put(" LIMIT 10");
  }

  void Body() {
    const Deeper deeper(*this);
    switch (Choose(8)) {
      case 1:
        Body();
        OneOf({" UNION ALL ", " UNION ", " EXCEPT ", " INTERSECT ", " UNION DISTINCT "});
        Select();
        break;
      case 2:
        Put("(");
        Query();
        Put(")");
        OneOf({" UNION ALL ", " UNION ", " INTERSECT "});
        Select();
        break;
      case 3:
        Put("VALUES ");
        Some(", ", [&] {
          Put("(");
          Some(", ", [&] { Expression(); });
          Put(")");
        });
        break;
      default:
        Select();
    }
  }

  void Select() {
    const Deeper deeper(*this);
    Put("SELECT ");
    if (Choose(8) == 1) Put("DISTINCT ");
    Some(", ", [&] { Item(); });
    if (Choose(8) == 7) return;
    Put(" FROM ");
    Some(", ", [&] { Relation(); });
    Clauses();
  }

  void Item() {
    switch (Choose(8)) {
      case 1:
        return Put("*");
      case 2:
        OneOf({"t", "s", "m"});
        return Put(".*");
      default:
        break;
    }
    Expression();
    if (Maybe()) {
      Put(" AS ");
      OneOf({"a", "m", "x", "z"});
    }
  }

  void Clauses() {
    if (Maybe()) {
      Put(" WHERE ");
      Expression();
    }
    if (Choose(4) == 1) {
      Put(" GROUP BY ");
      switch (Choose(5)) {
        case 1:
          Put("1");
          break;
        case 2:
          Put("ROLLUP (a, b)");
          break;
        case 3:
          Put("GROUPING SETS ((a), (a, b), ())");
          break;
        case 4:
          Put("ALL");
          break;
        default:
          Some(", ", [&] { Expression(); });
      }
      if (Maybe()) {
        Put(" HAVING ");
        Expression();
      }
    }
    if (Choose(8) == 1) {
      Put(" QUALIFY ");
      Expression();
    }
  }

  void Relation() {
    const Deeper deeper(*this);
    switch (Choose(10)) {
      case 1:
        Put("(");
        Query();
        Put(") ");
        Alias();
        if (Choose(4) == 1) Put(" (a, b)");
        break;
      case 2:
      case 3:
        Relation();
        Join();
        break;
      case 4:
        TableOfDialect();
        Put(" LATERAL VIEW OUTER explode(");
        Expression();
        Put(") e AS y");
        break;
      case 5:
        Put("UNNEST(");
        Expression();
        Put(") AS e (y)");
        break;
      case 6:
        TableOfDialect();
        Put(" PIVOT (");
        OneOf({"sum(a)", "max(b) AS m", "sum(a) AS p, count(*) AS n"});
        Put(" FOR c IN (1 AS one, 2 AS two))");
        break;
      case 7:
        TableOfDialect();
        Put(" TABLESAMPLE (10 PERCENT)");
        break;
      case 8:
        Put("(");
        Relation();
        Join();
        Put(")");
        break;
      default:
        TableOfDialect();
        if (Maybe()) {
          Put(Maybe() ? " AS " : " ");
          Alias();
        }
    }
  }

  void Join() {
    switch (Choose(8)) {
      case 1:
        Put(" CROSS JOIN ");
        return TableOfDialect();
      case 2:
        Put(" NATURAL JOIN ");
        return TableOfDialect();
      case 3:
        Put(" LEFT JOIN ");
        TableOfDialect();
        return Put(" USING (a, b)");
      default:
        break;
    }
    OneOf({" JOIN ", " LEFT JOIN ", " FULL OUTER JOIN ", " LEFT SEMI JOIN ", " LEFT ANTI JOIN "});
    TableOfDialect();
    Put(" ");
    Alias();
    Put(" ON ");
    Expression();
  }

  void Column() {
    if (Choose(4) == 1) OneOf({"t.", "s.", "m.", "n.", "q.", "e."});
    ColumnName();
    if (Choose(8) == 1) Put(".f");
  }

  void Literal() {
    OneOf(
        {"1", "'x'", "NULL", "TRUE", "1.5", "DATE '2024-01-01'", "INTERVAL '1' DAY", "''''", "-1"});
  }

  void Binary(std::initializer_list<std::string_view> operators) {
    Some(operators.begin()[Choose(operators.size())], [&] { Expression(); });
  }

  void Expression() {
    const Deeper deeper(*this);
    switch (Choose(24)) {
      case 1:
        return Literal();
      case 2:
        return Binary({" + ", " - ", " * ", " / ", " || ", " % "});
      case 3:
        return Binary({" AND ", " OR "});
      case 4:
        return Binary({" = ", " < ", " <> ", " >= "});
      case 5:
        OneOf({"NOT ", "- ", "+ ", "~ "});
        return Expression();
      case 6:
        return Call();
      case 7:
        return Case();
      case 8:
        Put("CAST(");
        Expression();
        Put(" AS ");
        Type();
        return Put(")");
      case 9:
        Expression();
        Put(Maybe() ? " NOT IN (" : " IN (");
        if (Maybe()) {
          Query();
        } else {
          Some(", ", [&] { Expression(); });
        }
        return Put(")");
      case 10:
        Put("EXISTS (");
        Query();
        return Put(")");
      case 11:
        Put("(");
        Query();
        return Put(")");
      case 12:
        Put("(");
        Expression();
        return Put(")");
      case 13:
        Expression();
        OneOf({" IS NULL", " IS NOT NULL", " IS NOT DISTINCT FROM a"});
        return;
      case 14:
        Expression();
        OneOf({" BETWEEN ", " NOT BETWEEN "});
        Column();
        Put(" AND ");
        return Column();
      case 15:
        Expression();
        OneOf({" LIKE ", " NOT LIKE "});
        return Literal();
      case 16:
        return Window();
      case 17:
        // PostgreSQL's arrow takes a field: a lambda is none of its.
        Put("transform(");
        Column();
        Put(postgres_ ? ", 'x' -> " : ", y -> ");
        Expression();
        return Put(")");
      case 18:
        Column();
        Put("[");
        Expression();
        return Put("]");
      case 19:
        Column();
        Put("::");
        return Type();
      case 20:
        Put("EXTRACT(YEAR FROM ");
        Expression();
        return Put(")");
      case 21:
        Put("ARRAY[");
        Some(", ", [&] { Expression(); });
        return Put("]");
      case 22:
        // A long chain of two operators that bind alike.
        Column();
        for (size_t count = Choose(200); count > 0; --count) Put(count % 2 == 0 ? " + a" : " - b");
        return;
      default:
        return Column();
    }
  }

  void Call() {
    OneOf({"f", "sum", "count", "coalesce", "if", "md5", "max", "struct", "named_struct", "nvl",
           "decode", "first_value", "db.udf", "explode", "row_number"});
    Put("(");
    if (Choose(8) == 1) {
      Put("*");
    } else if (Choose(8) != 7) {
      if (Choose(8) == 1) Put("DISTINCT ");
      Some(", ", [&] { Expression(); });
    }
    Put(")");
    if (Choose(8) == 1) {
      Put(" FILTER (WHERE ");
      Expression();
      Put(")");
    }
  }

  void Case() {
    Put("CASE ");
    if (Maybe()) {
      Expression();
      Put(" ");
    }
    Some(" ", [&] {
      Put("WHEN ");
      Expression();
      Put(" THEN ");
      Expression();
    });
    if (Maybe()) {
      Put(" ELSE ");
      Expression();
    }
    Put(" END");
  }

  void Window() {
    OneOf({"rank()", "sum(a)", "lag(b)", "first_value(c)", "count(*)"});
    Put(" OVER (");
    if (Maybe()) {
      Put("PARTITION BY ");
      Expression();
    }
    if (Maybe()) {
      Put(" ORDER BY ");
      Expression();
      OneOf({"", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW", " RANGE UNBOUNDED PRECEDING"});
    }
    Put(")");
  }

  void Assignments() {
    Some(", ", [&] {
      ColumnName();
      Put(" = ");
      // What follows the last one may begin with a word that an expression could go on with.
      Expression();
    });
  }

  void Merge() {
    Put("MERGE INTO t USING ");
    if (Maybe()) {
      Put("(");
      Query();
      Put(")");
    } else {
      Put("s");
    }
    Put(" AS m ON ");
    Expression();
    Some("", [&] {
      switch (Choose(5)) {
        case 1:
          Put(" WHEN MATCHED AND ");
          Expression();
          return Put(" THEN DELETE");
        case 2:
          return Put(" WHEN NOT MATCHED THEN INSERT *");
        case 3:
          Put(" WHEN NOT MATCHED THEN INSERT (a, b) VALUES (");
          Expression();
          Put(", ");
          Expression();
          return Put(")");
        case 4:
          return Put(" WHEN MATCHED THEN UPDATE SET *");
        default:
          Put(" WHEN MATCHED THEN UPDATE SET ");
          Assignments();
      }
    });
  }

  void Insert() {
    OneOf({"INSERT INTO ", "INSERT INTO TABLE ", "INSERT OVERWRITE TABLE "});
    OneOf({"t", "s", "unknown"});
    OneOf({" ", " PARTITION (d = '1') ", " PARTITION (d) ", " (a, b) "});
    Query();
  }

  void Statement() {
    switch (Choose(16)) {
      case 1:
      case 2:
        return Insert();
      case 3:
        Put("CREATE TABLE z AS ");
        return Query();
      case 4:
        OneOf({"CREATE VIEW ", "CREATE OR REPLACE VIEW ", "CREATE TEMPORARY VIEW "});
        OneOf({"k", "v", "q", "t"});
        Put(" AS ");
        return Query();
      case 5:
        return Merge();
      case 6:
        Put("UPDATE t SET ");
        Assignments();
        if (Maybe()) {
          Put(" FROM ");
          Relation();
        }
        Put(" WHERE ");
        return Expression();
      case 7:
        Put("DELETE FROM t WHERE ");
        return Expression();
      case 8:
        Put("FROM ");
        Relation();
        return Some("", [&] {
          OneOf({" INSERT INTO TABLE t SELECT ", " INSERT OVERWRITE TABLE s SELECT "});
          Some(", ", [&] { Item(); });
          if (Maybe()) {
            Put(" WHERE ");
            Expression();
          }
        });
      case 9:
        return OneOf({"ALTER TABLE t RENAME TO s", "ALTER TABLE z RENAME TO t",
                      "ALTER TABLE t ADD COLUMNS (y INT)", "ALTER TABLE t RENAME COLUMN a TO y"});
      case 10:
        return OneOf({"DROP TABLE t", "DROP VIEW IF EXISTS v", "TRUNCATE TABLE s", "USE db",
                      "SET x = 1", "CREATE TABLE z LIKE t", "CREATE TABLE z (a INT, b INT)"});
      default:
        return Query();
    }
  }

  static constexpr int kDepthMax = 24;
  const uint8_t* data_;
  size_t size_;
  const bool hadoop_;
  const bool postgres_;
  int depth_ = 0;
  std::string out_;
};

}  // namespace tarn::fuzz
