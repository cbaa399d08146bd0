"""`compare` and `eval` over chunks: the same k, the same characters, and a chunker's whole list."""

from __future__ import annotations

import json

import pytest

from inexview.cli import main

TEXT = "".join(chr(97 + at % 26) for at in range(4000))


@pytest.fixture
def bench(tmp_path):
    """LegalBench-RAG with twelve questions, each answered by chunks of 100 or of 400 characters in order."""
    folder = tmp_path / "bench"
    (folder / "corpus").mkdir(parents=True)
    (folder / "benchmarks").mkdir()
    (folder / "corpus" / "a.txt").write_text(TEXT, encoding="utf-8")
    passages = [(130 + at, 180 + at) for at in range(12)]
    snippets = [{"file_path": "a.txt", "span": [*span], "answer": TEXT[slice(*span)]} for span in passages]
    tests = [{"query": f"which {at}?", "snippets": [own]} for at, own in enumerate(snippets)]
    (folder / "benchmarks" / "own.json").write_text(json.dumps({"tests": tests}), encoding="utf-8")
    for size in (100, 400):
        places = [(at, at + size) for at in range(0, 2000, size)]
        chunks = [
            {"document": "a.txt", "text": TEXT[a:b], "start_index": a, "end_index": b} for a, b in places
        ]
        lines = (json.dumps({"query": test["query"], **chunk}) for test in tests for chunk in chunks)
        (tmp_path / f"run{size}.jsonl").write_text("\n".join(lines), encoding="utf-8")
        (tmp_path / f"list{size}.jsonl").write_text("\n".join(map(json.dumps, chunks)), encoding="utf-8")
    return folder


def asked(bench, *more):
    return main(
        ["compare", str(bench), *(str(bench.parent / f"run{size}.jsonl") for size in (100, 400)), *more]
    )


def test_chunks_are_compared_both_ways_by_default(bench, capsys):
    assert asked(bench, "--same-k", "1", "--same-characters", "200") == 0
    printed = capsys.readouterr().out
    assert (
        "run400 and run100 differ significantly at the same k (+1.0000), but not at 200 characters each "
        "(+0.0000): at k = 1 they read 400 and 100 characters"
    ) in printed
    assert "char_rec@1 on 12 topics" in printed
    assert "char_rec(budget=200) on 12 topics" in printed
    assert asked(bench) == 0
    printed = capsys.readouterr().out
    assert "char_rec@5 on" in printed
    assert "char_rec(budget=2000) on" in printed
    assert asked(bench, "-m", "char_iou") == 0
    assert "@5" not in capsys.readouterr().out


def test_one_requested_way_is_shown_with_the_sentence_on_both(bench, capsys):
    assert asked(bench, "--same-k", "1", "-m", "char_iou", "-m", "intact") == 0
    printed = capsys.readouterr().out
    assert "char_iou@1 on" in printed
    assert "char_iou(budget=2000) on" not in printed
    assert "char_iou: run400 and run100 differ" in printed


def test_a_measure_with_its_own_cutoff_is_refused(bench, capsys):
    assert asked(bench, "--same-k", "2", "-m", "char_rec@5") == 2
    assert "char_rec@5 takes neither k nor a budget" in capsys.readouterr().err


def test_json_and_other_formats_have_the_same_comparison(bench, capsys):
    assert asked(bench, "--same-k", "1", "--format", "json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["chunkers"]["k"] == 1
    assert said["chunkers"]["characters"] == 2000
    assert [run["characters"] for run in said["chunkers"]["runs"]] == [100.0, 400.0]
    assert [one["characters"] for one in said["chunkers"]["budgets"]] == [500, 1000, 2000, 4000]
    assert said["chunkers"]["said"][0].startswith("run400 and run100 differ significantly at the same k")
    for form in ("html", "latex", "csv"):
        assert asked(bench, "--same-k", "1", "--format", form) == 0
        assert "char_rec@1" in capsys.readouterr().out.replace("\\_", "_")


def test_a_chunkers_whole_list_tells_what_perfect_retrieval_would_reach(bench, capsys):
    lists = [str(bench.parent / f"list{size}.jsonl") for size in (100, 400)]
    assert main(["eval", str(bench), *lists, "-m", "prec_omega", "-m", "cuts", "--format", "json"]) == 0
    caught = capsys.readouterr()
    runs = {run["id"]: run["mean"] for run in json.loads(caught.out)["runs"]}
    assert runs["list100"] == {"prec_omega": 0.5, "cuts": 0.0}
    assert runs["list400"] == {"prec_omega": 50 / 400, "cuts": 0.0}
    assert "name no question" in caught.err
