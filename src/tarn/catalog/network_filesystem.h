#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn {

// The name of the network or user-space file system with this magic number (statfs(2), f_type), or
// empty for one of a local disk.
std::string_view NetworkFilesystemName(int64_t magic);

// kInvalid, with the reason and what to do, if `folder` lies on such a file system: their locks are
// not to be trusted, and SQLite corrupts a database whose locks fail. kNotFound if there is no such
// folder.
Status RefuseNetworkFilesystem(const std::string& folder);

}  // namespace tarn
