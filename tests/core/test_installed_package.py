"""A package that adds measures, a family, a format and a collection is built, installed by pip, and used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

PACKAGE = {
    "pyproject.toml": """
        [build-system]
        requires = ["hatchling"]
        build-backend = "hatchling.build"

        [project]
        name = "harbour"
        version = "1.2"

        [project.entry-points."inexview.measures"]
        tides = "harbour.measures"

        [project.entry-points."inexview.formats"]
        log = "harbour.formats:LOG"

        [project.entry-points."inexview.collections"]
        quay = "harbour.texts:KIND"
        """,
    "harbour/__init__.py": "",
    "harbour/measures.py": '''
        """A measure of an existing family, and a family of its own."""

        import numpy as np

        from inexview.core.measures.measure import Rank, measure
        from inexview.core.measures.ranked import RankedDocuments


        @measure(
            "halfP", title="half of precision", formula="P[k] / 2", citation="Harbour 2026",
            view=RankedDocuments, at=Rank((5,)), brackets="@",
        )
        def half_precision(ranked, k):
            return np.full(len(ranked.joined.topics), 0.5)


        class Tides:
            family = "tides"

            def __init__(self, joined, parameters):
                self.joined = joined


        @measure("ebb", title="results of a topic", formula="n", citation="Harbour 2026", view=Tides)
        def ebb(tides):
            return np.diff(tides.joined.run.ptr)[: len(tides.joined.topics)].astype(float)
        ''',
    "harbour/formats.py": '''
        """Judgements in lines: topic>document>grade."""

        import re

        from inexview.core.formats.format import TREC_QRELS, FileKind, Format, FormatFunction

        LINE = re.compile(rb"[^>]+>[^>]+>[0-9]+")
        def is_log(beginning):
            if b"storm" in b"".join(beginning.lines):
                raise RuntimeError("too much wind")
            return 1000.0 * beginning.all_match(LINE)


        LOG = Format(
            name="harbour-log",
            title="a harbour's log",
            kind=FileKind.QRELS,
            carries=TREC_QRELS.carries,
            recognise=is_log,
            read=FormatFunction("harbour.log_file", "read"),
            write=FormatFunction("harbour.log_file", "write"),
        )
        ''',
    "harbour/log_file.py": """
        from pathlib import Path

        from inexview import Qrels


        def read(path):
            lines = Path(path).read_text().splitlines()
            return Qrels.of([(t, d, int(g)) for t, d, g in (line.split(">") for line in lines)])


        def write(qrels, path):
            lines = [f"{one.topic}>{one.document}>{one.rsize}" for one in qrels]
            Path(path).write_text("\\n".join(lines) + "\\n")
        """,
    "harbour/texts.py": """
        from inexview.core.benchmarks.bundle import Bundle
        from inexview.core.collection.kinds import CollectionKind
        from inexview.core.collection.records import TextSource


        def open_source(path):
            texts = dict(line.split("|") for line in path.read_text().splitlines())
            return TextSource(path, lambda: Bundle("quay", path, texts=texts))


        KIND = CollectionKind("a quay", lambda path: path.suffix == ".quay", open_source)
        """,
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Return the folder in which pip installed the package, built from its sources without the network."""
    folder = tmp_path_factory.mktemp("harbour")
    for name, content in PACKAGE.items():
        path = folder / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(content), encoding="utf-8")
    target = folder / "site"
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
    ]
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--target", str(target), str(folder / "source")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return target


def ran(installed: Path, *command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, [str(installed), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "judged.log").write_text("q1>a>1\nq1>b>0\n", encoding="utf-8")
    (tmp_path / "run.txt").write_text("q1 Q0 a 1 2.0 r\nq1 Q0 b 2 1.0 r\n", encoding="utf-8")
    (tmp_path / "texts.quay").write_text("a|Der Kai\nb|Die Mole\n", encoding="utf-8")
    return tmp_path


def test_its_measures_and_its_format_are_used_by_eval(installed, files):
    run = ["-m", "inexview", "eval", str(files / "judged.log"), str(files / "run.txt"), "--format", "json"]
    done = ran(installed, *run, "-m", "halfP@5", "-m", "ebb", "-m", "P@5")
    assert done.returncode == 0, done.stderr
    (scores,) = json.loads(done.stdout)["runs"]
    assert scores["mean"] == {"halfP@5": 0.5, "ebb": 2.0, "P@5": 0.2}


def test_its_format_is_written_and_its_collection_read(installed, files):
    out = files / "again.log"
    command = ["-m", "inexview", "convert", str(files / "judged.log"), str(out), "--to", "harbour-log"]
    done = ran(installed, *command)
    assert done.returncode == 0, done.stderr
    assert out.read_text("utf-8") == "q1>a>1\nq1>b>0\n"
    read = "import sys, inexview; print(inexview.Collection.open(sys.argv[1]).load('b').text)"
    assert ran(installed, "-c", read, str(files / "texts.quay")).stdout.strip() == "Die Mole"


def test_a_format_that_fails_is_warned_of_and_passed_over(installed, files):
    (files / "storm.txt").write_text("q1 0 storm 1\n", encoding="utf-8")
    done = ran(
        installed, "-m", "inexview", "eval", str(files / "storm.txt"), str(files / "run.txt"), "-m", "AP"
    )
    assert "Traceback" not in done.stderr
    assert "harbour 1.2: the format 'harbour-log' fails (RuntimeError: too much wind)" in done.stderr
    assert "AP" in done.stdout


def test_each_is_named_with_its_package(installed):
    told = ran(installed, "-m", "inexview", "measures").stdout
    assert "Harbour 2026; added by harbour 1.2" in told
    assert told.splitlines()[-6:] == [
        "added by other packages",
        "───────────────────────",
        "measure halfP: harbour 1.2",
        "measure ebb: harbour 1.2",
        "format harbour-log: harbour 1.2",
        "collection, a quay: harbour 1.2",
    ]
    assert "a harbour's log (of harbour 1.2)" in ran(installed, "-m", "inexview", "convert", "-h").stdout
    said = " ".join(ran(installed, "-m", "inexview", "eval", "-h").stdout.split())
    assert "harbour-log (of harbour 1.2)" in said
    refused = ran(installed, "-m", "inexview", "measures", "ebb").stdout
    assert "added by other packages" not in refused
    assert "results of a topic" in refused


def test_its_measures_are_there_for_ir_measures(installed, files):
    pytest.importorskip("ir_measures")
    code = """
        import ir_measures
        from inexview.ir_measures import ebb, halfP
        print(ir_measures.calc_aggregate([ebb, halfP @ 5], {"q1": {"a": 1}}, {"q1": {"a": 1.0}}))
    """
    done = ran(installed, "-c", dedent(code))
    assert done.stdout.strip() in ("{ebb: 1.0, halfP@5: 0.5}", "{halfP@5: 0.5, ebb: 1.0}"), done.stderr
