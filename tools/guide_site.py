"""Write the guide and the reference of the public names as a site: ``python tools/guide_site.py FOLDER``.

Sphinx sets the Markdown of the guide with the Furo theme, and pdoc the docstrings.  Building a wheel does the
same where both and what inexview needs are installed (not in an isolated build, in which they are not).
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
IN_WHEEL = "inexview/_data/site"
REFERENCE = "reference"
NEEDED = ("pdoc", "sphinx", "furo", "myst_parser", "numpy", "lxml", "PySide6")
SETTINGS = f"""
project = html_title = "inexview"
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_favicon = "inexview.svg"
html_extra_path = [{REFERENCE!r}]
html_copy_source = html_show_sphinx = html_show_copyright = False
highlight_language = "none"
"""
IN_ORDER = """
```{{toctree}}
:hidden:

{pages}
```

<p><a href="inexview.html">All public names</a>: the reference, from docstrings.</p>
"""
PAGES = """
from inexview.gui.commands.help import keys_page, pages_in_order
from inexview.gui.shell.menus import ACTIONS
print(*pages_in_order())
print(keys_page(ACTIONS, lambda action: action.keys))
"""


def write(folder: Path) -> None:
    """Write the site; raises CalledProcessError where Sphinx or pdoc finds something wrong."""
    with tempfile.TemporaryDirectory() as made:
        source = Path(made) / "guide"
        shutil.copytree(CHECKOUT / "resources" / "guide", source)
        shutil.copy(CHECKOUT / "resources" / "icons" / "inexview.svg", source)
        pages, _, keys = _call("-c", PAGES).partition("\n")
        (source / "keys.md").write_text(keys, encoding="utf-8")
        (source / "conf.py").write_text(SETTINGS, encoding="utf-8")
        _write_reference(source / REFERENCE)
        with (source / "index.md").open("a", encoding="utf-8") as first:
            first.write(
                IN_ORDER.format(pages="\n".join(name for name in pages.split() if name != "index.md"))
            )
        # Its notes of what was built stay out of the site.
        _call("-m", "sphinx", "-qW", "--keep-going", "-d", f"{made}/notes", str(source), str(folder))


def _write_reference(folder: Path) -> None:
    there = [name for name in MODULES if name != "inexview.ir_measures" or _is_there("ir_measures")]
    hidden = [f"!inexview.{room}" for room in ("core", "gui", "cli")]
    options = ["--docformat", "restructuredtext", "--no-search", "--no-show-source"]
    _call("-m", "pdoc", *options, "--output-directory", str(folder), *there, *hidden)
    (folder / "index.html").unlink()  # it only leads on to inexview.html


def _call(*arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


class SiteHook(BuildHookInterface):
    """Puts the site into a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = ""
        missing = [name for name in NEEDED if not _is_there(name)]
        if version == "editable":
            return
        if missing:
            self.app.display_warning(f"The wheel has no site of the guide: {', '.join(missing)} missing.")
            return
        self._folder = tempfile.mkdtemp()
        write(Path(self._folder))
        build_data["force_include"][self._folder] = IN_WHEEL

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._folder:
            shutil.rmtree(self._folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
