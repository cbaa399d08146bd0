"""A screen reader finds the program on the accessibility bus, on a real X server and session bus.

`test_accessibility.py` walks the same names and roles within the process, where neither is to be had.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from inexview.core.project.sample import create_sample_project

TOOLS = ("Xvfb", "dbus-run-session", "dbus-send")
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
NO_LIBRARIES = "the program ended"

missing = [tool for tool in TOOLS if shutil.which(tool) is None]
if not any(map(os.path.exists, LAUNCHERS)):
    missing.append("at-spi2-core")
pytestmark = pytest.mark.skipif(bool(missing), reason=f"not on this machine: {', '.join(missing)}")


@pytest.fixture
def nodes(tmp_path: Path, checkout: Path) -> list[dict[str, str]]:
    project = create_sample_project(tmp_path / "sample.inexview")
    with tempfile.TemporaryDirectory(prefix="axs") as runtime:  # short: a socket's path has 108 bytes
        own = {"XDG_RUNTIME_DIR": runtime, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        ran = subprocess.run(
            ["dbus-run-session", "--", sys.executable, "-m", "tests.gui.screen_reader", str(project)],
            env=os.environ | own | {"PYTHONPATH": str(checkout)},
            cwd=checkout,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
    if NO_LIBRARIES in ran.stderr:
        pytest.skip("Qt does not find the libraries of X on this machine")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_a_screen_reader_is_told_what_is_there_and_what_the_article_says(nodes):
    told = {(node["role"], node["name"]): node for node in nodes}
    for role, name in (
        ("application", "inexview"),
        ("frame", "sample – inexview"),
        ("table", "Documents of the pool"),
        ("push button", "Finish, next (F)"),
        ("text", "Note about this document"),
    ):
        assert (role, name) in told
    article = told["text", "Article text"]
    assert article["focusable"]
    assert "Brittle books" in article["text"]
    assert any(role == "cell" and name.startswith("Brittle books · 4105") for role, name in told)
    nameless = [node["role"] for node in nodes if node["focusable"] and not node["name"].strip()]
    assert nameless == []
