#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tarn {

// A field as it stands between its separators, or between its quotes.
struct CsvField {
  std::string_view text;
  bool quoted = false;
  bool doubled = false;  // has "" for a quote: CsvText undoes that

  // An empty field without quotes is NULL.
  bool IsNull() const { return text.empty() && !quoted; }
};

// The field's value: its text, or with doubled quotes undone in `scratch`.
std::string_view CsvText(const CsvField& field, std::string* scratch);

// The records of a block of CSV (RFC 4180): fields between quotes may hold separators, line ends
// and doubled quotes; records end at LF or CR LF. Blank lines are passed over but counted.
class CsvRecords {
 public:
  CsvRecords(std::string_view block, char delimiter);

  // Goes to the next record; false at the end.
  bool Next();
  // Of the record at hand:
  const std::vector<CsvField>& fields() const { return fields_; }
  int64_t line() const { return record_line_; }  // 0-based, of its first line
  std::string_view raw() const { return raw_; }  // without its line end
  // Null, or why it breaks the rules; then fields() is not to be used.
  const char* problem() const { return problem_; }

  int64_t lines() const { return line_; }                              // passed so far
  size_t offset() const { return static_cast<size_t>(at_ - begin_); }  // behind the record

 private:
  const char* QuotedField(const char* p, CsvField* field);
  void SkipLine(const char* p);

  const char* begin_;
  const char* at_;
  const char* end_;
  const char delimiter_;
  std::array<bool, 256> special_{};
  std::vector<CsvField> fields_;
  std::string_view raw_;
  const char* problem_ = nullptr;
  int64_t line_ = 0;
  int64_t record_line_ = 0;
};

}  // namespace tarn
