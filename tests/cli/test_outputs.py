"""What commands that write have in common: names of options, and that nothing is replaced unasked."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path

import pytest

from inexview.cli import COMMANDS, add_command, main
from inexview.core.files import resource
from inexview.core.formats.readers import read_qrels
from tests.projects import make_project

SAMPLE = resource("sample")
QRELS = str(SAMPLE / "judgements.txt")
RUNS = [str(SAMPLE / "runs" / f"{name}.txt") for name in ("LM-passages", "BM25-sections")]
SCORED = [QRELS, *RUNS, "--task", "relevant-in-context"]
ARTICLES = str(SAMPLE / "articles")


def options_of(command: str) -> set[str]:
    subparsers = ArgumentParser().add_subparsers()
    add_command(subparsers, command)
    return {name for action in subparsers.choices[command]._actions for name in action.option_strings}


@pytest.mark.parametrize("alike", [{"-o", "--out", "--output"}, {"-C", "--collection"}])
def test_all_commands_use_the_same_option_names(alike: set[str]) -> None:
    having = {command: options_of(command) & alike for command in COMMANDS}
    assert {command: own for command, own in having.items() if own not in (set(), alike)} == {}


def test_cells_that_begin_like_formulas_are_guarded_on_request(tmp_path, capsys):
    names = ["=1+1", "+a", "-b", "@c", "plain", "-12", "+.5"]
    (tmp_path / "q.txt").write_text("".join(f"{name} 0 d1 1\n{name} 0 d2 0\n" for name in names))
    (tmp_path / "r.txt").write_text("".join(f"{name} Q0 d1 1 1.0 =run\n" for name in names))
    (tmp_path / "other.txt").write_text("".join(f"{name} Q0 d2 1 1.0 @run\n" for name in names))
    files = [str(tmp_path / "q.txt"), str(tmp_path / "r.txt")]
    for command in (
        ["describe", files[0]],
        ["agree", files[0], files[0]],
        ["eval", *files, "--per-topic", "-m", "MAP"],
        ["explain", *files, "--topic", "=1+1", "-m", "MAP"],
        ["compare", *files, str(tmp_path / "other.txt"), "-m", "MAP"],
    ):
        cells = {}
        for format in ("csv", "csv-safe"):
            assert main([*command, "--format", format]) in (0, 1)
            cells[format] = [cell for row in csv.reader(io.StringIO(capsys.readouterr().out)) for cell in row]
        risky = [cell for cell in cells["csv"] if cell[:1] in ("=", "+", "-", "@") and not _number(cell)]
        assert risky
        assert cells["csv-safe"] == [f"'{cell}" if cell in risky else cell for cell in cells["csv"]]


def test_files_of_curves_and_points_are_guarded_too(tmp_path):
    (tmp_path / "q.txt").write_text("1 0 d1 1\n1 0 d2 0\n")
    for name in ("=run", "@run"):
        (tmp_path / name).write_text(f"1 Q0 d1 1 1.0 {name}\n")
    files = [str(tmp_path / name) for name in ("q.txt", "=run", "@run")]
    output = tmp_path / "points.csv"
    for format, quoted in (("csv", ""), ("csv-safe", "'")):
        for command in (
            ["eval", *files, "--curve"],
            ["compare", *files, "-m", "MAP", "-m", "P@5", "--scatter"],
        ):
            assert main([*command, str(output), "--overwrite", "--format", format]) in (0, 1)
            runs = {row[0] for row in csv.reader(output.read_text().splitlines())} - {"run"}
            assert runs == {f"{quoted}=run", f"{quoted}@run"}


def _number(cell):
    with suppress(ValueError):
        float(cell)
        return True
    return False


def test_no_row_of_latex_gives_the_line_above_an_argument(tmp_path, capsys):
    names = ["x", "[10pt]", "*"]
    (tmp_path / "q.txt").write_text("".join(f"{name} 0 d1 1\n{name} 0 d2 0\n" for name in names))
    (tmp_path / "r.txt").write_text("".join(f"{name} Q0 d1 1 1.0 [r]\n" for name in names))
    files = [str(tmp_path / "q.txt"), str(tmp_path / "r.txt")]
    for command in (
        ["describe", files[0]],
        ["agree", files[0], files[0]],
        ["eval", *files, "--per-topic", "-m", "MAP"],
    ):
        assert main([*command, "--format", "latex"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert any(line.startswith(("{}[", "{}*")) for line in lines)
        assert not [line for line in lines if line.startswith(("[", "*"))]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.parametrize("megabytes", [40, 60, 97, 125])
def test_too_low_a_memory_limit_is_reported(megabytes):
    import resource as resource_limits

    def limit():
        resource_limits.setrlimit(resource_limits.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    command = [sys.executable, "-m", "inexview", "eval", *SCORED]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"inexview: the limit of {megabytes} MB of memory is too low: raise it (ulimit -v) to 500 MB or more"
    ]


WRITING = {
    "eval": ["eval", *SCORED, "--curve", "old.csv"],
    "compare": ["compare", *SCORED, "-m", "MAgP", "-m", "gP[5]", "--scatter", "old.csv"],
    "halves": ["compare", *SCORED, "-m", "MAgP", "--stability-chart", "old.csv"],
    "union": ["agree", QRELS, QRELS, "--union", "old.csv"],
    "intersection": ["agree", QRELS, QRELS, "--intersection", "old.csv"],
    "check": ["check", QRELS, "-C", ARTICLES, "--corrected", "old.csv"],
    "convert": ["convert", QRELS, "old.csv", "--to", "jsonl"],
    "pool": ["pool", *RUNS, "--depth", "2", "-o", "old.csv"],
    "fuse": ["fuse", *RUNS, "-o", "old.csv", "--to", "fol-run"],
    "retrieve": ["retrieve", ARTICLES, str(SAMPLE / "topics.xml"), "-o", "old.csv", "--to", "fol-run"],
    "export": ["export", "test.inexview", "-o", "old.csv"],
}


@pytest.mark.parametrize("command", WRITING)
def test_no_command_replaces_a_file_without_the_option(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    make_project(tmp_path)
    Path("old.csv").write_text("old")
    assert main(WRITING[command]) == 2
    assert capsys.readouterr().err == "inexview: old.csv: already exists; --overwrite replaces it\n"
    assert Path("old.csv").read_text() == "old"


@pytest.mark.parametrize("command", ["eval", "union", "check", "pool", "fuse", "retrieve"])
@pytest.mark.parametrize(
    ("name", "said"), [("folder", "is a folder"), ("-", "output to standard output is not supported")]
)
def test_no_command_works_for_an_output_that_is_no_file(
    command: str,
    name: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    make_project(tmp_path)
    Path("folder").mkdir()
    assert main([name if part == "old.csv" else part for part in WRITING[command]]) == 2
    out, err = capsys.readouterr()
    assert (out, said in err, Path("-").exists()) == ("", True, False)


@pytest.mark.parametrize(
    "command", ["eval", "compare", "union", "check", "convert", "pool", "fuse", "retrieve"]
)
def test_nothing_is_written_over_the_articles(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where what is there may be replaced; they may be in an archive."""
    monkeypatch.chdir(tmp_path)
    Path("old.csv").write_text("an archive")
    given = ["old.csv" if part == ARTICLES else part for part in WRITING[command]]
    articles = [] if command in ("check", "retrieve") else ["-C", "old.csv"]
    assert main([*given, *articles, "--overwrite"]) == 2
    assert "old.csv: is also an input file" in capsys.readouterr().err
    assert Path("old.csv").read_text() == "an archive"


