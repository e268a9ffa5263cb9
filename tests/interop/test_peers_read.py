"""Every table that Tarn writes is read equal by every peer, values, NULLs and types included. A peer
that cannot, or reads wrongly, stands in exceptions.json with its error; when it starts to pass, the
test fails until the entry is gone."""

import json
import pathlib

import pytest

from compare_tables import difference
from tables import TABLES

EXCEPTIONS = json.loads((pathlib.Path(__file__).parent / "exceptions.json").read_text())
PEERS = ["delta_rs", "duckdb", "spark"]


@pytest.mark.parametrize("peer", PEERS, indirect=True)
@pytest.mark.parametrize("name", TABLES)
def test_reads_what_tarn_wrote(tarn, peer, name):
    tarn.init()
    tarn.sql(TABLES[name].format(t="t"))
    wanted = tarn.table("SELECT * FROM t")
    known = EXCEPTIONS.get(name, {}).get(peer.name)
    try:
        got = peer.read(tarn.lake / "default" / "t")
        problem = difference(wanted, got)
    except Exception as error:
        problem = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    if known:
        assert problem is not None, f"{peer.name} now reads '{name}' right: take it out of exceptions.json"
        assert known in problem, f"expected the known failure '{known}', got: {problem}"
    else:
        assert problem is None, f"{peer.name} on '{name}': {problem}"
