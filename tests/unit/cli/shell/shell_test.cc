#include "tarn/cli/shell/shell.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

TEST(Shell, KnowsItsOwnCommands) {
  EXPECT_EQ(ParseShellCommand(" .quit "), ShellCommand::kQuit);
  EXPECT_EQ(ParseShellCommand(".TABLES"), ShellCommand::kTables);
  EXPECT_EQ(ParseShellCommand(".help"), ShellCommand::kHelp);
  EXPECT_EQ(ParseShellCommand(".x"), ShellCommand::kUnknown);
  EXPECT_EQ(ParseShellCommand("SELECT 1"), ShellCommand::kNone);
  // Without the dot too, where nothing else stands on the line.
  EXPECT_EQ(ParseShellCommand("help"), ShellCommand::kHelp);
  EXPECT_EQ(ParseShellCommand("Exit"), ShellCommand::kQuit);
  EXPECT_EQ(ParseShellCommand("quit"), ShellCommand::kQuit);
  EXPECT_EQ(ParseShellCommand("exit now"), ShellCommand::kNone);
}

TEST(Shell, HistoryIsInTheStateFolder) {
  setenv("XDG_STATE_HOME", "/state", 1);
  EXPECT_EQ(HistoryFile(), "/state/tarn/history");
  setenv("XDG_STATE_HOME", "", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(HistoryFile(), "/home/me/.local/state/tarn/history");
}

}  // namespace
}  // namespace tarn::cli
