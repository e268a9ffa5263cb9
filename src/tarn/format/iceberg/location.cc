#include "tarn/format/iceberg/location.h"

namespace tarn::iceberg {
namespace {

std::string_view Trimmed(std::string_view location) {
  while (location.starts_with("./")) location.remove_prefix(2);
  while (location.size() > 1 && location.ends_with('/')) location.remove_suffix(1);
  return location;
}

// "hdfs://host:20500/a/b", "file:/a/b", "/a/b" → "/a/b". Relative ones stay.
std::string_view WithoutAuthority(std::string_view location) {
  size_t scheme = 0;
  while (scheme < location.size() && location[scheme] != ':' && location[scheme] != '/') ++scheme;
  if (scheme == location.size() || location[scheme] != ':') return location;
  std::string_view rest = location.substr(scheme + 1);
  if (!rest.starts_with("//")) return rest;
  rest.remove_prefix(2);
  const size_t slash = rest.find('/');
  return slash == std::string_view::npos ? rest.substr(rest.size()) : rest.substr(slash);
}

// What follows `prefix` and '/' in `location`.
std::optional<std::string_view> Below(std::string_view prefix, std::string_view location) {
  if (prefix.empty() || !location.starts_with(prefix)) return std::nullopt;
  std::string_view rest = location.substr(prefix.size());
  if (rest.empty()) return rest;
  if (!rest.starts_with('/')) return std::nullopt;
  while (rest.starts_with('/')) rest.remove_prefix(1);
  return rest;
}

}  // namespace

Locations::Locations(const TableHome& home, std::string_view table_location)
    : home_(home),
      table_location_(Trimmed(table_location)),
      table_path_(Trimmed(WithoutAuthority(table_location))) {}

Result<Path> Locations::Resolve(std::string_view given) const {
  const std::string_view location = Trimmed(given);
  for (const auto& [from, to] : home_.relocations) {
    if (const auto rest = Below(Trimmed(from), location)) {
      const std::string moved =
          rest->empty() ? to : std::string(Trimmed(to)) + "/" + std::string(*rest);
      return home_.Resolve(moved);
    }
  }
  auto rest = Below(table_location_, location);
  if (!rest) rest = Below(table_path_, WithoutAuthority(location));
  if (rest) return rest->empty() ? Result<Path>(home_.root) : home_.root.Join(*rest);
  Result<Path> object = home_.Resolve(location);
  if (!object.ok()) {
    return object.error().WithContext("iceberg: location '" + std::string(given) + "'");
  }
  return object;
}

std::optional<std::string_view> Locations::BelowTable(std::string_view location) const {
  if (!home_.relocations.empty()) return std::nullopt;
  const auto rest = Below(table_location_, location);
  if (!rest || rest->empty()) return std::nullopt;
  // What may leave the folder, or is spelled twice over, is looked at closely.
  if (rest->find("..") != std::string_view::npos || rest->find("//") != std::string_view::npos) {
    return std::nullopt;
  }
  return rest;
}

Result<std::string> Locations::Spell(std::string_view location) const {
  if (const auto below = BelowTable(location)) return std::string(*below);
  TARN_ASSIGN_OR_RETURN(const Path object, Resolve(location));
  return home_.Spell(object);
}

std::string Locations::LocationOf(std::string_view spelled) const {
  if (spelled.starts_with('/')) return std::string(spelled);
  return table_location_ + "/" + std::string(spelled);
}

}  // namespace tarn::iceberg
