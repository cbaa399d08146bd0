"""Run a notebook and write it with what it gives: ``python tools/notebook.py NOTEBOOK [OUT]``.

The kernel is reached by files, not by the network.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient

SECONDS = 120


def run(path: Path, out: Path) -> None:
    """Run the notebook in its own folder; raises CellExecutionError for a cell that fails."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"IPYTHONDIR": folder, "JUPYTER_PLATFORM_DIRS": "1"}
        kernel = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=f"{folder}/kernel")
        where = {"metadata": {"path": str(path.parent)}}
        try:
            NotebookClient(notebook, km=kernel, timeout=SECONDS, resources=where).execute()
        finally:
            run_sync(kernel.shutdown_kernel)(now=True)
    for cell in notebook.cells:
        cell.metadata = {}  # when each was run differs every time
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(notebook, out)


if __name__ == "__main__":
    run(Path(sys.argv[1]).resolve(), Path(sys.argv[-1]).resolve())
