"""tools/tidy.py finds each thing it is there for: planted one by one in a small clean tree."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

_spec = importlib.util.spec_from_file_location("tidy", ROOT / "tools" / "tidy.py")
tidy = importlib.util.module_from_spec(_spec)
sys.modules["tidy"] = tidy
_spec.loader.exec_module(tidy)


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Four rooms, a file or two in each, nothing wrong."""
    rooms = {
        "base": "tarn_room(base LIBS fmt::fmt)",
        "model": "tarn_room(model)",
        "table": "tarn_room(table LIBS fmt::fmt)",
        "duck": "tarn_room(duck DEPENDS table LIBS DuckDB::duckdb)",
        "format/delta": "# arrows: see tarn_room(x)\ntarn_room(delta\n  DEPENDS table\n  LIBS simdjson)",
    }
    for folder, line in rooms.items():
        write(tmp_path, f"src/tarn/{folder}/CMakeLists.txt", line + "\n")
    write(tmp_path, "src/tarn/base/result.h", "#pragma once\n\n#include <string>\n")
    write(tmp_path, "src/tarn/table/table.h", '#pragma once\n\n#include "tarn/base/result.h"\n')
    write(tmp_path, "src/tarn/table/table.cc", '#include "tarn/table/table.h"\n\n#include <vector>\n')
    write(
        tmp_path,
        "src/tarn/format/delta/load.cc",
        '#include <fmt/format.h>\n\n#include "tarn/table/table.h"\n',
    )
    write(
        tmp_path,
        "src/tarn/duck/session_duckdb.cc",
        '#include "duckdb.hpp"\n#include "tarn/table/table.h"\nvoid F() { throw 1; }\n',
    )
    for room, stem in (("table", "table"), ("format/delta", "load"), ("duck", "session_duckdb")):
        write(tmp_path, f"tests/unit/{room}/{stem}_test.cc", "// a test\n")
    return tmp_path


def findings(tree: Path) -> list[tuple[str, str]]:
    """(rule, path) of every broken rule."""
    return [(found.rule, found.path) for found in tidy.check(tree) if not found.is_note]


def test_a_clean_tree_has_no_findings(tree: Path) -> None:
    assert tidy.check(tree) == []


# What is planted: the rule it breaks, the file it is put into, the text of that file.
PLANTED = [
    # The arrow table -> delta does not exist; neither does one from base to anything.
    ("arrow", "src/tarn/table/table.h", '#pragma once\n#include "tarn/format/delta/load.h"\n'),
    ("arrow", "src/tarn/base/result.h", '#pragma once\n#include "tarn/model/schema.h"\n'),
    ("arrow", "src/tarn/base/result.h", '#pragma once\n#include "tarn/table/table.h"\n'),
    ("arrow", "src/tarn/table/table.h", '#pragma once\n#include "tarn/nowhere/x.h"\n'),
    ("arrow", "src/tarn/format/stray.h", "#pragma once\n"),
    ("arrow", "src/tarn/scan/CMakeLists.txt", "add_library(scan)\n"),
    ("internal", "src/tarn/format/delta/x.h", '#pragma once\n#include "tarn/table/a_internal.h"\n'),
    ("mirror", "src/tarn/table/new.cc", "#include <vector>\n"),
    ("pragma", "src/tarn/table/late.h", "#include <vector>\n#pragma once\n"),
    ("pragma", "src/tarn/table/guard.h", "#ifndef GUARD_H_\n#define GUARD_H_\n#endif\n"),
    ("pragma", "src/tarn/table/empty.h", "// nothing\n"),
    ("include", "src/tarn/table/table.cc", '#include <vector>\n\n#include "tarn/table/table.h"\n'),
    ("include", "src/tarn/table/quoted.h", '#pragma once\n#include "table.h"\n'),
    ("include", "src/tarn/table/angled.h", "#pragma once\n#include <tarn/table/table.h>\n"),
    ("foreign", "src/tarn/table/heavy.h", "#pragma once\n#include <arrow/api.h>\n"),
    ("foreign", "src/tarn/table/heavy.h", "#pragma once\n#include <nlohmann/json.hpp>\n"),
    ("duckdb", "src/tarn/table/table.cc", '#include "tarn/table/table.h"\n#include <duckdb.hpp>\n'),
    ("duckdb", "src/tarn/duck/plain.h", '#pragma once\n#include "duckdb/main/config.hpp"\n'),
    ("duckdb", "src/tarn/duck/plain.h", '#pragma once\n#include "tarn/duck/types_duckdb.h"\n'),
    ("throw", "src/tarn/table/table.cc", '#include "tarn/table/table.h"\nvoid F() { throw 1; }\n'),
    ("size", "src/tarn/table/long.h", "#pragma once\n" + "int x;\n" * 900),
    ("size", "tests/unit/table/table_test.cc", "int x;\n" * 1501),
    ("todo", "src/tarn/table/left.h", "#pragma once\n// TO" + "DO: later\n"),
    ("todo", "tests/sim/helper.cc", "// FIX" + "ME\n"),
    ("conflict", "docs/changes/x.md", "- new\n" + "<" * 7 + " HEAD\n"),
    ("conflict", "src/tarn/table/merged.h", "#pragma once\n" + ">" * 7 + " branch\n"),
    ("word", "docs/guide/install.md", "fetch it from https://py" + "pi.org/simple\n"),
    ("word", "tools/fetch.sh", "cd /wo" + "rk/main\n"),
    ("word", "README.md", "see /ro" + "ot/notes\n"),
    ("word", "README.md", "see `/tmp/pl" + "an/x`\n"),
]


