#pragma once

#include <string_view>

#include "tarn/base/result.h"
#include "tarn/cli/command/commands.h"
#include "tarn/engine/engine.h"

namespace tarn::cli {

// Whether the file is a pipeline's description, by its name (.yaml, .yml).
bool IsPipelineFile(std::string_view file);

// The pipeline that the arguments describe: read from the one .yaml or .yml file given, whose keys
// the options replace, or made of the options alone. kInvalid naming the option or the file's line;
// kUnsupported for options that are not there yet, with what works instead; kNotFound: no such
// file.
Result<Pipeline> MakePipeline(const IngestArguments& arguments);

}  // namespace tarn::cli
