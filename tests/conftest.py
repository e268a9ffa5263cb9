"""What every test of the program shares: where it is, how it is run, and the shared material."""

import os

import pytest

from shared_material import ROOT, shared_folder
from tarn_program import Tarn


def pytest_report_header():
    folder = shared_folder()
    return f"tarn shared material: {folder if folder else 'absent: tests that need it are skipped'}"


@pytest.fixture(scope="session")
def shared():
    folder = shared_folder()
    if folder is None:
        pytest.skip("TARN_SHARED has no fixtures")
    return folder


@pytest.fixture
def files(shared):
    """Inputs and answers of the field failures."""
    return shared / "cases" / "files"


@pytest.fixture
def tarn(tmp_path):
    """The program, with an empty lake of its own."""
    program = os.environ.get("TARN_BIN", str(ROOT / "build" / "tarn"))
    return Tarn(program, tmp_path)