def test_a_file_is_replaced_where_that_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ("eval", "union"):
        Path("old.csv").write_text("old")
        assert main([*WRITING[command], "--overwrite"]) == 0
        assert Path("old.csv").read_text() != "old"


def test_how_a_run_was_made_is_not_written_over_another_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = tmp_path / "run.txt.json"
    topics.write_bytes((SAMPLE / "topics.xml").read_bytes())
    asked = ["retrieve", ARTICLES, str(topics), "-o", str(tmp_path / "run.txt"), "--overwrite"]
    assert main(asked) == 2
    assert "is also an input file" in capsys.readouterr().err
    assert topics.read_bytes() == (SAMPLE / "topics.xml").read_bytes()


@pytest.mark.usefixtures("qapp")  # which draws, in this process
def test_a_curve_is_drawn_as_well_as_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scored = ["eval", *SCORED]
    for suffix, begin in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".csv", b"run,file")):
        path = tmp_path / f"curve{suffix}"
        assert main([*scored, "--curve", str(path)]) == 0
        assert path.read_bytes().startswith(begin)
    drawn = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert "<title>Precision over recall</title>" in drawn
    assert all(Path(run).stem in drawn for run in RUNS)
    capsys.readouterr()
    assert main([*scored, "--curve", str(tmp_path / "roc.svg"), "--curve-of", "roc"]) == 2
    judged = len(read_qrels(Path(QRELS)).topics)
    said = f"roc has no mean over topics, and these are {judged} topics: write them as .csv"
    assert said in capsys.readouterr().err
    assert not (tmp_path / "roc.svg").exists()
