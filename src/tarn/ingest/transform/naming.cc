#include "tarn/ingest/transform/naming.h"

#include <xxhash.h>

#include <arrow/array.h>
#include <arrow/array/array_nested.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/ingest/transform/unicode_case.h"

namespace tarn {

std::string SnakeCase(std::string_view name) {
  enum class Letter : uint8_t { kNone, kLower, kUpper, kDigit };
  const auto letter_of = [](uint32_t code) {
    if (IsUpperCase(code)) return Letter::kUpper;
    if (IsLowerCase(code)) return Letter::kLower;
    return IsDecimalDigit(code) ? Letter::kDigit : Letter::kNone;
  };
  std::vector<uint32_t> codes;
  for (size_t at = 0; at < name.size();) codes.push_back(NextCodePoint(name, &at));
  std::string snake;
  for (size_t i = 0; i < codes.size(); ++i) {
    const uint32_t code = codes[i];
    if (code == '.' || code == '-' || code == ' ') {
      snake.push_back('_');
      continue;
    }
    if (i > 0 && letter_of(code) == Letter::kUpper) {
      const Letter before = letter_of(codes[i - 1]);
      const bool lower_follows = i + 1 < codes.size() && letter_of(codes[i + 1]) == Letter::kLower;
      if (before == Letter::kLower || before == Letter::kDigit ||
          (before == Letter::kUpper && lower_follows)) {
        snake.push_back('_');
      }
    }
    AppendLower(code, &snake);
  }
  return snake;
}

namespace {

enum class Collisions : uint8_t { kRefuse, kSuffix };

struct NamingOptions {
  bool flatten = false;
  bool snake_case = false;
  Collisions collisions = Collisions::kRefuse;
  std::string separator = "_";
};

// $.user.id, $['user.id'].
std::string JsonPath(const ColumnPath& path) {
  std::string text = "$";
  for (const std::string& name : path) {
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || static_cast<unsigned char>(c) >= 0x80;
    });
    text += plain ? "." + name : "['" + name + "']";
  }
  return text;
}

std::string Suffix(const ColumnPath& path) {
  const std::string text = JsonPath(path);
  char hex[8];
  std::snprintf(hex, sizeof hex, "%06x",
                static_cast<unsigned>(XXH3_64bits(text.data(), text.size()) & 0xFFFFFF));
  return std::string("_") + hex;
}

// A name among its siblings, and where it comes from.
struct Named {
  std::string name;
  ColumnPath path;
  std::string own_name;  // the source's, for "already had the name"
};

// Makes clashing names different, or says which clash.
Status Settle(std::vector<Named*>& siblings, Collisions collisions) {
  std::map<std::string, std::vector<Named*>> groups;
  for (Named* named : siblings) groups[AsciiLower(named->name)].push_back(named);
  for (auto& [folded, group] : groups) {
    if (group.size() < 2) continue;
    if (collisions == Collisions::kRefuse) {
      std::vector<std::string> sources;
      for (const Named* named : group) sources.push_back(JsonPath(named->path));
      return Invalid("these become one column '" + group[0]->name + "': " + Join(sources, ", ") +
                     "; rename all but one before this step, or say 'collisions: suffix'");
    }
    const auto owner = std::find_if(group.begin(), group.end(), [](const Named* named) {
      return named->path.size() == 1 && named->own_name == named->name;
    });
    for (auto member = group.begin(); member != group.end(); ++member) {
      if (member != owner) (*member)->name += Suffix((*member)->path);
    }
  }
  std::map<std::string, const Named*> taken;
  for (const Named* named : siblings) {
    const auto [other, fresh] = taken.try_emplace(AsciiLower(named->name), named);
    if (!fresh) {
      return Invalid("these become one column '" + named->name + "' even with a suffix: " +
                     JsonPath(other->second->path) + ", " + JsonPath(named->path));
    }
  }
  return {};
}

// Renames members below `type`, to any depth. Lists and maps keep the names of their parts.
Status RenameMembers(Type& type, const ColumnPath& path, const NamingOptions& options) {
  std::vector<Named> members(type.fields.size());
  std::vector<Named*> siblings;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    Field& field = type.fields[i];
    members[i].path = path;
    members[i].path.push_back(field.name);
    members[i].own_name = field.name;
    members[i].name = type.kind == TypeKind::kStruct ? SnakeCase(field.name) : field.name;
    TARN_RETURN_IF_ERROR(RenameMembers(field.type, members[i].path, options));
    siblings.push_back(&members[i]);
  }
  TARN_RETURN_IF_ERROR(Settle(siblings, options.collisions));
  for (size_t i = 0; i < members.size(); ++i) type.fields[i].name = members[i].name;
  return {};
}

