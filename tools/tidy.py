"""Checks what no compiler does: the arrows between rooms and the house rules.

    arrow      a file includes only from its own room and from those its tarn_room() line names
    internal   *_internal.h stays within its room
    ring       files of one room do not include each other in a ring (x.h and x.cc count as one)
    mirror     src/tarn/<room>/<file>.cc has a tests/unit/<room>/<file>_test.cc
    pragma     a header begins with #pragma once
    include    own header first; ours as "tarn/...", everything else in <>
    foreign    headers of ours include only the standard library, and Arrow's forward declarations
    duckdb     DuckDB's C++ headers appear only in *_duckdb.{h,cc} and *_internal.h of duck/ and
               query/, and *_duckdb.h only there
    throw      nothing of ours throws; callbacks of DuckDB (in those same files) and of CLI11 must
    size       one idea per file: a note from 400 lines, an error above 900 (tests: 1500);
               generated files are exempt
    todo       a thing left to do names its issue: TODO(#123)
    conflict   no marks of a merge that was not finished, in any file
    word       no host of a package registry, no path of somebody's machine, in any file

Usage: tools/tidy.py [root]. Prints `path:line: rule: message`; exit status 1 if there are any.
"""

import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

SIZE_NOTE = 400
SIZE_MAX = 900
SIZE_MAX_TEST = 1500

# Sources without a mirrored unit test, each with the reason.
MIRROR_EXCEPTIONS: dict[str, str] = {}

# Rooms that every other may include from, without naming them.
COMMON_ROOMS = ("base", "model")

DUCKDB_ROOMS = ("duck", "query")
DUCKDB_HEADER = re.compile(
    r"^(duckdb\.hpp|duckdb/|core_functions|(parquet|json|column|thrift)_\w+\.hpp|(reader|writer|decoder)/\w+\.hpp)"
)
FOREIGN_ALLOWED = re.compile(
    r"[a-z_0-9]+|arrow/(\w+/)?type_fwd\.h|arrow/c/abi\.h|nlohmann/json_fwd\.hpp|sys/types\.h"
    r"|unistd\.h"
)

