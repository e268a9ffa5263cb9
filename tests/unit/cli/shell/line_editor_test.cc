#include "tarn/cli/shell/line_editor.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::cli {
namespace {

TEST(LineEditor, CompletesWhatCandidatesShare) {
  EXPECT_EQ(SharedCompletion("ev", {"events"}), "ents");
  EXPECT_EQ(SharedCompletion("EV", {"events", "Event_log"}), "ent");
  EXPECT_EQ(SharedCompletion("ev", {"ev1", "ev2"}), "");
  EXPECT_EQ(SharedCompletion("", {"größe", "größer"}), "größe");
  EXPECT_EQ(SharedCompletion("gr", {"größe", "grün"}), "");  // ö and ü share a byte
}

TEST(LineEditor, TheWordBeforeTheCursor) {
  EXPECT_EQ(LastWord("SELECT a FROM ns.ev"), "ns.ev");
  EXPECT_EQ(LastWord("f("), "");
  EXPECT_EQ(LastWord("größ"), "größ");
}

TEST(LineEditor, NeedsATerminal) {
  if (isatty(STDIN_FILENO) == 1) GTEST_SKIP() << "standard input is a terminal";
  EXPECT_ERROR(LineEditor::Make("", nullptr), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace tarn::cli
