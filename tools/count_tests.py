"""Adds up the results that gtest and pytest left as XML: one line for each program, then the sum.

Usage: tools/count_tests.py <folder of *.xml>. Exit status 1 when a test failed or none ran.
"""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def count(path: Path) -> tuple[int, int, int]:
    """(passed, failed, skipped) of one result file."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main(folder: str) -> int:
    total = [0, 0, 0]
    for path in sorted(Path(folder).glob("*.xml")):
        counts = count(path)
        print("  {:<24} {:>6} passed {:>4} failed {:>4} skipped".format(path.stem, *counts))
        total = [sum(pair) for pair in zip(total, counts)]
    print("{} passed, {} failed, {} skipped".format(*total))
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
