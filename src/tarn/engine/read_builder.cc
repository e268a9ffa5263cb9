#include "tarn/engine/read_builder.h"

#include <utility>

namespace tarn {

ReadBuilder& ReadBuilder::Option(std::string column, std::string value) {
  options_.emplace_back(std::move(column), std::move(value));
  return *this;
}

ReadBuilder& ReadBuilder::AsOf(std::string version) {
  version_ = std::move(version);
  return *this;
}

ReadBuilder& ReadBuilder::AsOfTimestamp(std::string timestamp) {
  timestamp_ = std::move(timestamp);
  return *this;
}

ReadBuilder& ReadBuilder::Columns(std::vector<std::string> names) {
  columns_ = std::move(names);
  return *this;
}

ReadBuilder& ReadBuilder::Where(std::string sql) {
  where_ = std::move(sql);
  return *this;
}

}  // namespace tarn
