"""The small tools beside tidy: counting results, and scripts that at least parse."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PASSED = '<testcase name="a" status="run" result="completed"/>'
FAILED = '<testcase name="b" status="run"><failure message="no"/></testcase>'
BROKEN = '<testcase name="c"><error message="no"/></testcase>'
SKIPPED = '<testcase name="d" status="run" result="skipped"><skipped message="x"/></testcase>'
DISABLED = '<testcase name="e" status="notrun" result="suppressed"/>'


@pytest.mark.parametrize(
    "cases,status,closing",
    [
        ([[PASSED, PASSED], [PASSED]], 0, "3 passed, 0 failed, 0 skipped"),
        ([[PASSED, FAILED], [BROKEN]], 1, "1 passed, 2 failed, 0 skipped"),
        ([[PASSED, SKIPPED, DISABLED]], 0, "1 passed, 0 failed, 2 skipped"),
        ([[SKIPPED]], 1, "0 passed, 0 failed, 1 skipped"),
        ([], 1, "0 passed, 0 failed, 0 skipped"),
    ],
)
def test_results_are_added_up(
    tmp_path: Path, cases: list[list[str]], status: int, closing: str
) -> None:
    for number, of_one_program in enumerate(cases):
        text = f"<testsuites><testsuite>{''.join(of_one_program)}</testsuite></testsuites>"
        (tmp_path / f"{number}.xml").write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "count_tests.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.splitlines()[-1] == closing
    assert ran.returncode == status


SCRIPTS = sorted(ROOT.glob("tools/*.sh")) + [ROOT / ".ci" / "run"]


@pytest.mark.parametrize("script", SCRIPTS, ids=[script.name for script in SCRIPTS])
def test_a_script_parses_and_stops_at_unset_names(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    assert "set -euo pipefail" in text or "set -uo pipefail" in text