// An output column: the way down to it through the input's structs.
struct Leaf {
  Named named;
  std::vector<int> way;
  Type type;
};

class Naming final : public Transform {
 public:
  static Result<std::unique_ptr<Transform>> Make(const Schema& input,
                                                 const NamingOptions& options) {
    auto naming = std::unique_ptr<Naming>(new Naming());
    for (size_t i = 0; i < input.fields.size(); ++i) {
      naming->Collect(input.fields[i], {}, "", {static_cast<int>(i)}, options);
    }
    std::vector<Named*> siblings;
    for (Leaf& leaf : naming->leaves_) siblings.push_back(&leaf.named);
    TARN_RETURN_IF_ERROR(Settle(siblings, options.collisions));
    for (Leaf& leaf : naming->leaves_) {
      const Type before = leaf.type;
      if (options.snake_case) {
        TARN_RETURN_IF_ERROR(RenameMembers(leaf.type, leaf.named.path, options));
      }
      Field field;
      field.name = leaf.named.name;
      field.type = leaf.type;
      naming->output_.fields.push_back(std::move(field));
      naming->flows_.push_back(
          {leaf.named.name, {FlowInput{leaf.named.path}}, leaf.type == before});
    }
    return std::unique_ptr<Transform>(std::move(naming));
  }

  const Schema& output() const override { return output_; }
  const std::vector<Flow>& flows() const override { return flows_; }

  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const override {
    std::vector<std::shared_ptr<arrow::Array>> columns;
    for (const Leaf& leaf : leaves_) {
      std::shared_ptr<arrow::Array> column = batch->column(leaf.way[0]);
      for (size_t depth = 1; depth < leaf.way.size(); ++depth) {
        const auto& parent = static_cast<const arrow::StructArray&>(*column);
        // Flattened: what lies below a NULL struct is NULL.
        TARN_ASSIGN_OR_RETURN(column, Lift(parent.GetFlattenedField(leaf.way[depth]), "flatten"));
      }
      columns.push_back(std::move(column));
    }
    std::vector<std::shared_ptr<arrow::Field>> fields;
    for (size_t i = 0; i < columns.size(); ++i) {
      fields.push_back(arrow::field(output_.fields[i].name, columns[i]->type()));
    }
    TARN_ASSIGN_OR_RETURN(
        auto named, WithSchema(*arrow::RecordBatch::Make(arrow::schema(std::move(fields)),
                                                         batch->num_rows(), std::move(columns)),
                               output_));
    return Transformed{std::move(named)};
  }

 private:
  void Collect(const Field& field, ColumnPath path, const std::string& prefix, std::vector<int> way,
               const NamingOptions& options) {
    path.push_back(field.name);
    std::string name = prefix + (options.snake_case ? SnakeCase(field.name) : field.name);
    if (options.flatten && field.type.kind == TypeKind::kStruct) {
      for (size_t i = 0; i < field.type.fields.size(); ++i) {
        std::vector<int> longer = way;
        longer.push_back(static_cast<int>(i));
        Collect(field.type.fields[i], path, name + options.separator, std::move(longer), options);
      }
      return;
    }
    leaves_.push_back({{std::move(name), std::move(path), field.name}, std::move(way), field.type});
  }

  std::vector<Leaf> leaves_;
  Schema output_;
  std::vector<Flow> flows_;
};

class NamingMaker final : public TransformMaker {
 public:
  explicit NamingMaker(bool flatten) : flatten_(flatten) {}

  Result<std::unique_ptr<Transform>> Make(Runtime& /*runtime*/, const Schema& input,
                                          const TransformStep& step) const override {
    NamingOptions options;
    options.flatten = flatten_;
    options.snake_case = !flatten_;
    for (const auto& [key, value] : step.options) {
      if (key == "collisions") {
        if (value != "refuse" && value != "suffix") {
          return Invalid("collisions is 'refuse' or 'suffix', not '" + value + "'");
        }
        options.collisions = value == "suffix" ? Collisions::kSuffix : Collisions::kRefuse;
      } else if (flatten_ && key == "separator") {
        options.separator = value;
      } else if (flatten_ && key == "snake_case") {
        options.snake_case = value == "true";
      } else {
        return Invalid("no option '" + key + "'" +
                       DidYouMean(key, {"collisions", "separator", "snake_case"}));
      }
    }
    return Naming::Make(input, options);
  }

 private:
  const bool flatten_;
};

}  // namespace

std::unique_ptr<TransformMaker> MakeSnakeCaseMaker() {
  return std::make_unique<NamingMaker>(/*flatten=*/false);
}
std::unique_ptr<TransformMaker> MakeFlattenMaker() {
  return std::make_unique<NamingMaker>(/*flatten=*/true);
}

}  // namespace tarn
