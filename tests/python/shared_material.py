"""Where the fixtures and cases are that the project does not carry itself."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def shared_folder():
    """The folder, or None where a stranger does not have it."""
    folder = pathlib.Path(os.environ.get("TARN_SHARED", ROOT.parent / "shared")).resolve()
    return folder if (folder / "fixtures").is_dir() else None
