"""What every test of the program shares: where it is, and how it is run."""

import os
import pathlib

import pytest

from tarn_program import Tarn

ROOT = pathlib.Path(__file__).resolve().parents[2]


def shared_folder():
    """The folder of fixtures and cases, or None where a stranger does not have it."""
    folder = pathlib.Path(os.environ.get("TARN_SHARED", ROOT.parent / "shared")).resolve()
    return folder if (folder / "fixtures").is_dir() else None


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
def tarn(tmp_path):
    """The program, with an empty lake of its own."""
    program = os.environ.get("TARN_BIN", str(ROOT / "build" / "tarn"))
    return Tarn(program, tmp_path)