@pytest.mark.parametrize("rule,path,text", PLANTED, ids=[f"{p[0]}-{i}" for i, p in enumerate(PLANTED)])
def test_a_planted_violation_is_found_and_nothing_else(
    tree: Path, rule: str, path: str, text: str
) -> None:
    write(tree, path, text)
    assert set(findings(tree)) == {(rule, path)}


def test_rooms_in_a_ring_are_found(tree: Path) -> None:
    write(tree, "src/tarn/table/CMakeLists.txt", "tarn_room(table DEPENDS delta)\n")
    assert [found.message for found in tidy.check(tree)] == ["rooms: delta -> table -> delta"]


def test_a_ring_of_files_counts_header_and_source_as_one(tree: Path) -> None:
    # table.cc -> other.h, other.h -> table.h: no header includes itself, yet neither stands alone.
    write(tree, "src/tarn/table/other.h", '#pragma once\n#include "tarn/table/table.h"\n')
    write(
        tree,
        "src/tarn/table/table.cc",
        '#include "tarn/table/table.h"\n\n#include "tarn/table/other.h"\n',
    )
    rings = [found for found in tidy.check(tree) if found.rule == "ring"]
    assert [found.message for found in rings] == [
        "files include each other: table/other -> table/table -> table/other"
    ]


@pytest.mark.parametrize(
    "graph,rings",
    [
        ({}, []),
        ({"a": {"b"}, "b": {"c"}}, []),
        ({"a": {"a"}}, [["a", "a"]]),
        ({"a": {"b"}, "b": {"a"}}, [["a", "b", "a"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, [["b", "c", "b"]]),
        ({"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": {"a"}}, [["a", "b", "c", "d", "a"]]),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c"}}, [["a", "b", "a"], ["c", "d", "c"]]),
    ],
)
def test_find_rings(graph: dict[str, set[str]], rings: list[list[str]]) -> None:
    assert tidy.find_rings(graph) == rings


def test_comments_and_literals_break_no_rule(tree: Path) -> None:
    write(
        tree,
        "src/tarn/table/quiet.h",
        '#pragma once\n// #include <arrow/api.h>\n/*\n#include "x.h"\n*/\n'
        'inline const char* kText = "never throw";\ninline int kMany = 1\'000\'000;\n'
        "// throw nothing\ninline void F() { throw CLI::ParseError(); }\nTO" + "DO(#12): later\n",
    )
    assert findings(tree) == []


def test_a_long_source_is_a_note_not_an_error(tree: Path) -> None:
    write(tree, "src/tarn/table/long.h", "#pragma once\n" + "int x;\n" * 500)
    assert [(found.rule, found.is_note) for found in tidy.check(tree)] == [("size", True)]


def test_a_generated_file_may_be_long(tree: Path) -> None:
    text = "// Generated by tools/make.py.\n#pragma once\n" + "int x;\n" * 2000
    write(tree, "src/tarn/table/table_internal.h", text)
    assert tidy.check(tree) == []


def test_arrow_forward_declarations_are_allowed_in_headers(tree: Path) -> None:
    write(
        tree,
        "src/tarn/table/light.h",
        "#pragma once\n#include <arrow/type_fwd.h>\n#include <arrow/io/type_fwd.h>\n"
        "#include <cstdint>\n",
    )
    assert findings(tree) == []


def test_builds_and_binary_files_are_not_looked_at(tree: Path) -> None:
    write(tree, "build-asan/log.md", "/ro" + "ot/x\n")
    write(tree, ".venv/x.md", "/ro" + "ot/x\n")
    (tree / "data.bin").write_bytes(b"\0/ro" + b"ot/x\n")
    assert findings(tree) == []


def test_main_prints_findings_and_fails(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tidy.main([str(tree)]) == 0
    write(tree, "src/tarn/table/new.cc", "#include <vector>\n")
    assert tidy.main([str(tree)]) == 1
    printed = capsys.readouterr().out
    assert "src/tarn/table/new.cc:1: mirror: " in printed
    assert "tidy: 1 broken rules, 0 notes" in printed
