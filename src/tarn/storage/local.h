#pragma once

#include <memory>
#include <string>

#include "tarn/storage/storage.h"

namespace tarn {

// Objects as files below the folder `root` (absolute; "/" for whole machines). Folders appear as
// needed. PutIfAbsent: O_TMPFILE, fdatasync, linkat, fsync of the folder; where O_TMPFILE is missing,
// a temporary file and link(); nothing half written ever has the object's name. Temporary names start
// with ".tarn-tmp-" and are not listed.
// kInvalid if `root` is not an absolute path; kNotFound if it is no folder and `create` is false.
enum class CreateRoot : uint8_t { kNo, kYes };
Result<std::unique_ptr<Storage>> MakeLocalStorage(const std::string& root, CreateRoot create);

}  // namespace tarn
