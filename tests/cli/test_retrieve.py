"""`inexview retrieve`."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.files import resource
from inexview.core.formats.readers import read_run
from inexview.core.judgements.runs import Task
from tests.few_topics import few_topics

TOPICS = """<inex-topic-file>
<topic id="1"><title>olive oil</title><castitle>//p[about(., oil)]</castitle></topic>
<topic id="2"><title>zeppelin</title></topic></inex-topic-file>"""


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    folder = tmp_path / "articles"
    folder.mkdir()
    for number in range(1, 6):
        oil = "oil " * number
        (folder / f"{number}.xml").write_text(f"<article><p>olive {oil}</p><p>lamp</p></article>")
    (tmp_path / "topics.xml").write_text(TOPICS)
    return folder


def retrieved(articles: Path, out: str, *options: str) -> int:
    where = articles.parent
    return main(["retrieve", str(articles), str(where / "topics.xml"), "-o", str(where / out), *options])


def test_a_run_is_written_with_its_description(articles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = retrieved(articles, "run.txt", "--model", "ql", "-p", "collection_weight=0.5", "--depth", "3")
    assert status == 0
    said = capsys.readouterr()
    assert said.out == f"{articles.parent / 'run.txt'}: 3 results for 1 of 2 topics\n"
    assert said.err == ("inexview: warning: topic 2: no document has any of its words; it has no results\n")
    run = read_run(articles.parent / "run.txt")
    assert run.id == "QL-passage-100-50"
    best = run.results("1")[0]
    assert (best.document, best.start, best.end) == ("1", 0, 14)
    described = json.loads((articles.parent / "run.txt.json").read_text())
    assert described["model"] == "QL"
    assert described["parameters"] == {"collection_weight": 0.5}
    assert described["index"] == {"version": 2, "documents": 5, "words": 25}


@pytest.mark.parametrize("format", ["fol-run", "trec-run", "hard-run", "submission", "fol-elements"])
def test_runs_are_written_in_every_format(format: str, articles: Path) -> None:
    assert retrieved(articles, "run", "--unit", "element:p", "--structure", "--to", format) == 0
    text = (articles.parent / "run").read_text()
    assert text.count("<result>" if format == "submission" else "Q0" if format != "hard-run" else "\n") >= 5
    if format == "submission":
        assert "<path>/article[1]/p[1]</path>" in text
        assert '"unit": "element:p"' in text.replace("&quot;", '"')


@pytest.mark.parametrize("task", ["focused", "relevant-in-context", "best-in-context"])
def test_a_run_for_a_task_is_scored_by_that_task(
    task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = resource("sample")
    given = [str(sample / "articles"), str(sample / "topics.xml"), "-o", str(tmp_path / "run.txt")]
    qrels = str(sample / "judgements.txt")
    assert main(["retrieve", *given, "--model", "QL"]) in (0, 1)
    if task != "best-in-context":
        assert main(["eval", qrels, str(tmp_path / "run.txt"), "--task", task]) == 2  # its passages overlap
    assert main(["retrieve", *given, "--model", "QL", "--task", task, "--overwrite"]) in (0, 1)
    assert main(["eval", qrels, str(tmp_path / "run.txt"), "--task", task]) == 0
    assert json.loads((tmp_path / "run.txt.json").read_text())["task"] == task
    assert read_run(tmp_path / "run.txt").id == f"QL-passage-100-50-{task}"
    capsys.readouterr()


def test_articles_are_a_run_of_documents(articles: Path) -> None:
    assert retrieved(articles, "run.xml", "--model", "RMD") == 0
    assert 'task="documents"' in (articles.parent / "run.xml").read_text()
    assert Task.DOCUMENTS.value == "documents"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "XYZ"], "model = 'XYZ': it must be one of TFIDF, "),
        (["--unit", "word"], "unit = 'word'"),
        (["--unit", "element:absent"], "nothing to retrieve: unit = 'element:absent'"),
        (["-p", "mu"], "write it as NAME=NUMBER"),
        (["--engine", "spark"], "engine = 'spark': it must be local, processes, dask:ADDRESS or opensearch"),
        (["--engine", "opensearch"], "the engine opensearch needs --url"),
        (["--fields", "titel"], "fields = 'titel'"),
        (["--stop-words", "/nowhere"], "/nowhere: cannot be read as a list of stop words"),
    ],
)
def test_invalid_settings_are_reported_before_any_work(
    options: list[str], said: str, articles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert retrieved(articles, "run.txt", *options) == 2
    assert said in capsys.readouterr().err
    assert not (articles.parent / "run.txt").exists()


def test_a_run_without_results_is_not_written(articles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (articles.parent / "topics.xml").write_text(TOPICS.replace("olive oil", "the"))
    assert retrieved(articles, "run.txt") == 2
    assert capsys.readouterr().err.splitlines() == [
        "inexview: warning: topic 1: has no word to search for in these fields; it has no results",
        "inexview: warning: topic 2: no document has any of its words; it has no results",
        f"inexview: no topic has results; {articles.parent / 'run.txt'} is not written",
    ]
    for article in articles.iterdir():
        article.unlink()
    assert retrieved(articles, "run.txt") == 2
    assert "the collection has no words to search" in capsys.readouterr().err
    assert sorted(path.name for path in articles.parent.iterdir()) == ["articles", "topics.xml"]


def test_nothing_is_written_over(articles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (articles.parent / "run.txt").write_text("mine")
    assert retrieved(articles, "run.txt") == 2
    assert "already exists; --overwrite replaces it" in capsys.readouterr().err
    assert (articles.parent / "run.txt").read_text() == "mine"


def test_the_engine_dask_writes_the_same_run(articles: Path) -> None:
    distributed = pytest.importorskip("distributed")
    assert retrieved(articles, "alone.txt") == 0
    with distributed.LocalCluster(1, processes=False, dashboard_address=":0") as cluster:
        address = f"dask:{cluster.scheduler_address}"
        assert retrieved(articles, "together.txt", "--engine", address, "--shards", "3") == 0
    assert (articles.parent / "together.txt").read_bytes() == (articles.parent / "alone.txt").read_bytes()


@pytest.mark.parametrize("engine", ["processes", "dask"])
def test_an_engine_of_this_machine_needs_no_dask_and_listens_nowhere(
    engine: str, articles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)

    def refuse(*_given: object) -> None:
        raise AssertionError("a socket listens")

    monkeypatch.setattr(socket.socket, "listen", refuse)
    assert retrieved(articles, "alone.txt") == 0
    assert retrieved(articles, "together.txt", "--engine", engine, "--shards", "3") == 0
    assert (articles.parent / "together.txt").read_bytes() == (articles.parent / "alone.txt").read_bytes()


def test_a_missing_dask_is_reported_with_the_install_command(
    articles: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    assert retrieved(articles, "run.txt", "--engine", "dask:tcp://10.0.0.1:8786") == 2
    assert "get it with: pip install 'inexview[cluster]'" in capsys.readouterr().err


def test_a_run_that_cannot_be_written_is_not_made(
    articles: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("inexview.cli.retrieval.read_topics", lambda _path: pytest.fail("the work began"))
    assert retrieved(articles, "run.docx") == 2
    assert "name the format to write with --to" in capsys.readouterr().err


def test_a_device_is_not_replaced(articles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(articles.parent / "pipe")  # root may replace what is in /dev, too
    assert retrieved(articles, "pipe", "--model", "QL", "--overwrite") == 2
    assert "is a device" in capsys.readouterr().err
    assert (articles.parent / "pipe").is_fifo()


def test_a_model_that_learns_says_from_which_topics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample, out = few_topics(tmp_path / "sample", 4), tmp_path / "svm.txt"
    given = [
        "retrieve",
        str(sample / "articles"),
        str(sample / "topics.xml"),
        "--model",
        "SVM",
        "-o",
        str(out),
    ]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("inexview.cli.retrieval.word_index", lambda *_: pytest.fail("the work began"))
        assert main(given) == 2
    assert "give their judgements (--qrels)" in capsys.readouterr().err
    assert main([*given, "--qrels", str(sample / "judgements.txt"), "--depth", "20"]) == 0
    learned = json.loads((tmp_path / "svm.txt.json").read_text())["learned from"]
    judged = ["2026001", "2026002", "2026004"]
    assert learned == {"judgements": str(sample / "judgements.txt"), "topics": judged}
    assert read_run(out).topics == ("2026001", "2026002", "2026003", "2026004")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--model", "BM25", "-p", "mu=3"],
            "parameter = 'mu': BM25 has no such parameter; its parameters: k1, b",
        ),
        (
            ["--model", "TFIDF", "-p", "k1=3"],
            "parameter = 'k1': TFIDF has no such parameter; its parameters: none",
        ),
        (["--folds", "3"], "--folds goes with --tune"),
        (["--search", "grid"], "--search goes with --tune"),
        (["--vary", "k1"], "--vary goes with --tune"),
        (["--train", "1"], "--train goes with --tune, or a model that learns"),
        (["--qrels", "q.txt"], "--qrels goes with --tune, or a model that learns"),
        (["--shards", "2"], "--shards goes with --engine processes or dask:ADDRESS"),
        (["--url", "http://localhost"], "--url goes with --engine opensearch"),
        (["--text-field", "body"], "--text-field goes with --engine opensearch"),
    ],
)
def test_what_would_be_given_in_vain_is_refused(
    articles: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert retrieved(articles, "run.txt", *options) == 2
    assert capsys.readouterr().err == f"inexview: {said}\n"
    assert not (articles.parent / "run.txt").exists()
