"""Peers as fixtures; the program and comparison come from tests/python (see pytest.ini)."""

import pytest

from peers import DeltaRs, DuckDb, Spark


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    if not Spark.installed():
        pytest.skip("Spark is not installed; `make interop` installs it")
    engine = Spark(tmp_path_factory.mktemp("spark"))
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def delta_rs():
    pytest.importorskip("deltalake")
    return DeltaRs()


@pytest.fixture(scope="session")
def duckdb():
    pytest.importorskip("duckdb_extension_delta")
    return DuckDb()


@pytest.fixture
def peer(request):
    return request.getfixturevalue(request.param)
