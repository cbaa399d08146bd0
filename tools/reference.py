"""Write the reference of the public names as HTML, with pdoc: ``python tools/reference.py FOLDER``.

Building a wheel does the same where pdoc and what inexview needs are installed (not in an isolated build, in
which they are not), and puts the pages into the wheel.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CHECKOUT = Path(__file__).resolve().parent.parent
MODULES = ("inexview", "inexview.measures", "inexview.ir_measures", "inexview.scripting")
IN_WHEEL = "inexview/_data/reference"
NEEDED = ("pdoc", "numpy", "lxml")


def write(folder: Path) -> None:
    """Write a page for each module that scripts use; raises CalledProcessError where that fails."""
    there = [name for name in MODULES if name != "inexview.ir_measures" or _is_there("ir_measures")]
    options = [
        "--docformat",
        "restructuredtext",
        "--no-search",
        "--no-show-source",
        "--output-directory",
        str(folder),
    ]
    hidden = [f"!inexview.{room}" for room in ("core", "gui", "cli")]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([sys.executable, "-m", "pdoc", *options, *there, *hidden], check=True, env=environment)


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


class ReferenceHook(BuildHookInterface):
    """Puts the reference into a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = ""
        missing = [name for name in NEEDED if not _is_there(name)]
        if version == "editable":
            return
        if missing:
            self.app.display_warning(f"The wheel has no reference: {', '.join(missing)} missing.")
            return
        self._folder = tempfile.mkdtemp()
        write(Path(self._folder))
        build_data["force_include"][self._folder] = IN_WHEEL

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._folder:
            shutil.rmtree(self._folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
