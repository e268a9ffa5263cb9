#include "tarn/sql/tree_text.h"

#include <type_traits>

namespace tarn::sql::tree {
namespace {

class Printer {
 public:
  std::string Print(const Node& node) {
    Add(node, {});
    return std::move(text_);
  }

 private:
  void Add(const Node& node, std::string_view field) {
    text_.append(2 * static_cast<size_t>(level_), ' ');
    if (!field.empty()) {
      text_ += field;
      text_ += ": ";
    }
    text_ += KindName(node.kind);
    Visit(node, [&](const auto& typed) {
      typed.Fields([&](std::string_view name, const auto& value) { AddScalar(name, value); });
    });
    text_ += '\n';
    ++level_;
    Visit(node, [&](const auto& typed) {
      typed.Fields([&](std::string_view name, const auto& value) { AddChildren(name, value); });
    });
    --level_;
  }

  void Begin(std::string_view name) {
    text_ += ' ';
    text_ += name;
    text_ += '=';
  }

  // ---- What stands on the node's own line.
  void AddScalar(std::string_view name, bool value) {
    if (!value) return;
    text_ += ' ';
    text_ += name;
  }
  void AddScalar(std::string_view name, char value) {
    if (value == '\0') return;
    Begin(name);
    text_ += value;
  }
  void AddScalar(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    Begin(name);
    text_ += value;
  }
  void AddScalar(std::string_view name, const Identifier& value) { AddScalar(name, value.text); }
  void AddScalar(std::string_view name, const Name& value) {
    if (!value.empty()) AddScalar(name, std::string_view(NameText(value)));
  }
  void AddScalar(std::string_view name, const RelationAlias& value) {
    AddScalar(name, value.name.text);
    AddScalar("columns", value.columns);
  }
  template <class T>
  void AddScalar(std::string_view name, const List<T>& values) {
    if constexpr (!std::is_pointer_v<T>) {
      if (values.empty()) return;
      Begin(name);
      text_ += '[';
      for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) text_ += ' ';
        AddElement(values[i]);
      }
      text_ += ']';
    }
  }
  void AddScalar(std::string_view /*name*/, const Node* /*child*/) {}

  void AddElement(std::string_view value) { text_ += value; }
  void AddElement(const Identifier& value) { text_ += value.text; }
  void AddElement(const Name& value) { text_ += NameText(value); }

  // ---- What stands below.
  template <class T>
  void AddChildren(std::string_view name, const T& value) {
    if constexpr (std::is_convertible_v<T, const Node*>) {
      const Node* const child = value;
      if (child != nullptr) Add(*child, name);
    } else if constexpr (std::is_same_v<T, RelationAlias>) {
      for (const Type* type : value.types) Add(*type, "type");
    } else if constexpr (requires { static_cast<const Node*>(*value.begin()); }) {
      for (const Node* child : value) Add(*child, name);
    }
  }

  std::string text_;
  int level_ = 0;
};

}  // namespace

std::string TreeToText(const Node& node) { return Printer().Print(node); }

}  // namespace tarn::sql::tree
