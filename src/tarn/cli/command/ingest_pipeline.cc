#include "tarn/cli/command/ingest_pipeline.h"

#include <utility>

#include "tarn/base/text.h"
#include "tarn/cli/input_text.h"

namespace tarn::cli {
namespace {

Status RefuseWhatIsNotThereYet(const IngestArguments& arguments) {
  if (arguments.mode == "upsert") {
    return Unsupported(
        "--mode upsert is not supported yet; --mode append or overwrite work, and SQL's "
        "UPDATE and DELETE");
  }
  if (!arguments.key.empty()) {
    return Unsupported(
        "--key is not supported yet (it belongs to --mode upsert); --mode append or "
        "overwrite need none");
  }
  if (!arguments.order_by.empty()) {
    return Unsupported(
        "--order-by is not supported yet (it belongs to --mode upsert); leave it out");
  }
  if (arguments.contract == "quarantine") {
    return Unsupported(
        "--contract quarantine is not supported yet; evolve (the default) and freeze "
        "refuse bad rows, naming file and line, with nothing committed");
  }
  if (!arguments.max_bad.empty() && arguments.max_bad != "0") {
    return Unsupported(
        "--max-bad is not supported yet: every bad row is refused, naming file and line, "
        "with nothing committed; leave it out or write --max-bad 0");
  }
  return OkStatus();
}

template <class Value>
Result<Value> OneOf(const std::string& option, const std::string& given,
                    const std::vector<std::pair<std::string, Value>>& known) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known) {
    if (name == given) return value;
    names.push_back(name);
  }
  return Invalid(option + " '" + given + "'" + DidYouMean(given, names));
}

Status ApplyOptions(const IngestArguments& arguments, Pipeline& pipeline) {
  if (!arguments.into.empty()) pipeline.into = arguments.into;
  if (!arguments.format.empty()) pipeline.table_format = AsciiLower(arguments.format);
  if (!arguments.partition_by.empty()) pipeline.partition_by = arguments.partition_by;
  if (!arguments.column_mapping.empty()) {
    TARN_ASSIGN_OR_RETURN(pipeline.column_mapping,
                          OneOf<std::string>("--column-mapping", arguments.column_mapping,
                                             {{"id", "id"}, {"name", "name"}}));
  }
  if (!arguments.mode.empty()) {
    TARN_ASSIGN_OR_RETURN(pipeline.mode,
                          OneOf<IngestMode>("--mode", arguments.mode,
                                            {{"append", IngestMode::kAppend},
                                             // Of a partitioned table the partitions that the rows
                                             // belong to, of others everything.
                                             {"overwrite", IngestMode::kOverwritePartitions}}));
  }
  if (!arguments.contract.empty()) {
    TARN_ASSIGN_OR_RETURN(pipeline.contract,
                          OneOf<SchemaContract>("--contract", arguments.contract,
                                                {{"evolve", SchemaContract::kEvolve},
                                                 {"freeze", SchemaContract::kFreeze}}));
  }
  if (!arguments.input_format.empty()) {
    TARN_ASSIGN_OR_RETURN(pipeline.format,
                          OneOf<SourceFormat>("--input-format", AsciiLower(arguments.input_format),
                                              {{"jsonl", SourceFormat::kJsonLines},
                                               {"csv", SourceFormat::kCsv},
                                               {"parquet", SourceFormat::kParquet},
                                               {"arrow", SourceFormat::kArrow},
                                               {"avro", SourceFormat::kAvro}}));
  }
  for (const std::string& property : arguments.properties) {
    const size_t equals = property.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Invalid("--property '" + property + "': write KEY=VALUE");
    }
    pipeline.properties[property.substr(0, equals)] = property.substr(equals + 1);
  }
  return OkStatus();
}

}  // namespace

bool IsPipelineFile(std::string_view file) {
  return file.ends_with(".yaml") || file.ends_with(".yml");
}

Result<Pipeline> MakePipeline(const IngestArguments& arguments) {
  TARN_RETURN_IF_ERROR(RefuseWhatIsNotThereYet(arguments));
  Pipeline pipeline;
  bool from_file = false;
  for (const std::string& file : arguments.files) from_file = from_file || IsPipelineFile(file);
  if (from_file) {
    if (arguments.files.size() > 1) {
      return Invalid(
          "a pipeline file stands alone; name the data files inside it, or give only them");
    }
    TARN_ASSIGN_OR_RETURN(const std::string yaml, ReadFileOrInput("ingest", arguments.files[0]));
    TARN_ASSIGN_OR_RETURN(pipeline, ParsePipeline(yaml, arguments.files[0]));
  } else {
    pipeline.paths = arguments.files;
  }
  TARN_RETURN_IF_ERROR(ApplyOptions(arguments, pipeline));
  if (!arguments.schema.empty()) pipeline.schema_from = arguments.schema;
  if (pipeline.into.empty()) return Invalid("where to? say --into NAME or --into FOLDER");
  return pipeline;
}

}  // namespace tarn::cli
