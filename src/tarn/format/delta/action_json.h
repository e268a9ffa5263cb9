#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"

namespace tarn::delta {

// The action in one line of a commit (PROTOCOL.md, "Actions"). Nothing for an action that Tarn does
// not know (they are ignored, as "Protocol Evolution" asks) and for a line that is all null.
// Unknown members are ignored; members whose value is null are absent. kCorrupt naming action and
// member: no JSON, a required member missing, a wrong type.
Result<std::optional<Action>> ReadAction(std::string_view line);

// The name of the only action of a line that begins as all writers spell it, `{"add":{`, with or
// without blanks; empty for any other line. Lets whoever looks for some actions pass over the
// others unparsed.
std::string_view LeadingAction(std::string_view line);

// Calls visit(line, number) for each line of `text` that is not blank; numbers start at 1, a '\r'
// at the end is no part of a line. Stops at the first failure and returns it.
Status ForEachLine(std::string_view text,
                   const std::function<Status(std::string_view line, int64_t number)>& visit);

// Calls visit with every action of a commit or JSON checkpoint, in order. Errors are those of
// ReadAction, with "line <n>" in front, and visit's.
Status ForEachAction(std::string_view text, const std::function<Status(Action&&)>& visit);

}  // namespace tarn::delta
