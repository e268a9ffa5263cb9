#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"

namespace tarn::delta {

// Bytes that simdjson may read beyond the end of a text: whoever parses appends that many.
inline constexpr size_t kJsonPadding = 64;

// Reads actions from their JSON (PROTOCOL.md, "Actions"). Keeps its buffers between calls. Not
// thread-safe.
class ActionReader {
 public:
  ActionReader();
  ~ActionReader();

  // The action in one line. Nothing for an action that Tarn does not know (they are ignored, as
  // "Protocol Evolution" asks) and for a line that is all null. `line` is followed by kJsonPadding
  // readable bytes. Unknown members are ignored; members whose value is null are absent.
  // kCorrupt naming action and member: no JSON, a required member missing, a wrong type.
  Result<std::optional<Action>> Read(std::string_view line);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// The name of the only action of a line that begins as all writers spell it, `{"add":{`, with or
// without blanks; empty for any other line. Lets whoever looks for some actions pass over the
// others unparsed.
std::string_view LeadingAction(std::string_view line);

// Calls visit(line, number) for each line of `text` that is not blank; numbers start at 1, a '\r'
// at the end is no part of a line. Stops at the first failure and returns it.
Status ForEachLine(std::string_view text,
                   const std::function<Status(std::string_view line, int64_t number)>& visit);

// Calls visit with every action of a commit or JSON checkpoint, in order. `bytes` loses nothing but
// gains padding. Errors are those of Read, with "line <n>" in front, and visit's.
Status ForEachAction(Bytes& bytes, const std::function<Status(Action&&)>& visit);

}  // namespace tarn::delta
