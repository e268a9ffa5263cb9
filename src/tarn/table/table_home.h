#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/storage/storage.h"

namespace tarn {

// What a home says is newest: the name of the head (a metadata pointer, an instant), empty where
// the format finds it by itself (paths).
struct Head {
  std::string name = {};
  // What the home itself knows of the table, in its own words (a metastore's table and partitions);
  // empty where objects on the store say it.
  std::string document = {};
  // Whether the home alone says what is newest (a pointer in a catalog): without a name there is no
  // table yet, whatever stands at the root.
  bool authoritative = false;
};

// Where a table's truth lives and what it says is newest. A Catalog makes it from a name; a bare
// path makes one too. Whoever writes was made with the mutable Storage; a codec never is.
struct TableHome {
  Path root;  // the table's folder on the store
  const Storage& storage;
  Head head = {};
  // Prefixes that metadata names and where they stand now (`--relocate FROM=TO`), longest first.
  std::vector<std::pair<std::string, std::string>> relocations = {};
  // The line of its history that is meant (a branch); empty: the table's own. Only for a format
  // with FormatTraits::references.
  std::string branch = {};

  // The object that a location in the metadata names: relative to the root ("a=1/x.parquet",
  // already decoded by the codec), or absolute ("/data/t/x", "file:///data/t/x"), relocated if a
  // prefix says so. kInvalid if it lies outside the store.
  Result<Path> Resolve(std::string_view location) const;
  // How DataFile::path spells that object: relative to the root when it is below it, else with '/'
  // in front.
  std::string Spell(const Path& object) const;
  // The inverse of Spell.
  Result<Path> ObjectOf(std::string_view spelled) const;
};

// What is the same only for an object whose bytes are the same: the key of a cache of what was
// decoded of it.
std::string IdentityOf(const Storage& storage, const ObjectInfo& object);

// How an object is named to others: "file:///data/t/metadata/v1.metadata.json". Nothing is encoded.
std::string UriOf(const Storage& storage, const Path& object);

}  // namespace tarn
