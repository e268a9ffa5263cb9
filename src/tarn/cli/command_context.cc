#include "tarn/cli/command_context.h"

#include <cstdio>
#include <iostream>
#include <utility>

namespace tarn::cli {
namespace {

bool AskOnTerminal(const Console& console, const std::string& question) {
  console.err(question + " [y/N] ");
  std::string answer;
  if (!std::getline(std::cin, answer)) return false;
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

std::string CommandContext::lake() const {
  return options_.lake.empty() ? Engine::FindLake(".") : options_.lake;
}

Result<Engine*> CommandContext::OpenEngine(Skipping skipping) {
  if (engine_ != nullptr) return engine_.get();
  EngineOptions options;
  options.lake = lake();
  for (const std::string& relocation : options_.relocate) {
    TARN_ASSIGN_OR_RETURN(auto pair, ParseRelocation(relocation));
    options.relocations.push_back(std::move(pair));
  }
  options.query.assume_yes = options_.yes;
  options.query.skipping = skipping == Skipping::kOn;
  if (console_.in_is_terminal && console_.err_is_terminal) {
    options.query.ask = [this](const std::string& question) {
      return AskOnTerminal(console_, question);
    };
  }
  TARN_ASSIGN_OR_RETURN(engine_, Engine::Open(runtime_, std::move(options)));
  return engine_.get();
}

}  // namespace tarn::cli
