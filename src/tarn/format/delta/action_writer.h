#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarn/format/delta/actions.h"

namespace tarn::delta {

// Actions as lines of a commit (PROTOCOL.md, "Actions"): each call appends `{"<name>":{…}}` and a
// newline. Members that are absent are left out. The inverse of action_json.h.
void AppendAction(std::string& out, const Protocol& action);
void AppendAction(std::string& out, const MetadataAction& action);
void AppendAction(std::string& out, const AddFile& action);
void AppendAction(std::string& out, const RemoveFile& action);
void AppendAction(std::string& out, const CdcFile& action);
void AppendAction(std::string& out, const Txn& action);
void AppendAction(std::string& out, const DomainMetadata& action);
void AppendAction(std::string& out, const CommitInfo& action);

}  // namespace tarn::delta
