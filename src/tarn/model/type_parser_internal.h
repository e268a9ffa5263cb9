#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/model/types.h"

namespace tarn {

// Recursive descent over type and column texts; ParseType and ParseColumns share it. Not
// thread-safe.
class TypeParser {
 public:
  explicit TypeParser(std::string_view text) : text_(text) {}

  Result<Type> ParseType();
  Result<std::string> Name();
  Result<bool> ParseNotNull();
  bool AtEnd();
  bool Accept(char c);
  bool AcceptWord(std::string_view word);
  Error Unexpected(std::string_view wanted);
  // The rest of the text, and moving within it: for what is not a type (COMMENT, DEFAULT).
  std::string_view rest() {
    SkipSpace();
    return text_.substr(at_);
  }
  void Skip(size_t count) { at_ += count; }

 private:
  void SkipSpace();
  std::string_view Word();
  Result<int32_t> Number();
  Result<Type> ParseUnsuffixed();
  Result<Type> ParseDecimal();
  Result<Type> ParseStruct();

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace tarn
