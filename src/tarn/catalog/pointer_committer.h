#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tarn/base/runtime.h"
#include "tarn/catalog/pointer_store.h"
#include "tarn/storage/storage.h"
#include "tarn/table/committer.h"

namespace tarn {

// For tables whose newest metadata file a pointer names: the file is written under a name of its
// own, then the pointer is swapped. Guard refreshes home.head (kNotFound if the table was dropped
// or renamed meanwhile), and so does a commit that was published. A version is the file's name
// without its ending. `storage` and `random` outlive it.
std::unique_ptr<Committer> MakePointerCommitter(Storage& storage, Random& random,
                                                std::shared_ptr<PointerStore> pointers,
                                                PointerKey key);

// The name, without ending, of the metadata file after the one at `location`: "00004-<uuid>" after
// ".../00003-….metadata.json" and after ".../v3.metadata.json", "00000-<uuid>" after nothing.
std::string NextMetadataName(std::string_view location, Random& random);

}  // namespace tarn
