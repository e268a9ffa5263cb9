#include <algorithm>
#include <cstring>

#include "tarn/datafile/csv_records_internal.h"

namespace tarn {

std::string_view CsvText(const CsvField& field, std::string* scratch) {
  if (!field.doubled) return field.text;
  scratch->clear();
  for (size_t i = 0; i < field.text.size(); ++i) {
    scratch->push_back(field.text[i]);
    if (field.text[i] == '"') ++i;
  }
  return *scratch;
}

CsvRecords::CsvRecords(std::string_view block, char delimiter)
    : begin_(block.data()), at_(begin_), end_(begin_ + block.size()), delimiter_(delimiter) {
  special_[static_cast<unsigned char>(delimiter)] = true;
  special_['\n'] = true;
  special_['"'] = true;
}

// `p` stands behind the opening quote; returns where the field's separator should stand, or null.
const char* CsvRecords::QuotedField(const char* p, CsvField* field) {
  const char* const begin = p;
  for (;;) {
    const void* quote = std::memchr(p, '"', static_cast<size_t>(end_ - p));
    if (quote == nullptr) {
      problem_ = "a quote is not closed";
      line_ += std::count(begin, end_, '\n');
      at_ = end_;
      return nullptr;
    }
    p = static_cast<const char*>(quote) + 1;
    if (p < end_ && *p == '"') {
      field->doubled = true;
      ++p;
      continue;
    }
    field->text = {begin, static_cast<size_t>(p - 1 - begin)};
    field->quoted = true;
    line_ += std::count(begin, p, '\n');
    if (p < end_ && *p == '\r' && (p + 1 == end_ || p[1] == '\n')) ++p;
    return p;
  }
}

void CsvRecords::SkipLine(const char* p) {
  const void* line_end = std::memchr(p, '\n', static_cast<size_t>(end_ - p));
  at_ = line_end == nullptr ? end_ : static_cast<const char*>(line_end) + 1;
  ++line_;
}

bool CsvRecords::Next() {
  for (;;) {
    if (at_ == end_) return false;
    fields_.clear();
    problem_ = nullptr;
    record_line_ = line_;
    const char* const record = at_;
    const char* p = at_;
    for (;;) {
      CsvField field;
      if (p < end_ && *p == '"') {
        p = QuotedField(p + 1, &field);
        if (p == nullptr) break;
        if (p < end_ && *p != delimiter_ && *p != '\n') {
          problem_ = "text behind a closing quote";
          SkipLine(p);
          break;
        }
      } else {
        const char* const begin = p;
        while (p < end_ && !special_[static_cast<unsigned char>(*p)]) ++p;
        if (p < end_ && *p == '"') {
          problem_ = "a quote within a field that does not begin with one";
          SkipLine(p);
          break;
        }
        field.text = {begin, static_cast<size_t>(p - begin)};
        if ((p == end_ || *p == '\n') && field.text.ends_with('\r')) field.text.remove_suffix(1);
      }
      fields_.push_back(field);
      if (p < end_ && *p == delimiter_) {
        ++p;
        continue;
      }
      at_ = p == end_ ? end_ : p + 1;
      ++line_;
      break;
    }
    raw_ = {record, static_cast<size_t>(at_ - record)};
    if (raw_.ends_with('\n')) raw_.remove_suffix(1);
    if (raw_.ends_with('\r')) raw_.remove_suffix(1);
    if (raw_.empty()) continue;  // a blank line
    return true;
  }
}

}  // namespace tarn
