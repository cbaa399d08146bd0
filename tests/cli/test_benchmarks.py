"""Benchmarks and annotation tools on the command line: made into projects, described, checked, written."""

from __future__ import annotations

import csv
import io
import json

import pytest

from inexview.cli import main
from inexview.core.project.project import Project
from tests.core.benchmarks.test_forms import (
    END,
    MAKERS,
    QUOTE,
    START,
    TEXT,
    chroma,
    contract_nli,
    doccano,
    fever,
    label_studio,
    legalbench,
    prodigy,
    squad,
)

WITH_TEXTS = [make for make in MAKERS if make is not fever]


@pytest.mark.parametrize("make", WITH_TEXTS, ids=lambda make: make.__name__)
def test_a_project_is_made_judged_and_exported(tmp_path, capsys, make):
    path, project = make(tmp_path / "in"), tmp_path / "p.inexview"
    assert main(["new", str(path), "-o", str(project)]) in (0, 1), capsys.readouterr().err  # 1: a warning
    with Project.open(project) as opened:
        assert not opened.contents.entry_points
        finished = {
            (topic.id, document): opened.state(topic.id, document)
            for topic in opened.topics
            for document in opened.pool(topic.id)
        }
        assert all(state.finished for state in finished.values())
        (state,) = [state for state in finished.values() if state.relevant]
        ((start, end),) = state.passages
        assert end - start in (len(QUOTE), len(QUOTE) + 1)
    assert (
        main(["export", str(project), "-o", str(tmp_path / "out.txt"), "--to", "fol-qrels", "--lossy"]) == 0
    )
    assert f"{start}:{end - start}" in (tmp_path / "out.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "make", [label_studio, doccano, prodigy, squad, contract_nli, legalbench], ids=lambda one: one.__name__
)
def test_what_came_in_goes_out_as_it_came(tmp_path, capsys, make):
    path, project = make(tmp_path / "in"), tmp_path / "p.inexview"
    out = tmp_path / f"out{path.suffix or '.json'}"
    names = {"label_studio": "label-studio", "contract_nli": "contract-nli", "legalbench": "legalbench-rag"}
    name = names.get(make.__name__, make.__name__)
    assert main(["new", str(path), "-o", str(project)]) in (0, 1)
    assert main(["export", str(project), "-o", str(out), "--to", name]) == 0, capsys.readouterr().err
    source = path / "benchmarks" / "ships.json" if path.is_dir() else path
    assert values(out) == values(source)


def values(path):
    text = path.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines()]
        if path.suffix == ".jsonl" or "}\n{" in text
        else json.loads(text)
    )


def test_chroma_goes_out_as_it_came(tmp_path):
    path, project, out = chroma(tmp_path / "in"), tmp_path / "p.inexview", tmp_path / "out.csv"
    assert main(["new", str(path), "-o", str(project)]) == 0
    assert main(["export", str(project), "-o", str(out), "--to", "chroma"]) == 0
    before, after = (
        list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
        for file in (path / "questions_df.csv", out)
    )
    assert [json.loads(row["references"]) for row in after] == [
        json.loads(row["references"]) for row in before
    ]


def test_a_benchmark_is_described_and_checked(tmp_path, capsys):
    path = legalbench(tmp_path)
    assert main(["describe", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "LegalBench-RAG: 1 question, 1 document, 1 passage; 1 of 1 passage read as their texts"
    )
    assert main(["check", str(path)]) == 0
    (path / "corpus" / "ships" / "Hafen & Kai || É.txt").write_text("🚢" + TEXT, encoding="utf-8")
    capsys.readouterr()
    assert main(["check", str(path), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["fitting"] == 0
    assert main(["check", str(path)]) == 1
    assert repr(QUOTE) in capsys.readouterr().out


@pytest.mark.parametrize("target", ["label-studio", "doccano", "prodigy", "web-annotations", "brat"])
def test_spans_go_from_tool_to_tool_and_back(tmp_path, capsys, target):
    path = doccano(tmp_path)
    out, back = tmp_path / "out", tmp_path / "back.jsonl"
    assert main(["convert", str(path), str(out), "--to", target]) == 1  # the unit of offsets is a guess
    assert "read as code points, and the file does not say it" in capsys.readouterr().err
    collection = ["-C", str(path)]
    assert main(["convert", str(out), str(back), "--to", "doccano", "--lossy", *collection]) in (0, 1)
    (entry,) = values(back) if isinstance(values(back), list) else [values(back)]
    assert entry["label"] == [[START, END, "relevant"]]
    assert entry["text"] == TEXT


def test_questions_are_written_as_topics(tmp_path):
    path, topics = squad(tmp_path), tmp_path / "topics.tsv"
    assert main(
        [
            "convert",
            str(path),
            str(tmp_path / "q.txt"),
            "--to",
            "fol-qrels",
            "--lossy",
            "--topics",
            str(topics),
        ]
    ) in (0, 1)
    assert topics.read_text(encoding="utf-8") == "q1\tWho?\n"


def test_beir_grades_documents_and_marks_make_judgements(tmp_path, capsys):
    folder, project, out = tmp_path / "beir", tmp_path / "p.inexview", tmp_path / "test.tsv"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": f"d{at}", "title": "", "text": f"Text number {at}."} for at in range(3)]
    queries = [{"_id": "q1", "text": "which"}, {"_id": "of another split", "text": "what"}]
    for name, listed in (("corpus", corpus), ("queries", queries)):
        lines = "".join(json.dumps(one) + "\n" for one in listed)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    for split in ("train", "test"):
        said = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\n"
        (folder / "qrels" / f"{split}.tsv").write_text(said, encoding="utf-8")
    (tmp_path / "run.txt").write_text("q1 Q0 d2 1 2 r\nq1 Q0 d1 2 1 r\n", encoding="utf-8")
    assert main(["eval", str(folder), str(tmp_path / "run.txt")]) == 0
    figures, heard = capsys.readouterr()
    assert "those of train" in heard
    assert main(["eval", str(folder / "qrels" / "test.tsv"), str(tmp_path / "run.txt")]) == 0
    assert capsys.readouterr().out == figures
    assert main(["new", str(folder), "-o", str(project)]) == 1
    assert "1 document relevant without a passage; they remain to be judged" in capsys.readouterr().err
    with Project.open(project) as opened:
        assert [topic.id for topic in opened.topics] == ["q1"]
        assert list(opened.pool("q1")) == ["d1", "d2"]
        assert opened.state("q1", "d2").finished
        opened.mark("q1", "d1", 0, 4)
        opened.finish("q1", "d1")
    assert main(["export", str(project), "-o", str(out), "--to", "beir-qrels", "--lossy"]) == 1
    assert out.read_text(encoding="utf-8") == "query-id\tcorpus-id\tscore\nq1\td1\t4\nq1\td2\t0\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_benchmark_is_named_by_one_of_its_files_and_keeps_its_line_ends(tmp_path, ends):
    path, project, out = chroma(tmp_path / "in") / "questions_df.csv", tmp_path / "p", tmp_path / "out.csv"
    path.write_bytes(path.read_bytes().replace(b"\n", ends.encode()))
    assert main(["new", str(path), "-o", str(project)]) == 0
    assert main(["export", str(project), "-o", str(out), "--to", "chroma"]) == 0
    assert out.read_bytes().count(b"\r\n") == 2 * (ends == "\r\n")
