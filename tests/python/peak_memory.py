"""What a run of the program takes: seconds, and the peak memory of its whole process.

As a program, runs a command as its child and prints `{"code": …, "peak_bytes": …, "seconds": …, "cpu_seconds": …}`: the peak of a
child begins with that of the process it was forked from, so that must be a small one.
Usage: peak_memory.py COMMAND ARGUMENT…   (the command's own output goes to standard error)
"""

import json
import os
import subprocess
import sys
import time


def run_measured(tarn, *arguments):
    """One run in the lake of `tarn`, which must succeed: `peak_bytes`, `seconds`, `cpu_seconds`."""
    command = [tarn.program, *map(str, arguments), "--lake", str(tarn.lake)]
    helper = [sys.executable, "-S", "-E", os.path.abspath(__file__)]
    done = subprocess.run([*helper, *command], capture_output=True, cwd=tarn.folder, text=True)
    facts = json.loads(done.stdout)
    assert facts["code"] == 0, done.stderr
    return facts


def main():
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.dup2(2, 1)
        os.execv(sys.argv[1], sys.argv[1:])
    _, status, usage = os.wait4(child, 0)
    took = time.monotonic() - began
    facts = {
        "code": os.waitstatus_to_exitcode(status),
        "peak_bytes": usage.ru_maxrss * 1024,
        "seconds": took,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
