#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tarn::cli {

enum class Align : uint8_t { kLeft, kRight };

struct TextColumn {
  std::string name;
  Align align = Align::kLeft;
};

// A table drawn with lines, for people:
//   ┌────┬──────┐
//   │ id │ name │
//   ├────┼──────┤
//   │  1 │ a    │
//   └────┴──────┘
// Cells stand on one line (control characters escaped). With `width_max` > 0 no line is wider: long
// cells are cut, then whole columns on the right left out, which a last line says.
std::string BoxedTable(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, size_t width_max);

// The same without lines, two spaces apart, for reports: a header and rows.
std::string PlainTable(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace tarn::cli
