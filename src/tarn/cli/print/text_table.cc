#include "tarn/cli/print/text_table.h"

#include <algorithm>

#include "tarn/cli/print/display_width.h"

namespace tarn::cli {
namespace {

constexpr size_t kNarrowest = 8;  // what a column is cut to before others are left out

std::string Padded(const std::string& cell, size_t width, Align align) {
  const size_t used = DisplayWidth(cell);
  const std::string space(used < width ? width - used : 0, ' ');
  return align == Align::kRight ? space + cell : cell + space;
}

std::string Rule(const std::vector<size_t>& widths, const char* left, const char* middle,
                 const char* right) {
  std::string line = left;
  for (size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) line += middle;
    for (size_t n = 0; n < widths[i] + 2; ++n) line += "─";
  }
  return line + right + "\n";
}

size_t TotalWidth(const std::vector<size_t>& widths) {
  size_t total = 1;
  for (const size_t width : widths) total += width + 3;
  return total;
}

// Cuts the widest columns until the lines fit; returns how many columns remain.
size_t Fit(std::vector<size_t>& widths, size_t width_max) {
  while (TotalWidth(widths) > width_max) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) break;
    const size_t excess = TotalWidth(widths) - width_max;
    // Not below the second widest in one step, so that equals shrink together.
    size_t next = kNarrowest;
    for (const size_t width : widths) {
      if (width < *widest) next = std::max(next, width);
    }
    *widest =
        std::max(next == *widest ? *widest - 1 : next, *widest > excess ? *widest - excess : next);
    if (*widest < kNarrowest) *widest = kNarrowest;
  }
  while (widths.size() > 1 && TotalWidth(widths) > width_max) widths.pop_back();
  return widths.size();
}

}  // namespace

std::string BoxedTable(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, size_t width_max) {
  std::vector<std::vector<std::string>> cells;
  std::vector<size_t> widths;
  widths.reserve(columns.size());
  for (const TextColumn& column : columns) widths.push_back(DisplayWidth(OnOneLine(column.name)));
  for (const auto& row : rows) {
    std::vector<std::string> line;
    for (size_t i = 0; i < columns.size(); ++i) {
      line.push_back(OnOneLine(row[i]));
      widths[i] = std::max(widths[i], DisplayWidth(line.back()));
    }
    cells.push_back(std::move(line));
  }
  const size_t shown = width_max > 0 && !widths.empty() ? Fit(widths, width_max) : widths.size();
  const auto draw = [&](const std::vector<std::string>& line) {
    std::string text = "│";
    for (size_t i = 0; i < shown; ++i) {
      text += " " + Padded(CutToWidth(line[i], widths[i]), widths[i], columns[i].align) + " │";
    }
    return text + "\n";
  };
  std::vector<std::string> header;
  header.reserve(columns.size());
  for (const TextColumn& column : columns) header.push_back(OnOneLine(column.name));
  std::string text = Rule(widths, "┌", "┬", "┐") + draw(header) + Rule(widths, "├", "┼", "┤");
  for (const auto& line : cells) text += draw(line);
  text += Rule(widths, "└", "┴", "┘");
  if (shown < columns.size()) {
    text += std::to_string(columns.size() - shown) + " more columns: the terminal is too narrow\n";
  }
  return text;
}

std::string PlainTable(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  widths.reserve(columns.size());
  for (const TextColumn& column : columns) widths.push_back(DisplayWidth(column.name));
  for (const auto& row : rows) {
    for (size_t i = 0; i < columns.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(OnOneLine(row[i])));
    }
  }
  std::string text;
  const auto draw = [&](const std::vector<std::string>& line) {
    std::string one;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) one += "  ";
      one += Padded(OnOneLine(line[i]), widths[i], columns[i].align);
    }
    one.erase(one.find_last_not_of(' ') + 1);
    text += one + "\n";
  };
  std::vector<std::string> header;
  header.reserve(columns.size());
  for (const TextColumn& column : columns) header.push_back(column.name);
  draw(header);
  for (const auto& row : rows) draw(row);
  return text;
}

}  // namespace tarn::cli
