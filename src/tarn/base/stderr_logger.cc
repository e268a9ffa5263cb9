#include "tarn/base/stderr_logger.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "tarn/base/json_text.h"

namespace tarn {
namespace {

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

class StderrLogger final : public Logger {
 public:
  StderrLogger(LogLevel level, RuntimeOptions::LogFormat format)
      : json_(format == RuntimeOptions::LogFormat::kJson),
        logger_("tarn", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    logger_.set_level(ToSpdlog(level));
    if (json_) {
      logger_.set_formatter(std::make_unique<spdlog::pattern_formatter>(
          R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l","message":%v})",
          spdlog::pattern_time_type::utc));
    } else {
      logger_.set_pattern("%H:%M:%S %l  %v");
    }
  }

  void Log(LogLevel level, std::string_view message) override {
    const auto spdlog_level = ToSpdlog(level);
    if (!logger_.should_log(spdlog_level)) return;
    if (json_) {
      std::string text;
      AppendJsonString(message, text);
      logger_.log(spdlog_level, spdlog::string_view_t(text));
    } else {
      logger_.log(spdlog_level, spdlog::string_view_t(message.data(), message.size()));
    }
  }

 private:
  const bool json_;
  spdlog::logger logger_;
};

}  // namespace

std::unique_ptr<Logger> MakeStderrLogger(LogLevel level, RuntimeOptions::LogFormat format) {
  return std::make_unique<StderrLogger>(level, format);
}

}  // namespace tarn
