#include "tarn/ingest/ingest_lineage.h"

#include <map>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/lineage/commit_lineage.h"

namespace tarn {

std::string LineageOfLoad(const std::string& source, const TransformChain& chain,
                          const Schema& table, bool replaces) {
  lineage::CommitLineage lineage;
  lineage.operation = "ingest";
  lineage.replaces = replaces;
  lineage.sources.push_back({"path:" + source});
  std::map<std::string, uint32_t> inputs;
  const auto add = [&](uint32_t output, const FlowInput& from) {
    std::string column = Join(from.path, ".");
    const auto [found, is_new] =
        inputs.try_emplace(column, static_cast<uint32_t>(lineage.inputs.size()));
    if (is_new) lineage.inputs.push_back({0, std::move(column)});
    lineage.flows.push_back({output, found->second, from.kind, from.masking});
  };
  const TransformChain::Flows flows = chain.FlowsFromInput();
  for (const Flow& flow : flows.columns) {
    const auto index = table.IndexOf(flow.output);
    if (!index) continue;
    const auto output = static_cast<uint32_t>(lineage.outputs.size());
    lineage.outputs.push_back({table.fields[*index].name, table.fields[*index].id});
    for (const FlowInput& input : flow.inputs) add(output, input);
  }
  for (const FlowInput& input : flows.rows) add(lineage::CommitLineage::kEveryOutput, input);
  lineage::SortFlows(lineage);
  return lineage::EncodeCommitLineage(lineage);
}

}  // namespace tarn
