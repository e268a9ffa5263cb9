#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"

namespace tarn::cli {

// A line of input being edited on the terminal, with history and completion. One may live at a time
// (the terminal is one). Not thread-safe.
class LineEditor {
 public:
  // Candidates for the word that ends `text_before_cursor`.
  using Complete = std::function<std::vector<std::string>(std::string_view text_before_cursor)>;

  // `history_file` may be empty: then nothing is kept. kUnavailable if there is no terminal.
  static Result<std::unique_ptr<LineEditor>> Make(const std::string& history_file,
                                                  Complete complete);
  virtual ~LineEditor() = default;

  enum class End : uint8_t { kLine, kInterrupted, kEndOfInput };
  struct Line {
    End end = End::kLine;
    std::string text = {};  // without the line end
  };
  // Waits for a line.
  virtual Line Read(const std::string& prompt) = 0;
  // Adds to the history, in the file too.
  virtual void Remember(const std::string& text) = 0;
};

// What a press of tab adds: the longest beginning all candidates share beyond `word` (ignoring
// case, spelled as the first one), or nothing. Candidates are those that begin with `word`.
std::string SharedCompletion(std::string_view word, const std::vector<std::string>& candidates);

// The word at the end of `text`: letters, digits, '_', '.', and bytes of UTF-8.
std::string_view LastWord(std::string_view text);

}  // namespace tarn::cli
