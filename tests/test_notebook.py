"""The notebook on the sample runs, and gives what it shows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

for library in ("nbclient", "ipykernel", "pandas", "matplotlib", "ir_measures"):
    pytest.importorskip(library)


def printed(notebook: Path) -> list[list[str]]:
    """Return what each cell of code prints, and its value as text."""
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [
        ["".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]]
        for cell in cells
        if cell["cell_type"] == "code"
    ]


def test_the_notebook_runs_with_the_shown_output(checkout: Path, tmp_path: Path) -> None:
    for name in ("sample", "notebooks"):
        shutil.copytree(checkout / "resources" / name, tmp_path / name)
    notebook, out = tmp_path / "notebooks" / "sample.ipynb", tmp_path / "run.ipynb"
    done = subprocess.run(
        [sys.executable, str(checkout / "tools" / "notebook.py"), str(notebook), str(out)],
        env={**os.environ, "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = printed(notebook)
    assert printed(out) == shown
    assert len(shown) >= 10
    assert all(shown)
    assert "image/png" in notebook.read_text(encoding="utf-8")
