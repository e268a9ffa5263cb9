#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/engine/engine.h"

namespace tarn {

// The statement that runs a procedure of CALL on a table, for `Engine::OpenSession`: arguments by
// name, as text. Errors as Engine::ParseReference.
Result<std::string> ProcedureSql(const Engine& engine, std::string_view table,
                                 const std::string& procedure,
                                 const std::map<std::string, std::string>& arguments);

}  // namespace tarn
