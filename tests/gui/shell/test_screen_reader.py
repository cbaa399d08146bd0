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
from typing import Any

import pytest

from inexview.core.evaluation.evaluate import evaluate
from inexview.core.files import resource
from inexview.core.project.journal_rows import NO_REMARKS
from inexview.core.project.project import Project
from inexview.core.project.reviews import remarked, restore_remarks
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.services.settings import LAYERS, Settings
from tests.gui.screen_reader import CHECKED, FOCUSABLE

TOOLS = ("Xvfb", "dbus-run-session")
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
SAMPLE = resource("sample")
PLACES = "Places that may be worth a second look"
Told = dict[tuple[str, str], dict[str, Any]]
NO_LIBRARIES = "the program ended"

missing = [tool for tool in TOOLS if shutil.which(tool) is None]
if not any(map(os.path.exists, LAUNCHERS)):
    missing.append("at-spi2-core")
pytestmark = pytest.mark.skipif(bool(missing), reason=f"not on this machine: {', '.join(missing)}")


@pytest.fixture
def told(tmp_path: Path, checkout: Path) -> Callable[..., list[Told]]:
    """Return a function that starts the program, takes steps in it, and returns what is told after each."""
    return partial(_told, tmp_path, checkout)


def _told(tmp_path: Path, checkout: Path, steps: list[tuple[str, str]], *arguments: str | Path) -> list[Told]:
    with tempfile.TemporaryDirectory(prefix="axs") as runtime:  # short: a socket's path has 108 bytes
        own = {"XDG_RUNTIME_DIR": runtime, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
        ran = subprocess.run(
            [
                "dbus-run-session",
                "--",
                sys.executable,
                "-m",
                "tests.gui.screen_reader",
                json.dumps(steps),
                *map(str, arguments),
            ],
            env=os.environ | own | {"PYTHONPATH": str(checkout)},
            cwd=checkout,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
    if NO_LIBRARIES in ran.stderr:
        pytest.skip("Qt does not find the libraries of X on this machine")
    assert ran.returncode == 0, ran.stderr
    return [named(nodes) for nodes in json.loads(ran.stdout.splitlines()[-1])]


def named(nodes: list[dict[str, Any]]) -> Told:
    """Return the nodes by role and name; what the keyboard reaches has a name, and so has each column."""
    reached = [node for node in nodes if is_so(node, FOCUSABLE) or node["role"] == "column header"]
    assert [node["role"] for node in reached if not node["name"].strip()] == []
    assert [node["name"] for node in nodes if "()" in node["name"]] == []
    return {(node["role"], node["name"]): node for node in nodes}


def is_so(node: dict[str, Any], state: int) -> bool:
    return bool(node["states"] >> state & 1)


def test_a_screen_reader_reads_assess_and_its_panels(told, tmp_path):
    project = create_sample_project(tmp_path / "sample.inexview")
    with Project.open(project) as opened:
        for topic in [topic.id for topic in opened.topics]:
            for document in remarked(opened, topic):  # which qrels cannot store
                restore_remarks(opened, topic, document, NO_REMARKS)
    place = ["--topic", "2026001", "--doc", "2041"]
    judged = (SAMPLE / "judgements.txt").read_text(encoding="utf-8")
    (tmp_path / "ben.txt").write_text(judged.replace(" 3160 ", " 2978 ").replace(" 5973:182", ""), "utf-8")
    Settings(tmp_path / "inexview" / "inexview.ini").remember(LAYERS, project, [str(tmp_path / "ben.txt")])
    steps = [
        ("", "Adjudicate"),  # once the other layer is read
        ("Quality report", PLACES),
        ("Adjudicate", "Settled, next (F)"),
        ("Settings…", "Settings"),
        ("Export qrels…", "Export judgements"),
    ]
    assess, report, adjudicate, settings, export = told(steps, project, *place)
    for role, name in (
        ("application", "inexview"),
        ("frame", "sample – inexview"),
        ("table", "Documents of the pool"),
        ("push button", "✓ Finished, next (F)"),
        ("text", "Note about this document"),
    ):
        assert (role, name) in assess
    article = adjudicate["text", "Article text"]
    assert is_so(article, FOCUSABLE)
    assert "Olive oil" in article["text"]
    assert any(role == "cell" and name.startswith("Olive oil · 2041") for role, name in assess)
    assert is_so(assess["check box", "Assess"], CHECKED)
    assert ("push button", "How qrels count: qrels in code points") in assess

    assert is_so(report["list", PLACES], FOCUSABLE)
    assert "1 passage: " in report["chart", "Passages per relevant document"]["about"]

    for role, name in (
        ("push button", "A's, 182 (1)"),
        ("push button", "intersection, 0 (4)"),
        ("list item", "Olive oil, open, 182 only A, 0 only B, 182"),
        ("push button", "Come back later, next (C)"),
    ):
        assert (role, name) in adjudicate
    assert "(2)" not in adjudicate["check box", "word"]["about"], "the key takes B's here"

    assert ("spin box", "Size of the article's text") in settings
    assert ("dialog", "Settings") in settings

    names = list(export)
    carries = ("label", "stores all judgements")
    qrels = ("radio button", "FOL qrels (INEX 2008–2010)")
    assert names.index(qrels) < names.index(carries), "what a format carries follows its name"
    assert export[qrels]["about"] == carries[1]
    assert is_so(export[qrels], CHECKED)


def test_a_screen_reader_reads_topics_and_runs(told):
    runs = [SAMPLE / "runs" / name for name in ("LM-passages.txt", "BM25-sections.txt")]
    one, other = evaluate(SAMPLE / "judgements.txt", runs, task="relevant-in-context").runs
    mean, beside = one.mean["MAgP"], other.mean["MAgP"]
    first = max(one.topics, key=lambda topic: abs(one.topic(topic)["AgP"] - other.topic(topic)["AgP"]))
    inspected = ["inspect", "-C", SAMPLE / "articles", "-Q", SAMPLE / "judgements.txt", "-R", *runs]
    told = told([("", "Paired test · MAgP")], *inspected, "--task", "relevant-in-context")[0]
    for role, name in (
        ("table", "Topics and runs"),
        ("column header", f"LM-passages, mean {mean:.4f}"),
        ("column header", f"BM25-sections, mean {beside:.4f}"),
        ("column header", f"difference, mean {mean - beside:+.4f}"),
        ("cell", f"topic {first}"),
        ("cell", f"LM-passages {one.topic(first)['AgP']:.3f}"),
        ("table", "Runs"),
        ("column header", "MAgP"),
        ("cell", f"MAgP {mean:.4f}"),
        ("push button", f"Open topic {first} (Enter)"),
    ):
        assert (role, name) in told


def test_a_screen_reader_reads_a_run_over_an_article(told, tmp_path):
    project = create_sample_project(tmp_path / "sample.inexview")
    place = ["--topic", "2026001", "--doc", "2041", "--run", sample_runs(project)[0]]
    told = told([("", "Ranked documents")], project, *place)[0]
    assert "Olive oil" in told["text", "Article text"]["text"]
    for role, name in (
        ("list", "Ranked documents"),
        ("list item", "rank 2, Olive oil, relevant, score 0.748"),
        ("label", "F(d) 6,320 / 8,444 = 0.748"),
        ("list", "What cost most here"),
        ("push button", "Next miss (M)"),
    ):
        assert (role, name) in told


def test_a_screen_reader_reads_the_start_window(told):
    start, new = told([("", "Open the sample (S)"), ("Judge (1)", "New project")])
    assert ("push button", "Open a benchmark or collection (3)") in start
    assert new["text", "pool"]["about"].startswith("optional")
    assert ("button menu", "Choose collection") in new
