#include "tarn/table/table_home.h"

#include <optional>

#include <fmt/format.h>

namespace tarn {
namespace {

// "file:/a", "file:///a" and "file://localhost/a" name what "/a" names.
std::string_view WithoutFileScheme(std::string_view location) {
  for (const std::string_view scheme : {"file://localhost/", "file:///", "file:/"}) {
    if (location.starts_with(scheme)) return location.substr(scheme.size() - 1);
  }
  return location;
}

bool IsAbsolute(std::string_view location) {
  return location.starts_with('/') || location.find("://") != std::string_view::npos ||
         location.starts_with("memory:/");
}

// What follows `prefix` in `location`, without its leading '/', if the prefix ends at a segment.
std::optional<std::string_view> RestAfter(std::string_view prefix, std::string_view location) {
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  if (!location.starts_with(prefix)) return std::nullopt;
  std::string_view rest = location.substr(prefix.size());
  if (rest.empty()) return rest;
  if (!rest.starts_with('/')) return std::nullopt;
  rest.remove_prefix(1);
  return rest;
}

std::string Relocated(const std::vector<std::pair<std::string, std::string>>& relocations,
                      std::string_view location) {
  for (const auto& [from, to] : relocations) {
    const auto rest = RestAfter(WithoutFileScheme(from), location);
    if (!rest) continue;
    std::string moved(WithoutFileScheme(to));
    while (moved.ends_with('/')) moved.pop_back();
    return rest->empty() ? moved : moved + "/" + std::string(*rest);
  }
  return std::string(location);
}

}  // namespace

Result<Path> TableHome::Resolve(std::string_view location) const {
  const std::string_view plain = WithoutFileScheme(location);
  if (!IsAbsolute(plain)) return root.Join(plain);
  const std::string moved = Relocated(relocations, plain);
  const std::string store = storage.root_uri();
  const std::string_view store_root = WithoutFileScheme(store);
  std::optional<std::string_view> rest = RestAfter(store_root, moved);
  // A store without a place in the machine's names: its root is where its paths begin.
  if (!rest && moved.starts_with('/') && !store_root.starts_with('/') && store.ends_with(':')) {
    rest = RestAfter("", moved);
  }
  if (!rest) {
    return Invalid("'" + std::string(location) + "' lies outside the store '" + store +
                   "'; if its files were moved, say where with --relocate FROM=TO");
  }
  return Path::Make(*rest);
}

std::string TableHome::Spell(const Path& object) const {
  if (object.IsWithin(root)) return std::string(object.RelativeTo(root));
  return "/" + object.str();
}

Result<Path> TableHome::ObjectOf(std::string_view spelled) const {
  if (spelled.starts_with('/')) return Path::Make(spelled.substr(1));
  return root.Join(spelled);
}

std::string IdentityOf(const Storage& storage, const ObjectInfo& object) {
  // A store in memory has no place in the machine's names: its address tells it from another.
  return fmt::format("{} {} {} {} {} {}", fmt::ptr(&storage), storage.root_uri(), object.path.str(),
                     object.size_bytes, object.modified_ms, object.etag);
}

std::string UriOf(const Storage& storage, const Path& object) {
  std::string uri = storage.root_uri();
  if (object.empty()) return uri;
  if (!uri.ends_with('/')) uri += '/';
  return uri + object.str();
}

}  // namespace tarn
