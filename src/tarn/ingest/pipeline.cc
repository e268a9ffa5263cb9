#include "tarn/ingest/pipeline.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "tarn/base/text.h"

namespace tarn {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view file_name) : file_name_(file_name) {}

  Result<Pipeline> Parse(const YAML::Node& root) {
    if (!root.IsMap()) return At(root, "a pipeline is a map of keys: source, into, …");
    static const std::map<std::string, Status (Parser::*)(const YAML::Node&)> kKeys = {
        {"source", &Parser::Source},
        {"format", &Parser::Format},
        {"into", &Parser::Into},
        {"table_format", &Parser::TableFormat},
        {"mode", &Parser::Mode},
        {"contract", &Parser::Contract},
        {"partition_by", &Parser::PartitionBy},
        {"schema", &Parser::GivenSchema},
        {"infer", &Parser::Infer},
        {"transforms", &Parser::Transforms},
        {"properties", &Parser::Properties},
        {"column_mapping", &Parser::Mapping},
        {"commit_bytes", &Parser::CommitBytes},
    };
    std::vector<std::string> names;
    names.reserve(std::size(kKeys));
    for (const auto& [name, unused] : kKeys) names.push_back(name);
    std::map<std::string, int> seen;
    for (const auto& entry : root) {
      TARN_ASSIGN_OR_RETURN(const std::string key, Text(entry.first, "a key"));
      const auto found = kKeys.find(key);
      if (found == kKeys.end()) {
        return At(entry.first, "no key '" + key + "'" + DidYouMean(key, names));
      }
      if (++seen[key] > 1) return At(entry.first, "key '" + key + "' stands twice");
      TARN_RETURN_IF_ERROR((this->*found->second)(entry.second));
    }
    if (pipeline_.paths.empty()) return At(root, "key 'source' is missing: which files to load");
    if (pipeline_.into.empty()) return At(root, "key 'into' is missing: which table to load into");
    return std::move(pipeline_);
  }

  Error AtLine(int line, const std::string& message) const {
    return Invalid(file_name_ + ":" + std::to_string(std::max(line, 0) + 1) + ": " + message);
  }

 private:
  Error At(const YAML::Node& node, const std::string& message) const {
    return AtLine(node.Mark().line, message);
  }

  Result<std::string> Text(const YAML::Node& node, const std::string& what) const {
    if (!node.IsScalar()) return At(node, what + " must be text");
    return node.Scalar();
  }

  // A list of texts, or one text.
  Result<std::vector<std::string>> Texts(const YAML::Node& node, const std::string& what) const {
    std::vector<std::string> texts;
    if (node.IsScalar()) {
      texts.push_back(node.Scalar());
      return texts;
    }
    if (!node.IsSequence()) return At(node, what + " must be text or a list of texts");
    for (const auto& item : node) {
      TARN_ASSIGN_OR_RETURN(std::string text, Text(item, "an entry of " + what));
      texts.push_back(std::move(text));
    }
    return texts;
  }

  template <class T>
  Result<T> OneOf(const YAML::Node& node, const std::string& key,
                  const std::vector<std::pair<std::string, T>>& choices) const {
    TARN_ASSIGN_OR_RETURN(const std::string text, Text(node, "'" + key + "'"));
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (name == text) return value;
      names.push_back(name);
    }
    return At(node, "'" + key + "' cannot be '" + text + "'" + DidYouMean(text, names));
  }

  Result<bool> Boolean(const YAML::Node& node, const std::string& key) const {
    return OneOf<bool>(node, key, {{"true", true}, {"false", false}});
  }

  Status Source(const YAML::Node& node) {
    if (!node.IsMap()) {
      TARN_ASSIGN_OR_RETURN(pipeline_.paths, Texts(node, "'source'"));
      return {};
    }
    for (const auto& entry : node) {
      TARN_ASSIGN_OR_RETURN(const std::string key, Text(entry.first, "a key"));
      if (key == "paths" || key == "path") {
        TARN_ASSIGN_OR_RETURN(pipeline_.paths, Texts(entry.second, "'" + key + "'"));
      } else if (key == "format") {
        TARN_RETURN_IF_ERROR(Format(entry.second));
      } else if (key == "delimiter") {
        TARN_ASSIGN_OR_RETURN(const std::string text, Text(entry.second, "'delimiter'"));
        if (text == "tab" || text == "\\t") {
          pipeline_.csv_delimiter = '\t';
        } else if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") {
          pipeline_.csv_delimiter = text[0];
        } else {
          return At(entry.second, "'delimiter' is one character (or tab), not '" + text + "'");
        }
      } else if (key == "header") {
        TARN_ASSIGN_OR_RETURN(pipeline_.csv_header, Boolean(entry.second, "header"));
      } else {
        return At(entry.first,
                  "source: no key '" + key + "'" +
                      DidYouMean(key, {"delimiter", "format", "header", "path", "paths"}));
      }
    }
    return {};
  }

  Status Format(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(pipeline_.format,
                          OneOf<SourceFormat>(node, "format",
                                              {{"jsonl", SourceFormat::kJsonLines},
                                               {"json", SourceFormat::kJsonLines},
                                               {"ndjson", SourceFormat::kJsonLines},
                                               {"csv", SourceFormat::kCsv},
                                               {"parquet", SourceFormat::kParquet},
                                               {"arrow", SourceFormat::kArrow},
                                               {"avro", SourceFormat::kAvro}}));
    return {};
  }

  Status Into(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(pipeline_.into, Text(node, "'into'"));
    return {};
  }

  Status TableFormat(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(pipeline_.table_format, Text(node, "'table_format'"));
    return {};
  }

  Status Mode(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(
        pipeline_.mode,
        OneOf<IngestMode>(node, "mode",
                          {{"append", IngestMode::kAppend},
                           {"overwrite", IngestMode::kOverwrite},
                           {"overwrite_partitions", IngestMode::kOverwritePartitions}}));
    return {};
  }

  Status Contract(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(pipeline_.contract,
                          OneOf<SchemaContract>(node, "contract",
                                                {{"evolve", SchemaContract::kEvolve},
                                                 {"freeze", SchemaContract::kFreeze}}));
    return {};
  }

  Status PartitionBy(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(pipeline_.partition_by, Texts(node, "'partition_by'"));
    return {};
  }

  Status GivenSchema(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(pipeline_.schema_from, Text(node, "'schema'"));
    return {};
  }

  Status Infer(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(pipeline_.infer_times,
                          OneOf<bool>(node, "infer", {{"types", true}, {"strings", false}}));
    return {};
  }

  Status Mapping(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(
        pipeline_.column_mapping,
        OneOf<std::string>(node, "column_mapping", {{"none", ""}, {"name", "name"}, {"id", "id"}}));
    return {};
  }

  Status Properties(const YAML::Node& node) {
    if (!node.IsMap()) return At(node, "'properties' must be a map");
    for (const auto& entry : node) {
      TARN_ASSIGN_OR_RETURN(std::string key, Text(entry.first, "a key"));
      TARN_ASSIGN_OR_RETURN(pipeline_.properties[key], Text(entry.second, "'" + key + "'"));
    }
    return {};
  }

  Status CommitBytes(const YAML::Node& node) {
    TARN_ASSIGN_OR_RETURN(const std::string text, Text(node, "'commit_bytes'"));
    int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string unit(stop, text.data() + text.size());
    std::erase(unit, ' ');
    const std::map<std::string, int> kShifts = {{"", 0},    {"b", 0},   {"kb", 10}, {"mb", 20},
                                                {"gb", 30}, {"tb", 40}, {"k", 10},  {"m", 20},
                                                {"g", 30},  {"t", 40}};
    const auto shift = kShifts.find(AsciiLower(unit));
    if (error != std::errc() || shift == kShifts.end() || number <= 0 ||
        number > (int64_t{1} << 62) >> shift->second) {
      return At(node, "'commit_bytes' is a number of bytes such as 16GB, not '" + text + "'");
    }
    pipeline_.commit_bytes = number << shift->second;
    return {};
  }

  // What a step takes.
  enum class Shape : uint8_t {
    kNames,    // a list of columns
    kPairs,    // {column: something}
    kOptions,  // {option: value}, may be left out
    kSql,      // one text
  };

  Status Transforms(const YAML::Node& node) {
    static const std::map<std::string, Shape> kKinds = {
        {"select", Shape::kNames},           {"drop", Shape::kNames},
        {"rename", Shape::kPairs},           {"cast", Shape::kPairs},
        {"compute", Shape::kPairs},          {"connect_decimal", Shape::kPairs},
        {"snake_case", Shape::kOptions},     {"flatten", Shape::kOptions},
        {"partition_from", Shape::kOptions}, {"filter", Shape::kSql},
    };
    std::vector<std::string> names;
    names.reserve(std::size(kKinds));
    for (const auto& [name, unused] : kKinds) names.push_back(name);
    if (!node.IsSequence()) return At(node, "'transforms' must be a list of steps");
    for (const auto& item : node) {
      TransformStep step;
      step.place = file_name_ + ":" + std::to_string(item.Mark().line + 1);
      YAML::Node value;
      if (item.IsScalar()) {
        step.kind = item.Scalar();
      } else if (item.IsMap() && item.size() == 1) {
        TARN_ASSIGN_OR_RETURN(step.kind, Text(item.begin()->first, "a step's kind"));
        value = item.begin()->second;
      } else {
        return At(item, "a step is a word or one 'kind: …'");
      }
      const auto kind = kKinds.find(step.kind);
      if (kind == kKinds.end()) {
        return At(item, "no step '" + step.kind + "'" + DidYouMean(step.kind, names));
      }
      TARN_RETURN_IF_ERROR(FillStep(item, value, kind->second, &step));
      pipeline_.transforms.push_back(std::move(step));
    }
    return {};
  }

  Status FillStep(const YAML::Node& item, const YAML::Node& value, Shape shape,
                  TransformStep* step) const {
    const std::string what = "'" + step->kind + "'";
    const bool given = value.IsDefined() && !value.IsNull();
    switch (shape) {
      case Shape::kNames: {
        if (!given) return At(item, what + " needs a list of columns");
        TARN_ASSIGN_OR_RETURN(step->names, Texts(value, what));
        return {};
      }
      case Shape::kSql: {
        if (!given) return At(item, what + " needs an SQL condition");
        TARN_ASSIGN_OR_RETURN(step->options["sql"], Text(value, what));
        return {};
      }
      case Shape::kPairs:
        if (!given || !value.IsMap()) return At(item, what + " needs a map {column: …}");
        for (const auto& entry : value) {
          TARN_ASSIGN_OR_RETURN(std::string key, Text(entry.first, "a column of " + what));
          if (!entry.second.IsScalar()) {
            // {price: decimal(12,2)} is two entries to YAML.
            return At(entry.first, what + ": '" + key +
                                       "' needs a text behind it; put one that has "
                                       "a comma in quotes, \"decimal(12,2)\"");
          }
          std::string text = entry.second.Scalar();
          step->pairs.emplace_back(std::move(key), std::move(text));
        }
        return {};
      case Shape::kOptions:
        if (!given) return {};
        if (!value.IsMap()) return At(item, what + " takes options {name: value}");
        for (const auto& entry : value) {
          TARN_ASSIGN_OR_RETURN(std::string key, Text(entry.first, "an option of " + what));
          TARN_ASSIGN_OR_RETURN(step->options[key], Text(entry.second, "'" + key + "'"));
        }
        return {};
    }
    return {};
  }

  const std::string file_name_;
  Pipeline pipeline_;
};

}  // namespace

Result<Pipeline> ParsePipeline(std::string_view yaml, std::string_view file_name) {
  Parser parser(file_name);
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(yaml));
    if (documents.size() != 1) return parser.AtLine(0, "a pipeline file holds one document");
    return parser.Parse(documents[0]);
  } catch (const YAML::Exception& exception) {
    return parser.AtLine(exception.mark.line, exception.msg);
  }
}

}  // namespace tarn
