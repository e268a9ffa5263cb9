#include "tarn/ingest/source/file_ledger.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include <nlohmann/json.hpp>

#include "tarn/base/text.h"

namespace tarn {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFolder = "_tarn/ledger";
// A chain is folded into one object when its tail is as large as its base, or this long.
constexpr int64_t kDepthMin = 16;
constexpr int64_t kDepthMax = 128;

Path ObjectOf(const Path& table_root, int64_t number) {
  char name[32];
  std::snprintf(name, sizeof name, "%020lld.json", static_cast<long long>(number));
  return table_root / kFolder / name;
}

Result<int64_t> NumberOf(const std::string& position) {
  int64_t number = 0;
  const char* const end = position.data() + position.size();
  const auto [stop, error] = std::from_chars(position.data(), end, number);
  if (error != std::errc() || stop != end || number < 0) {
    return Corrupt("ledger: position '" + position + "' is no number");
  }
  return number;
}

struct LedgerObject {
  std::optional<int64_t> before;
  std::map<std::string, LedgerEntry> files;
};

Result<LedgerObject> Parse(const std::string& text, const Path& object) {
  const auto broken = [&object](const std::string& what) {
    return Corrupt("ledger: " + object.str() + ": " + what);
  };
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return broken("not a JSON object");
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer()) return broken("'version' is missing");
  if (version->get<int64_t>() != 1) {
    return Unsupported("ledger: " + object.str() + " is of version " + version->dump() +
                       "; a newer Tarn wrote it");
  }
  LedgerObject ledger;
  const auto before = json.find("before");
  if (before != json.end() && !before->is_null()) {
    if (!before->is_number_integer()) return broken("'before' is no number");
    ledger.before = before->get<int64_t>();
  }
  const auto files = json.find("files");
  if (files == json.end() || !files->is_array()) return broken("'files' is missing");
  for (const Json& file : *files) {
    const auto path = file.find("path");
    const auto size = file.find("size");
    const auto modified = file.find("modified_ms");
    const auto fingerprint = file.find("fingerprint");
    if (path == file.end() || !path->is_string() || size == file.end() ||
        !size->is_number_integer() || modified == file.end() || !modified->is_number_integer() ||
        fingerprint == file.end() || !fingerprint->is_string()) {
      return broken("a file without path, size, modified_ms or fingerprint");
    }
    ledger.files[path->get<std::string>()] = {size->get<int64_t>(), modified->get<int64_t>(),
                                              fingerprint->get<std::string>()};
  }
  return ledger;
}

// A path is bytes; JSON is UTF-8. Bytes that are not are kept as %XX behind a mark no path begins
// with.
std::string PathAsText(const std::string& path) {
  return IsUtf8(path) ? path : "%:" + PercentEncode(path, "/");
}
std::string TextAsPath(const std::string& text) {
  return text.starts_with("%:") ? PercentDecode(std::string_view(text).substr(2)) : text;
}

}  // namespace

Result<FileLedger> FileLedger::Load(const Storage& storage, const Path& table_root,
                                    const std::optional<std::string>& position) {
  FileLedger ledger;
  ledger.position_ = position;
  if (!position) return ledger;
  TARN_ASSIGN_OR_RETURN(int64_t number, NumberOf(*position));
  for (;;) {
    const Path object = ObjectOf(table_root, number);
    Result<Bytes> bytes = storage.Read(object);
    if (!bytes.ok() && bytes.error().code == ErrorCode::kNotFound) {
      return Corrupt("ledger: " + object.str() +
                     " is missing, so it is not known which files are loaded; restore it");
    }
    if (!bytes.ok()) return bytes.error();
    TARN_ASSIGN_OR_RETURN(LedgerObject parsed, Parse(bytes.value(), object));
    ++ledger.depth_;
    ledger.base_files_ = static_cast<int64_t>(parsed.files.size());
    for (auto& [path, entry] : parsed.files) {
      // Newer objects come first: theirs is the word that counts.
      ledger.files_.try_emplace(TextAsPath(path), std::move(entry));
    }
    if (!parsed.before) return ledger;
    if (*parsed.before >= number) return Corrupt("ledger: " + object.str() + " points forward");
    number = *parsed.before;
  }
}

const LedgerEntry* FileLedger::Find(const std::string& path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

Result<FileLedger::Extension> FileLedger::Plan(const Storage& storage, const Path& table_root,
                                               const std::map<std::string, LedgerEntry>& loaded,
                                               Extend how) const {
  int64_t number = 0;
  if (position_) {
    TARN_ASSIGN_OR_RETURN(number, NumberOf(*position_));
  }
  // Names of runs that were killed before their commit stay taken.
  for (Path after = ObjectOf(table_root, number);;) {
    TARN_ASSIGN_OR_RETURN(const auto objects, storage.List(table_root / kFolder, after, 1000,
                                                           Storage::Depth::kShallow));
    for (const ObjectInfo& object : objects) {
      const std::string_view name = object.path.name();
      if (!name.ends_with(".json")) continue;
      const Result<int64_t> taken = NumberOf(std::string(name.substr(0, name.size() - 5)));
      if (taken.ok()) number = std::max(number, taken.value());
    }
    if (objects.size() < 1000) break;
    after = objects.back().path;
  }
  ++number;

  const int64_t tail_files = static_cast<int64_t>(files_.size()) - base_files_;
  const bool fold = how == Extend::kReplace || depth_ >= kDepthMax ||
                    (depth_ >= kDepthMin && tail_files >= base_files_);
  std::map<std::string, LedgerEntry> listed = loaded;
  if (fold && how == Extend::kAdd) listed.insert(files_.begin(), files_.end());
  Json json = {{"version", 1}, {"position", number}, {"before", nullptr}, {"files", Json::array()}};
  if (!fold && position_) {
    TARN_ASSIGN_OR_RETURN(const int64_t before, NumberOf(*position_));
    json["before"] = before;
  }
  for (const auto& [path, entry] : listed) {
    json["files"].push_back({{"path", PathAsText(path)},
                             {"size", entry.size_bytes},
                             {"modified_ms", entry.modified_ms},
                             {"fingerprint", entry.fingerprint}});
  }
  Extension extension;
  extension.object = ObjectOf(table_root, number);
  extension.move = {kFileLedgerSource, position_, std::to_string(number)};
  extension.json = json.dump(1);
  return extension;
}

}  // namespace tarn
