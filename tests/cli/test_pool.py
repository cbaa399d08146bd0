"""`inexview pool` and `inexview fuse`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from inexview.cli import main
from inexview.core.files import resource
from inexview.core.formats.readers import read_run
from inexview.core.formats.topic_files import read_pool
from inexview.core.project.project import Project

RUNS = {
    "one.txt": "1 Q0 1107 1 0.9 one 0 100\n1 Q0 2041 2 0.8 one 50 100\n",
    "two.txt": "1 Q0 2041 1 9 two 100 100\n1 Q0 1163 2 8 two 0 10\n",
}


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    for name, text in RUNS.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in RUNS]


def test_pool_xml_records_which_runs_retrieved_documents(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "pool.xml"
    assert main(["pool", *runs, "--depth", "2", "--method", "overlap", "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: 3 documents for 1 topic\n"
    assert [(one.document, one.found_by) for one in read_pool(out).topics["1"]] == [
        ("2041", (("one", 2), ("two", 1))),
        ("1107", (("one", 1),)),
        ("1163", (("two", 2),)),
    ]


def test_a_list_of_so_many_documents(runs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "pool.txt"
    assert main(["pool", *runs, "--depth", "2", "--per-topic", "2", "-o", str(out)]) == 0
    assert out.read_text() == "1 1107\n1 2041\n"


def test_a_project_records_which_runs_retrieved_documents(runs: list[str], tmp_path: Path) -> None:
    out, sample = tmp_path / "new.inexview", resource("sample")
    topics = tmp_path / "topics.xml"
    topics.write_text('<inex-topic-file><topic id="1"><title>oil</title></topic></inex-topic-file>')
    options = ["--collection", str(sample / "articles"), "--topics", str(topics)]
    assert main(["pool", *runs, "--depth", "2", "-o", str(out), *options]) == 0
    with Project.open(out, read_only=True) as project:
        assert project.contents.pooled("1")[1].found_by == (("one", 2), ("two", 1))


def test_a_project_takes_what_other_runs_found(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, sample = tmp_path / "new.inexview", resource("sample")
    topics = tmp_path / "topics.xml"
    topics.write_text('<inex-topic-file><topic id="1"><title>oil</title></topic></inex-topic-file>')
    options = ["--collection", str(sample / "articles"), "--topics", str(topics)]
    assert main(["pool", runs[0], "--depth", "2", "-o", str(out), *options]) == 0
    capsys.readouterr()
    more = tmp_path / "three.txt"
    more.write_text(Path(runs[1]).read_text() + "9 Q0 1163 1 8 two 0 10\n")
    assert main(["pool", str(more), "--depth", "2", "--into", str(out)]) == 1
    said = capsys.readouterr()
    assert said.out == f"{out}: 1 document added to the pool, 1 in it already\n"
    assert "the project does not have 1 topic of the runs: 9" in said.err
    with Project.open(out, read_only=True) as project:
        assert [(one.document, one.found_by) for one in project.contents.pooled("1")] == [
            ("1107", (("one", 1),)),
            ("2041", (("one", 2), ("two", 1))),
            ("1163", (("two", 2),)),
        ]
        rows = [row.id for row in project.journal.rows() if row.action == "pool"]
    assert main(["pool", str(more), "--depth", "2", "--into", str(out)]) == 1
    with Project.open(out, read_only=True) as project:
        assert [
            row.id for row in project.journal.rows() if row.action == "pool"
        ] == rows  # nothing new was said


def test_a_project_whose_pool_is_the_collection_takes_none(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, sample = tmp_path / "whole.inexview", resource("sample")
    Project.create(out, collection=sample / "articles", topics=sample / "topics.xml").close()
    assert main(["pool", *runs, "--depth", "2", "--into", str(out)]) == 2
    assert "has no pool, because the whole collection is to be judged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "p.inexview"], "a project needs --collection and --topics"),
        (["-o", "one.txt"], "is also an input file"),
        (["-o", "pool.xml", "--qrels", "absent"], "absent"),
        (["-o", "pool.xml", "--method", "move-to-front"], "needs --qrels"),
    ],
)
def test_what_cannot_be_pooled(
    options: list[str],
    said: str,
    runs: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["pool", *runs, "--depth", "2", *options]) == 2
    assert said in capsys.readouterr().err
    assert (tmp_path / "one.txt").read_text() == RUNS["one.txt"]


def test_an_invalid_rank_is_reported_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = tmp_path / "pool.xml"
    pool.write_text('<pool topic="1"><file file="2">\n<found run="a" rank="first"/></file></pool>')
    assert main(["convert", str(pool), str(tmp_path / "pool.txt")]) == 2
    assert "field 'rank' = 'first': is not a whole number" in capsys.readouterr().err


def test_runs_are_fused_without_taking_text_twice(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fused.txt"
    assert main(["fuse", *runs, "-o", str(out), "--method", "combmnz"]) == 0
    assert capsys.readouterr().out == f"{out}: 5 results for 1 topic\n"
    results = read_run(out).results("1")
    assert [(one.document, one.start, one.end, one.score) for one in results] == [
        ("2041", 100, 150, 2.0),
        ("1107", 0, 100, 1.0),
        ("2041", 150, 200, 1.0),
        ("1163", 0, 10, 0.0),
        ("2041", 50, 100, 0.0),
    ]


@pytest.mark.parametrize("task", ["focused", "relevant-in-context", "best-in-context"])
def test_a_fused_run_keeps_the_rules_of_the_task(
    task: str, runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, qrels = tmp_path / "fused.txt", tmp_path / "qrels.txt"
    qrels.write_text("1 Q0 2041 50 500 60 60:50\n1 Q0 1107 0 200\n")
    assert main(["fuse", *runs, "-o", str(out), "--task", task]) == 0
    assert main(["eval", str(qrels), str(out), "--task", task]) == 0, capsys.readouterr().err
    documents = [one.document for one in read_run(out).results("1")]
    assert (documents == list(dict.fromkeys(documents))) == (task == "best-in-context")


def test_fused_runs_of_documents_are_of_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_text(f"1 Q0 a 1 2.5 {name}\n1 Q0 b 2 1.5 {name}\n")
    for out in ("fused.txt", "fused.trec"):
        arguments = ["fuse", str(tmp_path / "one"), str(tmp_path / "two"), "-o", str(tmp_path / out)]
        assert main([*arguments, "--to", "trec-run" if out.endswith("trec") else "fol-run"]) == 0
    assert "cannot store" not in capsys.readouterr().err
    assert [len(line.split()) for line in (tmp_path / "fused.txt").read_text().splitlines()] == [7, 7]


def test_qrels_given_as_a_pool_are_called_qrels(tmp_path, monkeypatch, capsys):
    (tmp_path / "qrels").write_text("1 0 a 1\n", encoding="utf-8")
    (tmp_path / "topics").write_text("1\tgreen tea\n", encoding="utf-8")
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "a.xml").write_text("<article><p>Tea</p></article>", encoding="utf-8")
    project = tmp_path / "made.inexview"
    given = ["-C", str(tmp_path / "articles"), "--topics", str(tmp_path / "topics")]
    assert main(["new", *given, "--pool", str(tmp_path / "qrels"), str(project)]) == 2
    advice = re.search("not like a pool; make one: `inexview (.*)`", capsys.readouterr().err)
    assert advice is not None
    assert not project.exists()
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(advice[1])) == 1  # the grade is lost, and said to be
    assert main(["new", *given, "--pool", "pool.txt", str(project)]) == 0
    assert Path("pool.txt").read_text() == "1 a\n"


def test_fusing_says_that_ties_made_it_write_ranks(tmp_path, capsys):
    (tmp_path / "a").write_text("1 Q0 x 1 3 a\n1 Q0 y 2 2 a\n", encoding="utf-8")
    (tmp_path / "b").write_text("1 Q0 y 1 3 b\n1 Q0 x 2 2 b\n", encoding="utf-8")
    runs, out = [str(tmp_path / "a"), str(tmp_path / "b")], tmp_path / "fused"
    assert main(["fuse", *runs, "-o", str(out), "--to", "trec-run"]) == 0
    assert "2 scores (1 tie would be ranked by id: ranks counted from below" in capsys.readouterr().err
    assert [line.split()[4] for line in out.read_text(encoding="utf-8").splitlines()] == ["2", "1"]
