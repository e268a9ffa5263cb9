#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tarn {

// A change to a branch or tag: a name for a state of a table that outlives the next commit.
struct ReferenceChange {
  enum class Kind : uint8_t { kBranch, kTag } kind = Kind::kBranch;
  std::string name;  // empty: the line of the table's home (TableHome::branch)
  enum class When : uint8_t { kAlways, kIfNew, kIfThere } when = When::kAlways;
  // The state it names from now on, as users type it; empty: the reference goes.
  std::string version = {};
  // How long the name, and what it keeps from expiry, lasts. Absent: as it was, or the table's own.
  std::optional<int64_t> keep_name_ms = {};      // the name itself
  std::optional<int64_t> keep_versions_ms = {};  // of a branch: the states behind it
  std::optional<int64_t> keep_versions_min = {};
  friend bool operator==(const ReferenceChange&, const ReferenceChange&) = default;
};

}  // namespace tarn
