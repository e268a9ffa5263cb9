#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// Where the locations in one table's metadata stand. They are whole strings, nothing is encoded:
// "s3://bucket/t/data/a=1/x.parquet", "/warehouse/t/…", "t/data/…" where the table was made by a
// relative name. A prefix of --relocate decides first; what begins with the table's own `location`
// lies in the folder that was opened, wherever it was copied to, and whatever scheme and authority
// it is spelled with. Holds a reference to the home.
class Locations {
 public:
  Locations(const TableHome& home, std::string_view table_location);

  // The object; kInvalid naming the location when it lies outside the store.
  Result<Path> Resolve(std::string_view location) const;
  // What of the location stands below the table's own folder, where nothing has to be relocated:
  // the common case, at the cost of one comparison.
  std::optional<std::string_view> BelowTable(std::string_view location) const;
  // DataFile::path of it.
  Result<std::string> Spell(std::string_view location) const;

  // The location by which metadata names an object of the table: below the table's own location,
  // or absolute. `spelled` as TableHome::Spell.
  std::string LocationOf(std::string_view spelled) const;

 private:
  const TableHome& home_;
  std::string table_location_;  // without '/' at its end
  std::string table_path_;      // the same without scheme and authority
};

}  // namespace tarn::iceberg