# Spelled in pieces, so that this file does not contain what it looks for.
FORBIDDEN_WORDS = [
    "|".join(
        re.escape(".".join(host))
        for host in (
            ("pypi", "org"),
            ("pythonhosted", "org"),
            ("npmjs", "org"),
            ("crates", "io"),
            ("proxy", "golang", "org"),
            ("repo", "maven", "apache", "org"),
            ("repo1", "maven", "org"),
            ("deb", "debian", "org"),
        )
    ),
    "|".join(rf"(?<![\w.$}}/*-])/{folder}/" for folder in ("work", "root", "tmp/plan")),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
ROOM_LINE = re.compile(r"tarn_room\(\s*([a-z_0-9]+)([^)]*)\)", re.S)
SKIPPED_FOLDERS = re.compile(r"^(build.*|\.git|\.venv|\.stamps|third_party|__pycache__|\.cache)$")


@dataclass(frozen=True)
class Finding:
    """One broken rule. A note is printed but breaks nothing."""

    path: str
    line: int
    rule: str
    message: str
    is_note: bool = False

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {'note: ' if self.is_note else ''}{self.rule}: {self.message}"


@dataclass(frozen=True)
class Room:
    name: str
    folder: str  # below src/tarn: "base", "format/delta"
    depends: frozenset[str]


@dataclass(frozen=True)
class Include:
    line: int
    quoted: bool
    target: str


class Source:
    """A C++ file: its lines, with comments and literals blanked out in `code`."""

    def __init__(self, root: Path, path: Path):
        self.path = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace")
        self.lines = text.splitlines()
        self.code = blank_comments_and_literals(text).splitlines()
        # Read from the text, since an include's name is a literal; but not out of comments.
        self.includes = [
            Include(number, match[1] == '"', match[2])
            for number, line in enumerate(self.lines, 1)
            if (match := INCLUDE.match(line)) and "include" in self.code[number - 1]
        ]

    @property
    def is_header(self) -> bool:
        return self.path.endswith(".h")

    @property
    def node(self) -> str:
        """The file without its suffix: header and source are one."""
        return self.path.rsplit(".", 1)[0]


def blank_comments_and_literals(text: str) -> str:
    """`text` with comments, strings and characters replaced by spaces, line by line the same."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
        re.S,
    )
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def read_rooms(root: Path) -> tuple[list[Room], list[Finding]]:
    """The rooms as the tarn_room() lines draw them."""
    rooms, findings = [], []
    base = root / "src" / "tarn"
    for path in sorted(base.rglob("CMakeLists.txt")):
        where = path.relative_to(root).as_posix()
        text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
        lines = ROOM_LINE.findall(text)
        if len(lines) != 1:
            findings.append(Finding(where, 1, "arrow", "one tarn_room() line is wanted here"))
            continue
        name, arguments = lines[0]
        depends = re.search(r"\bDEPENDS\b([^A-Z]*)", arguments)
        rooms.append(
            Room(
                name,
                path.parent.relative_to(base).as_posix(),
                frozenset(depends[1].split()) if depends else frozenset(),
            )
        )
    formats = frozenset(room.name for room in rooms if room.folder.startswith("format/"))
    return [
        replace(room, depends=room.depends - {"formats"} | formats) if "formats" in room.depends else room
        for room in rooms
    ], findings


def room_of(path: str, rooms: list[Room]) -> Room | None:
    """The room of "src/tarn/..." or "tarn/...": that with the longest fitting folder."""
    inside = path.split("tarn/", 1)[1] if "tarn/" in path else ""
    fitting = [room for room in rooms if inside.startswith(room.folder + "/")]
    return max(fitting, key=lambda room: len(room.folder), default=None)


def check_arrows(source: Source, rooms: list[Room]) -> list[Finding]:
    room = room_of(source.path, rooms)
    if room is None:
        return [Finding(source.path, 1, "arrow", "this file lies in no room")]
    common = COMMON_ROOMS[: COMMON_ROOMS.index(room.name)] if room.name in COMMON_ROOMS else COMMON_ROOMS
    findings = []
    for include in source.includes:
        if not include.target.startswith("tarn/"):
            continue
        other = room_of(include.target, rooms)
        if other is None:
            message = f"'{include.target}' lies in no room"
            findings.append(Finding(source.path, include.line, "arrow", message))
        elif other != room:
            if other.name not in room.depends and other.name not in common:
                message = f"room '{room.name}' has no arrow to '{other.name}'"
                findings.append(Finding(source.path, include.line, "arrow", message))
            if include.target.endswith("_internal.h"):
                message = f"'{include.target}' is internal to room '{other.name}'"
                findings.append(Finding(source.path, include.line, "internal", message))
    return findings


def check_arrows_of_rooms(rooms: list[Room]) -> list[Finding]:
    """Rings among rooms. CMake refuses them too, but only by order."""
    graph = {room.name: set(room.depends) for room in rooms}
    folders = {room.name: room.folder for room in rooms}
    return [
        Finding(
            f"src/tarn/{folders[ring[0]]}/CMakeLists.txt", 1, "ring", "rooms: " + " -> ".join(ring)
        )
        for ring in find_rings(graph)
    ]


def check_rings(sources: list[Source], rooms: list[Room]) -> list[Finding]:
    graph: dict[str, set[str]] = defaultdict(set)
    first_line: dict[tuple[str, str], tuple[str, int]] = {}
    for source in sources:
        for include in source.includes:
            if not include.target.startswith("tarn/"):
                continue
            target = "src/" + include.target.rsplit(".", 1)[0]
            if target != source.node and room_of(target, rooms) == room_of(source.path, rooms):
                graph[source.node].add(target)
                first_line.setdefault((source.node, target), (source.path, include.line))
    findings = []
    for ring in find_rings(graph):
        path, line = first_line[(ring[0], ring[1])]
        names = " -> ".join(node.split("src/tarn/", 1)[1] for node in ring)
        findings.append(Finding(path, line, "ring", f"files include each other: {names}"))
    return findings


def find_rings(graph: dict[str, set[str]]) -> list[list[str]]:
    """One ring (first node repeated at its end) of each knot of `graph`."""
    rings, done = [], set()
    for start in sorted(graph):
        if start in done:
            continue
        # The shortest way from start back to start.
        previous: dict[str, str] = {}
        queue = [start]
        found = False
        while queue and not found:
            node = queue.pop(0)
            for following in sorted(graph.get(node, ())):
                if following == start:
                    ring = [start, node] if node != start else [start]
                    while node != start and previous[node] != start:
                        node = previous[node]
                        ring.append(node)
                    ring = [start] + ring[1:][::-1] + [start]
                    rings.append(ring)
                    done.update(ring)
                    found = True
                    break
                if following not in previous:
                    previous[following] = node
                    queue.append(following)
    return rings


def check_mirror(source: Source, root: Path) -> list[Finding]:
    if source.is_header or source.path.endswith("/main.cc") or source.path in MIRROR_EXCEPTIONS:
        return []
    test = source.node.replace("src/tarn/", "tests/unit/", 1) + "_test.cc"
    if (root / test).exists():
        return []
    return [Finding(source.path, 1, "mirror", f"its unit test is missing: {test}")]


def check_pragma(source: Source) -> list[Finding]:
    if not source.is_header:
        return []
    for number, line in enumerate(source.code, 1):
        if line.strip():
            if line.strip() == "#pragma once":
                return []
            return [Finding(source.path, number, "pragma", "a header begins with #pragma once")]
    return [Finding(source.path, 1, "pragma", "a header begins with #pragma once")]


def check_includes(source: Source, paths: set[str]) -> list[Finding]:
    findings = []
    own = source.node + ".h"
    if not source.is_header and own in paths and source.includes:
        first = source.includes[0]
        if "src/" + first.target != own:
            message = f"the first include is the file's own header, \"{own[len('src/'):]}\""
            findings.append(Finding(source.path, first.line, "include", message))
    for include in source.includes:
        is_ours = include.target.startswith("tarn/") or DUCKDB_HEADER.match(include.target)
        if include.quoted and not is_ours:
            message = f'"{include.target}": only files of ours stand in quotes, by their path from src/'
            findings.append(Finding(source.path, include.line, "include", message))
        if not include.quoted and include.target.startswith("tarn/"):
            message = f"<{include.target}>: a file of ours stands in quotes"
            findings.append(Finding(source.path, include.line, "include", message))
    return findings


def check_foreign(source: Source) -> list[Finding]:
    if not source.is_header or source.path.endswith(("_internal.h", "_duckdb.h")):
        return []
    findings = []
    for include in source.includes:
        target = include.target
        if include.quoted or target.startswith("tarn/") or DUCKDB_HEADER.match(target):
            continue  # what may be wrong with those, other rules say
        if FOREIGN_ALLOWED.fullmatch(target):
            continue
        message = f"<{target}> in a header: forward-declare it, or keep it in the .cc"
        findings.append(Finding(source.path, include.line, "foreign", message))
    return findings


def may_use_duckdb(source: Source, rooms: list[Room]) -> bool:
    room = room_of(source.path, rooms)
    is_named_so = source.path.endswith(("_duckdb.cc", "_duckdb.h", "_internal.h"))
    return room is not None and room.name in DUCKDB_ROOMS and is_named_so


def check_duckdb(source: Source, rooms: list[Room]) -> list[Finding]:
    if may_use_duckdb(source, rooms):
        return []
    return [
        Finding(
            source.path,
            include.line,
            "duckdb",
            f"'{include.target}' belongs into a *_duckdb.cc or *_internal.h of duck/ or query/",
        )
        for include in source.includes
        if DUCKDB_HEADER.match(include.target) or include.target.endswith("_duckdb.h")
    ]


def check_throw(source: Source, rooms: list[Room]) -> list[Finding]:
    if may_use_duckdb(source, rooms):
        return []
    return [
        Finding(source.path, number, "throw", "errors are values: return a Status or Result")
        for number, line in enumerate(source.code, 1)
        if re.search(r"\bthrow\b(?! CLI::)", line)
    ]


def check_size(source: Source) -> list[Finding]:
    if source.lines and source.lines[0].startswith("// Generated by "):
        return []
    lines = len(source.lines)
    maximum = SIZE_MAX_TEST if source.path.startswith("tests/") else SIZE_MAX
    if lines > maximum:
        return [Finding(source.path, lines, "size", f"{lines} lines, {maximum} at most")]
    if lines > SIZE_NOTE and not source.path.startswith("tests/"):
        return [Finding(source.path, lines, "size", f"{lines} lines: is there a second idea?", True)]
    return []


def check_todo(path: str, lines: list[str]) -> list[Finding]:
    words = "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X"))
    return [
        Finding(path, number, "todo", "a thing left to do names its issue: " + "TO" + "DO(#123)")
        for number, line in enumerate(lines, 1)
        if re.search(rf"\b(?:{words})\b(?!\(#\d+\))", line)
    ]


def check_words(path: str, lines: list[str]) -> list[Finding]:
    findings = []
    for number, line in enumerate(lines, 1):
        for pattern in FORBIDDEN_WORDS:
            if match := re.search(pattern, line):
                message = f"'{match[0]}' must not stand in this repository"
                findings.append(Finding(path, number, "word", message))
    return findings


def check_conflicts(path: str, lines: list[str]) -> list[Finding]:
    return [
        Finding(path, number, "conflict", "a merge was not finished here")
        for number, line in enumerate(lines, 1)
        if re.match(r"(<{7}|>{7})( |$)", line)
    ]


def repository_files(root: Path) -> list[Path]:
    """What git has or would take; without git, all files but those of builds and set-up."""
    if (root / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split("\0")
        return sorted(root / name for name in listed if name and (root / name).is_file())
    return sorted(
        path
        for path in root.rglob("*")
        if path.is_file()
        and not any(SKIPPED_FOLDERS.match(part) for part in path.relative_to(root).parts)
    )


def text_lines(path: Path) -> list[str] | None:
    """The lines of a text file of moderate size; None for anything else."""
    if path.is_symlink() or path.stat().st_size > 1_000_000:
        return None
    content = path.read_bytes()
    if b"\0" in content:
        return None
    return content.decode("utf-8", errors="replace").splitlines()


def check(root: Path) -> list[Finding]:
    """Everything that is wrong in the tree at `root`, by path and line."""
    rooms, findings = read_rooms(root)
    findings += check_arrows_of_rooms(rooms)

    files = repository_files(root)
    paths = {path.relative_to(root).as_posix() for path in files}
    sources = []
    for path in files:
        name = path.relative_to(root).as_posix()
        if name.endswith((".h", ".cc")):
            if name.startswith("src/tarn/"):
                sources.append(Source(root, path))
            elif name.startswith(("tests/", "bench/")):
                findings += check_size(Source(root, path))
        lines = text_lines(path)
        if lines is None:
            continue
        findings += check_words(name, lines)
        findings += check_conflicts(name, lines)
        if name.endswith((".h", ".cc", ".py", ".sh", ".cmake", "CMakeLists.txt", "Makefile")):
            findings += check_todo(name, lines)

    for source in sources:
        findings += check_arrows(source, rooms)
        findings += check_mirror(source, root)
        findings += check_pragma(source)
        findings += check_includes(source, paths)
        findings += check_foreign(source)
        findings += check_duckdb(source, rooms)
        findings += check_throw(source, rooms)
        findings += check_size(source)
    findings += check_rings(sources, rooms)

    for name in MIRROR_EXCEPTIONS:
        if name not in paths and (root / "tools" / "tidy.py").exists():
            message = f"MIRROR_EXCEPTIONS names {name}, which is gone"
            findings.append(Finding("tools/tidy.py", 1, "mirror", message))
    return sorted(findings, key=lambda finding: (finding.path, finding.line, finding.rule))


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    findings = check(root)
    for finding in findings:
        print(finding)
    broken = sum(not finding.is_note for finding in findings)
    print(f"tidy: {broken} broken rules, {len(findings) - broken} notes")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
