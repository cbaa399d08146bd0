"""`inexview eval QRELS RUN --collection C` of runs whose results are elements."""

import json

import pytest

from inexview.cli import common as progress_module
from inexview.cli import main
from inexview.core.collection.collection import Collection
from tests.benchmarks.generate import article

COUNT = 300  # more than enough for processes to share


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Make articles, qrels that judge all of them relevant, and a run of their first sections and bodies."""
    folder = tmp_path_factory.mktemp("eval")
    (folder / "articles").mkdir()
    for number in range(COUNT):
        (folder / "articles" / f"{number}.xml").write_bytes(article(300, seed=number % 20))
    qrels = "".join(f"1 Q0 {number} 100 900 7 7:100\n" for number in range(COUNT))
    paths = ("bdy[1]/sec[1]/st[1]", "header[1]")
    run = "".join(f"1 Q0 {number} 1 0.5 R /article[1]/{path}\n" for path in paths for number in range(COUNT))
    (folder / "qrels.txt").write_text(qrels)
    (folder / "run.txt").write_text(run)
    return folder


def scored(files, capsys, *options, runs=1):
    arguments = ["eval", str(files / "qrels.txt"), *runs * [str(files / "run.txt")], "--task", "focused"]
    assert main([*arguments, "--collection", str(files / "articles"), "--format", "json", *options]) == 0
    return json.loads(capsys.readouterr().out)["runs"]


def test_one_process_or_several_that_share_articles_or_runs_give_the_same_scores(files, capsys, monkeypatch):
    alone = scored(files, capsys, "--jobs", "1")
    assert alone[0]["mean"]["iP[0.00]"] > 0
    assert scored(files, capsys, "--jobs", "3") == alone
    assert scored(files, capsys, "--jobs", "2", runs=3) == 3 * alone
    assert scored(files, capsys) == alone


def test_the_articles_are_closed_when_all_runs_are_scored(files, capsys, monkeypatch):
    closed = []
    close = Collection.close
    monkeypatch.setattr(Collection, "close", lambda own: closed.append(own.path) or close(own))
    scored(files, capsys, "--jobs", "1", runs=2)
    assert closed == [files / "articles"]


def test_progress_of_reading_is_shown_on_a_terminal(files, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(progress_module, "_PATIENCE", 0)
    monkeypatch.setattr(progress_module, "_PAUSE", 0)
    arguments = ["eval", str(files / "qrels.txt"), str(files / "run.txt"), "--task", "focused", "--jobs", "1"]
    assert main([*arguments, "--collection", str(files / "articles")]) == 0
    assert f"of {COUNT} articles read" in capsys.readouterr().err


def test_a_wrong_collection_is_reported_per_document_and_in_total(files, capsys, tmp_path):
    (tmp_path / "1.xml").write_text("<article/>")
    arguments = ["eval", str(files / "qrels.txt"), str(files / "run.txt"), "--task", "focused"]
    assert main([*arguments, "--collection", str(tmp_path)]) == 0
    said = capsys.readouterr().err
    assert "run.txt:1: an article cannot be read" in said
    assert "the collection has no document '0'" in said
    assert f"{COUNT - 1 - 3} more such lines" in said
