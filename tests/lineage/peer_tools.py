"""Other lineage tools, each asked in a process of an environment that holds nothing of ours.

The environment is made on first use from tools/requirements-lineage.txt, in .peers/lineage; a second
one, .peers/lineage-compiled, has the same sqlglot as its authors compile it.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ROOT / "tools/requirements-lineage.txt"
PEERS = Path(__file__).with_name("peers.py")
FOLDER = Path(os.environ.get("TARN_PEERS", ROOT / ".peers"))
NAMES = ("sqlglot", "sqllineage", "openlineage-sql")


def versions():
    """{tool: version}, as pinned."""
    return dict(re.findall(r"^([\w-]+)==(\S+)$", REQUIREMENTS.read_text(), re.M))


def _made(folder, wanted):
    """The Python of an environment that holds `wanted`; made anew when that changes."""
    python = folder / "bin/python"
    stamp = folder / "made-from"
    checksum = hashlib.sha256("\n".join(wanted).encode()).hexdigest()
    if not stamp.exists() or stamp.read_text() != checksum:
        print(f"peers: installing {', '.join(wanted)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        *wanted], check=True)
        stamp.write_text(checksum)
    return python


def python(compiled=False):
    pinned = versions()
    if compiled:
        return _made(FOLDER / "lineage-compiled", [f"sqlglot[c]=={pinned['sqlglot']}"])
    return _made(FOLDER / "lineage", [f"{name}=={version}" for name, version in pinned.items()])


def ask(name, cases):
    """What the tool says of each case: {inputs, outputs, columns}, or {error}."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run([python(), PEERS, name], input=lines, capture_output=True, text=True,
                          check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(cases), f"{name} answered {len(answers)} of {len(cases)}"
    return answers
