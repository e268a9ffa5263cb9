#pragma once

#include <string>

namespace tarn {

// "user@host" of this process: who a table's history says made a commit. The user is the login name
// of the process's user id, or the id itself where it has no name.
std::string WriterName();

}  // namespace tarn
