#include "tarn/lineage/lineage_graph.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tarn/lineage/merge_script.h"

namespace tarn::lineage {
namespace {

// A box: a dataset and the columns of it that edges mean. Column 0 is every row.
struct Box {
  std::string name;
  std::vector<std::string> columns;
};

struct Arrow {
  std::pair<size_t, size_t> from;  // box, column from 1; 0: the box itself
  std::pair<size_t, size_t> to;
  std::string label;  // empty: a plain copy
  bool direct = true;
};

struct Graph {
  std::vector<Box> boxes;
  std::vector<Arrow> arrows;
};

class GraphMaker {
 public:
  Graph Make(const MergedLineage& merged) {
    for (const std::string& name : merged.inputs) BoxOf(name);
    for (const std::string& name : merged.outputs) BoxOf(name);
    for (const MergedColumn& column : merged.columns) {
      const auto to = ColumnOf(column.output);
      for (const MergedSource& source : column.sources) {
        Add({ColumnOf(source.column), to, LabelOf(source.kind), IsDirect(source.kind)});
      }
    }
    for (const MergedEffect& effect : merged.effects) {
      for (const std::string& output : effect.outputs) {
        Add({ColumnOf(effect.column), {BoxOf(output), 0}, LabelOf(effect.kind), false});
      }
    }
    return std::move(graph_);
  }

 private:
  static std::string LabelOf(EdgeKind kind) {
    if (kind == EdgeKind::kIdentity) return {};
    std::string label;
    for (const char byte : EdgeKindName(kind)) {
      label += byte == '_' ? ' ' : static_cast<char>(byte - 'A' + 'a');
    }
    return label;
  }

  void Add(Arrow arrow) {
    const std::string key = NodeKey(arrow.from) + NodeKey(arrow.to) + arrow.label;
    if (drawn_.insert(key).second) graph_.arrows.push_back(std::move(arrow));
  }

  static std::string NodeKey(const std::pair<size_t, size_t>& node) {
    return std::to_string(node.first) + ":" + std::to_string(node.second) + " ";
  }

  size_t BoxOf(const std::string& name) {
    const auto [found, is_new] = boxes_.emplace(name, graph_.boxes.size());
    if (is_new) graph_.boxes.push_back({name, {}});
    return found->second;
  }

  // The column after the last dot that is not in back-ticks.
  std::pair<size_t, size_t> ColumnOf(const std::string& qualified) {
    const auto known = columns_.find(qualified);
    if (known != columns_.end()) return known->second;
    std::string dataset = qualified;
    size_t dot = std::string::npos;
    for (const auto& [name, index] : boxes_) {
      // A dataset's name may hold dots of its own (a path): the longest that fits is it.
      if (qualified.size() > name.size() + 1 && qualified.compare(0, name.size(), name) == 0 &&
          qualified[name.size()] == '.' && (dot == std::string::npos || name.size() > dot)) {
        dot = name.size();
      }
    }
    if (dot == std::string::npos) dot = qualified.rfind('.');
    if (dot == std::string::npos) dot = 0;
    const size_t box = BoxOf(qualified.substr(0, dot));
    graph_.boxes[box].columns.push_back(qualified.substr(std::min(dot + 1, qualified.size())));
    const std::pair<size_t, size_t> at{box, graph_.boxes[box].columns.size()};
    columns_.emplace(qualified, at);
    return at;
  }

  Graph graph_;
  std::unordered_map<std::string, size_t> boxes_;
  std::unordered_map<std::string, std::pair<size_t, size_t>> columns_;
  std::unordered_set<std::string> drawn_;
};

// `text` in quotes, as one line.
std::string DotLabel(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') out += '\\';
    out += byte == '\n' || byte == '\r' ? ' ' : byte;
  }
  return out + "\"";
}

// The same for Mermaid, which reads a label as HTML, and one in back-ticks as Markdown; its own
// way to spell a character is #code;.
std::string MermaidLabel(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    if (std::string_view("\"#<>&`\\").find(byte) != std::string_view::npos) {
      out += '#' + std::to_string(static_cast<int>(byte)) + ';';
    } else {
      out += byte == '\n' || byte == '\r' ? ' ' : byte;
    }
  }
  return out + "\"";
}

std::string NodeName(size_t box, size_t column) {
  return "d" + std::to_string(box) + "c" + std::to_string(column);
}

}  // namespace

std::string LineageDot(const ScriptLineage& script) {
  const Graph graph = GraphMaker().Make(MergeScript(script));
  std::string out = "digraph lineage {\n  rankdir=LR;\n  node [shape=box, fontsize=10];\n";
  for (size_t box = 0; box < graph.boxes.size(); ++box) {
    out += "  subgraph cluster_" + std::to_string(box) +
           " {\n    label=" + DotLabel(graph.boxes[box].name) + ";\n    " + NodeName(box, 0) +
           " [label=\"every row\", shape=plaintext];\n";
    for (size_t column = 0; column < graph.boxes[box].columns.size(); ++column) {
      out += "    " + NodeName(box, column + 1) +
             " [label=" + DotLabel(graph.boxes[box].columns[column]) + "];\n";
    }
    out += "  }\n";
  }
  for (const Arrow& arrow : graph.arrows) {
    out += "  " + NodeName(arrow.from.first, arrow.from.second) + " -> " +
           NodeName(arrow.to.first, arrow.to.second);
    std::string attributes;
    if (!arrow.label.empty()) attributes = "label=" + DotLabel(arrow.label);
    if (!arrow.direct) attributes += attributes.empty() ? "style=dashed" : ", style=dashed";
    if (!attributes.empty()) out += " [" + attributes + "]";
    out += ";\n";
  }
  return out + "}\n";
}

std::string LineageMermaid(const ScriptLineage& script) {
  const Graph graph = GraphMaker().Make(MergeScript(script));
  std::string out = "flowchart LR\n";
  const auto label = [](std::string_view text) { return "[" + MermaidLabel(text) + "]"; };
  for (size_t box = 0; box < graph.boxes.size(); ++box) {
    out += "  subgraph d" + std::to_string(box) + label(graph.boxes[box].name) + "\n";
    const bool whole =
        graph.boxes[box].columns.empty() ||
        std::any_of(graph.arrows.begin(), graph.arrows.end(), [&](const Arrow& arrow) {
          return arrow.to == std::pair<size_t, size_t>(box, 0);
        });
    if (whole) out += "    " + NodeName(box, 0) + "([every row])\n";
    for (size_t column = 0; column < graph.boxes[box].columns.size(); ++column) {
      out += "    " + NodeName(box, column + 1) + label(graph.boxes[box].columns[column]) + "\n";
    }
    out += "  end\n";
  }
  for (const Arrow& arrow : graph.arrows) {
    out += "  " + NodeName(arrow.from.first, arrow.from.second);
    out += arrow.direct ? " -->" : " -.->";
    if (!arrow.label.empty()) out += "|" + arrow.label + "|";
    out += " " + NodeName(arrow.to.first, arrow.to.second) + "\n";
  }
  return out;
}

}  // namespace tarn::lineage
