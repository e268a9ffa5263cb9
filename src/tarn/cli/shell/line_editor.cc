#include "tarn/cli/shell/line_editor.h"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tarn/base/text.h"

namespace tarn::cli {
namespace {

constexpr int kHistoryLines = 2000;

// A signal handler has no argument.
std::atomic<bool> interrupted{false};
void OnInterrupt(int /*signal*/) { interrupted.store(true); }

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

class EditLineEditor final : public LineEditor {
 public:
  EditLineEditor(std::string history_file, Complete complete)
      : history_file_(std::move(history_file)), complete_(std::move(complete)) {
    // Only for the width of characters on this terminal.
    std::setlocale(LC_CTYPE, "");
    history_ = ::history_init();
    HistEvent event;
    ::history(history_, &event, H_SETSIZE, kHistoryLines);
    ::history(history_, &event, H_SETUNIQUE, 1);
    if (!history_file_.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(std::filesystem::path(history_file_).parent_path(),
                                          ignored);
      ::history(history_, &event, H_LOAD, history_file_.c_str());
    }
    editor_ = el_init("tarn", stdin, stdout, stderr);
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_PROMPT, &EditLineEditor::Prompt);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_SIGNAL, 0);
    el_set(editor_, EL_HIST, ::history, history_);
    el_set(editor_, EL_ADDFN, "tarn-complete", "complete a name", &EditLineEditor::OnTab);
    el_set(editor_, EL_BIND, "^I", "tarn-complete", nullptr);
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  }

  ~EditLineEditor() override {
    el_end(editor_);
    ::history_end(history_);
  }

  Line Read(const std::string& prompt) override {
    prompt_ = prompt;
    interrupted.store(false);
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = OnInterrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before);
    int length = 0;
    errno = 0;
    const char* text = el_gets(editor_, &length);
    sigaction(SIGINT, &before, nullptr);
    if (interrupted.load()) {
      el_reset(editor_);
      std::fputs("\n", stdout);
      std::fflush(stdout);
      return {End::kInterrupted};
    }
    if (text == nullptr || length <= 0) return {End::kEndOfInput};
    std::string line(text, static_cast<size_t>(length));
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    return {End::kLine, std::move(line)};
  }

  void Remember(const std::string& text) override {
    // One entry stays one line in the file.
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    HistEvent event;
    ::history(history_, &event, H_ENTER, line.c_str());
    if (!history_file_.empty()) ::history(history_, &event, H_SAVE, history_file_.c_str());
  }

 private:
  static EditLineEditor& Self(EditLine* editor) {
    void* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<EditLineEditor*>(self);
  }

  static char* Prompt(EditLine* editor) { return Self(editor).prompt_.data(); }

  static unsigned char OnTab(EditLine* editor, int /*key*/) {
    EditLineEditor& self = Self(editor);
    const LineInfo* info = el_line(editor);
    const std::string before(info->buffer, static_cast<size_t>(info->cursor - info->buffer));
    const std::string_view word = LastWord(before);
    std::vector<std::string> candidates = self.complete_(before);
    std::erase_if(candidates, [&](const std::string& candidate) {
      return candidate.size() < word.size() ||
             !AsciiEqualsIgnoreCase(std::string_view(candidate).substr(0, word.size()), word);
    });
    if (candidates.empty()) return CC_REFRESH_BEEP;
    const std::string added = SharedCompletion(word, candidates);
    if (!added.empty()) {
      el_insertstr(editor, added.c_str());
      return CC_REFRESH;
    }
    if (candidates.size() == 1) return CC_REFRESH;
    std::string list = "\n";
    constexpr size_t kShown = 100;
    for (size_t i = 0; i < candidates.size() && i < kShown; ++i) list += candidates[i] + "  ";
    if (candidates.size() > kShown) list += "…";
    std::fputs((list + "\n").c_str(), stdout);
    std::fflush(stdout);
    return CC_REDISPLAY;
  }

  const std::string history_file_;
  const Complete complete_;
  std::string prompt_;
  ::History* history_ = nullptr;
  EditLine* editor_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<LineEditor>> LineEditor::Make(const std::string& history_file,
                                                     Complete complete) {
  if (isatty(STDIN_FILENO) != 1) return Unavailable("standard input is no terminal");
  return std::unique_ptr<LineEditor>(new EditLineEditor(history_file, std::move(complete)));
}

std::string SharedCompletion(std::string_view word, const std::vector<std::string>& candidates) {
  std::string shared;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].size() < word.size()) return {};
    const std::string rest = candidates[i].substr(word.size());
    if (i == 0) {
      shared = rest;
      continue;
    }
    size_t common = 0;
    while (common < shared.size() && common < rest.size() &&
           AsciiEqualsIgnoreCase(shared.substr(common, 1), rest.substr(common, 1))) {
      ++common;
    }
    shared.resize(common);
  }
  // Not half of a character.
  while (!shared.empty() && !IsUtf8(shared)) shared.pop_back();
  return shared;
}

std::string_view LastWord(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && IsWordByte(text[begin - 1])) --begin;
  return text.substr(begin);
}

}  // namespace tarn::cli
