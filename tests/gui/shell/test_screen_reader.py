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
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.core.resources import resource

TOOLS = ("Xvfb", "dbus-run-session", "dbus-send")
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
SAMPLE = resource("sample")
NO_LIBRARIES = "the program ended"

missing = [tool for tool in TOOLS if shutil.which(tool) is None]
if not any(map(os.path.exists, LAUNCHERS)):
    missing.append("at-spi2-core")
pytestmark = pytest.mark.skipif(bool(missing), reason=f"not on this machine: {', '.join(missing)}")


@pytest.fixture
def told(tmp_path: Path, checkout: Path) -> Callable[..., list[dict[str, str]]]:
    """Return a function that starts the program and returns what is told of it once a name is there."""
    return partial(_told, tmp_path, checkout)


def _told(tmp_path: Path, checkout: Path, awaited: str, *arguments: str | Path) -> list[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="axs") as runtime:  # short: a socket's path has 108 bytes
        own = {"XDG_RUNTIME_DIR": runtime, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        ran = subprocess.run(
            [
                "dbus-run-session",
                "--",
                sys.executable,
                "-m",
                "tests.gui.screen_reader",
                awaited,
                *map(str, arguments),
            ],
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


def named(nodes: list[dict[str, str]]) -> dict[tuple[str, str], dict[str, str]]:
    """Return the nodes by role and name; what the keyboard reaches has a name, and so has each column."""
    reached = [node for node in nodes if node["focusable"] or node["role"] == "column header"]
    assert [node["role"] for node in reached if not node["name"].strip()] == []
    return {(node["role"], node["name"]): node for node in nodes}


def test_a_screen_reader_is_told_what_is_there_and_what_the_article_says(told, tmp_path):
    told = named(told("Article text", create_sample_project(tmp_path / "sample.inexview")))
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


def test_a_screen_reader_is_told_of_the_topics_and_runs(told):
    runs = [SAMPLE / "runs" / name for name in ("LM-passages.txt", "BM25-sections.txt")]
    inspected = ["inspect", "-C", SAMPLE / "articles", "-Q", SAMPLE / "judgements.txt", "-R", *runs]
    told = named(told("Paired test · MAgP", *inspected, "--task", "relevant-in-context"))
    for role, name in (
        ("table", "Topics and runs"),
        ("column header", "LM-passages, mean 0.6226"),
        ("column header", "BM25-sections, mean 0.4543"),
        ("column header", "difference, mean +0.1683"),
        ("cell", "topic 2026001"),
        ("cell", "LM-passages 0.686"),
        ("table", "Runs"),
        ("column header", "MAgP"),
        ("cell", "MAgP 0.6226"),
        ("push button", "Open topic 2026001"),
    ):
        assert (role, name) in told


def test_a_screen_reader_is_told_of_a_run_over_an_article(told, tmp_path):
    project = create_sample_project(tmp_path / "sample.inexview")
    place = ["--topic", "2026001", "--doc", "2041", "--run", sample_runs(project)[0]]
    told = named(told("Ranked documents", project, *place))
    assert "Olive oil" in told["text", "Article text"]["text"]
    for role, name in (
        ("list", "Ranked documents"),
        ("list item", "rank 2, Olive oil, relevant, score 0.748"),
        ("label", "F(d) 6,320 / 8,444 = 0.748"),
        ("list", "What cost most here"),
        ("push button", "Next miss (M)"),
    ):
        assert (role, name) in told


def test_a_screen_reader_is_told_of_the_start_window(told):
    told = named(told("Open the sample project"))
    assert ("push button", "New project…") in told
