#pragma once

#include <memory>
#include <string>

#include "tarn/storage/disk.h"
#include "tarn/storage/storage.h"

namespace tarn {

// Objects as files below the folder `root` (absolute; "/" for whole machines). Folders appear as
// needed, and are not objects: Read and Stat of one are kNotFound. Every write is: the bytes into a
// file without a name (O_TMPFILE; where that is missing, a temporary file), fdatasync, the name
// (link, which refuses to replace; rename, which replaces), fsync of the folder, and of the folders
// above when they are new. PutIfAbsent syncs the folder before the name too, so that no power cut
// leaves an object without those that its maker saw beside it. Nothing half written ever has the
// object's name. Temporary names start with
// ".tarn-tmp-" and are not listed; such a name cannot be written.
// Remove of an empty folder removes it. Links that leave the root are refused (kInvalid).
// kInvalid if `root` is not an absolute path; kNotFound if it is no folder and `create` is kNo.
enum class CreateRoot : uint8_t { kNo, kYes };
Result<std::unique_ptr<Storage>> MakeLocalStorage(const std::string& root, CreateRoot create);

// The same protocol over another disk: `root` is its FileName for messages and locations.
std::unique_ptr<Storage> MakeLocalStorage(std::unique_ptr<Disk> disk, const std::string& root);

}  // namespace tarn
