"""`inexview explain`: the numbers are those of eval, and the rows those of the run."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import inexview
from inexview.cli import main
from inexview.core.evaluation.explain import COST_HEAD, CostKind, cost_lines, costliest_parts
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.files import resource

SAMPLE = resource("sample")
JUDGED, RUN = str(SAMPLE / "judgements.txt"), str(SAMPLE / "runs" / "LM-passages.txt")
GIVEN = [JUDGED, RUN, "--task", "relevant-in-context"]


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main([*arguments]) == 0
    return capsys.readouterr().out


def table(text: str, delimiter: str = ",") -> list[dict[str, str]]:
    """Return the one table that a text is."""
    head, *lines = csv.reader(io.StringIO(text), delimiter=delimiter)
    assert len(set(head)) == len(head)
    assert {len(line) for line in lines} == {len(head)}
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_the_rows_add_up_to_the_value_that_eval_prints(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "explain", *GIVEN, "--topic", "2026001", "-m", "AgP", "--format", "csv")
    lines = said(capsys, "eval", *GIVEN, "-m", "AgP", "--per-topic", "--format", "csv")
    value = next(
        float(row["value"]) for row in csv.DictReader(io.StringIO(lines)) if row["topic"] == "2026001"
    )
    rows = table(told)
    assert sum(float(row["adds"]) for row in rows) / 5 == pytest.approx(value, abs=1e-12)
    assert {float(row["value"]) for row in rows} == {value}
    read = said(capsys, "explain", *GIVEN, "--topic", "2026001", "-m", "AgP")
    assert f"= {value:.4f}" in read
    assert "AgP = Σ gP[r] / Nrel, over the ranks r of relevant documents" in read


def test_without_it_is_what_eval_prints_for_the_run_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, "explain", *GIVEN, "--topic", "2026001", "-m", "AgP", "--format", "csv")
    (row,) = [row for row in table(told) if row["document"] == "2077"]
    kept = [line for line in Path(RUN).read_text().splitlines() if not line.startswith(("2026001 Q0 2077 ",))]
    (tmp_path / "without.txt").write_text("\n".join(kept) + "\n")
    lines = said(capsys, "eval", JUDGED, str(tmp_path / "without.txt"), *GIVEN[2:], *("-m", "AgP"),
                 *("--per-topic", "--format", "csv"))  # fmt: skip
    (value,) = [row["value"] for row in csv.DictReader(io.StringIO(lines)) if row["topic"] == "2026001"]
    assert float(row["without it"]) == pytest.approx(float(value), abs=1e-12)


def test_parts_of_the_judgements_are_explained_as_they_are_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.txt").write_text(Path(RUN).read_text().replace("LM-passages", "LM-two"))
    given = [*GIVEN[:2], str(tmp_path / "other.txt"), *GIVEN[2:], "-m", "AgP", "--share", "0-35"]
    given += ["--best-of", "LM"]
    told = said(capsys, "explain", *given, "--topic", "2026001", "--format", "csv")
    lines = said(capsys, "eval", *given, "--per-topic", "--format", "csv")
    whole = said(capsys, "eval", *GIVEN, "-m", "AgP", "--per-topic", "--format", "csv")
    value, all_of_it = (
        [row["value"] for row in csv.DictReader(io.StringIO(own)) if row["topic"] == "2026001"]
        for own in (lines, whole)
    )
    assert len(value) == 1
    assert value != all_of_it
    assert {row["value"] for row in table(told)} == {value[0]}
    assert {(row["run"], row["measure"]) for row in table(told)} == {("LM-passages", "AgP")}


@pytest.mark.parametrize("more", [[], ["--best-of", "^[A-Z]+"]])
def test_one_bad_run_does_not_refuse_the_others(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.txt").write_text("2026001 Q0 1001 1 0.5 bad\n2026001 Q0 x\n")
    options = [*GIVEN[2:], *more, "-m", "AgP", "--topic", "2026001", "--format", "csv"]
    whole = said(capsys, "explain", *GIVEN[:2], *options)
    assert main(["explain", GIVEN[0], str(tmp_path / "bad.txt"), GIVEN[1], *options]) == 1
    output = capsys.readouterr()
    assert output.out == whole
    assert output.err.startswith(f"inexview: {tmp_path / 'bad.txt'}:2: ")
    assert main(["explain", GIVEN[0], str(tmp_path / "bad.txt"), *options]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("task", ["focused", "relevant-in-context", "passages", "documents"])
def test_programs_read_one_table_of_all_runs_and_measures(
    task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [RUN, str(SAMPLE / "runs" / "BM25-sections.txt")]
    given = ["explain", JUDGED, *runs, "--task", task, "--topic", "2026001"]
    cut = ["--overlap", "drop"] if task == "focused" else []
    rows = table(said(capsys, *given, *cut, "--format", "csv"))
    assert rows == table(said(capsys, *given, *cut, "--format", "tsv"), "\t")
    known = json.loads(said(capsys, *given, *cut, "--format", "json"))
    assert [run["run"] for run in known] == ["LM-passages", "BM25-sections"]
    assert [
        (run["run"], one["measure"], str(one["value"]), str(line["document"]), str(line["adds"]))
        for run in known
        for one in run["measures"]
        for line in one["rows"]
    ] == [tuple(row[name] for name in ("run", "measure", "value", "document", "adds")) for row in rows]
    assert all(one["filled"] and one["formula"] for run in known for one in run["measures"])


def test_a_document_is_explained_to_programs_by_its_characters(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["explain", *GIVEN, "--topic", "2026001", "--doc", "2041"]
    rows = table(said(capsys, *given, "--format", "csv"))
    assert {row["document"] for row in rows} == {"2041"}
    (f,) = [row for row in rows if row["measure"] == "F(d)" and row["numerator"]]
    assert (f["numerator"], f["denominator"], float(f["value"])) == ("3392", "4907", 3392 / 4907)
    hits = [int(row["length"]) for row in rows if row["measure"] == "hit"]
    assert sum(hits) == 1696
    assert [float(row["gain if corrected"]) for row in rows if row["fault"]]
    (run,) = json.loads(said(capsys, *given, "--format", "json"))
    assert next(line["offset"] for line in run["document"] if line["measure"] == "hit") == 2893
    (missed, *_) = [row for row in rows if row["measure"] == "missed"]
    assert (missed["rank"], missed["adds"]) == ("", "")


@pytest.mark.parametrize("more", [["--topic", "2026001", "--doc", "2041"], ["--costs"],
                                  ["--topic", "2026001", "--entry-points"]])  # fmt: skip
def test_latex_compiles_and_json_is_read(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    inside = False
    for line in said(capsys, "explain", *GIVEN, *more, "--format", "latex").splitlines():
        inside = inside or line.startswith(r"\begin{tabular}")
        assert inside or line.startswith("%") or not line, "what is beside a table is a comment"
        inside = inside and line != r"\end{tabular}"
    if more[-1] != "2041":
        lines = table(said(capsys, "explain", *GIVEN, *more, "--format", "csv"))
        known = json.loads(said(capsys, "explain", *GIVEN, *more, "--format", "json"))
        assert [{name: str(value) for name, value in line.items()} for line in known] == lines


def test_a_document_shows_its_characters(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "explain", *GIVEN, "--topic", "2026001", "--doc", "2041")
    assert "F(d) = 3,392 / 4,907 = 0.6913" in told
    assert "hit: 1,696 characters at 2893:87, " in told
    assert "gain if corrected" in told
    assert "2077" not in told


def test_the_text_read_of_a_document_is_printed_if_it_is_scored(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = said(capsys, "explain", *GIVEN, "--preset", "inex2010", "--topic", "2026001", "--doc", "2041")
    assert "  T2I = 1,696 / 1,996 = 0.8497, the reader stops at 249\n" in told
    first = said(
        capsys,
        "eval",
        *GIVEN,
        "--preset",
        "inex2010",
        "--topics",
        "2026001",
        "-m",
        "gP[1]",
        "--format",
        "csv",
    )
    assert [round(float(row["value"]), 4) for row in csv.DictReader(io.StringIO(first))] == [0.8497]


def test_the_costs_of_a_run_are_listed_over_all_topics(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ScoringSettings(task=inexview.Task.RELEVANT_IN_CONTEXT)
    found = costliest_parts(inexview.read_qrels(JUDGED), inexview.read_run(RUN), settings, most=3)
    told = said(capsys, "explain", *GIVEN, "--costs", "--most", "3", "--format", "csv")
    head, *lines = csv.reader(io.StringIO(told))
    assert tuple(head) == COST_HEAD
    assert lines == [[str(value) for value in line] for line in cost_lines(found)]
    places = [line for line in lines if line[head.index("part")] == "passage"]
    assert len(places) == 3
    shown = said(capsys, "explain", *GIVEN, "--costs", "--most", "3")
    for part in found.parts[CostKind.PLACE]:
        assert part.start is not None
        assert part.end is not None
        assert f"{part.start}:{part.end - part.start}" in shown
        assert f"{part.gain:.4f}" in shown
    assert f"MAgP = {found.value:.4f}" in shown
    assert main(["explain", *GIVEN, "--costs", "--doc", "2041"]) == 2
    assert "--doc needs --topic" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--topic", "9"], "topic 9 is not scored for LM-passages"),
        (["--topic", "2026001", "--doc", "none"], "was neither judged nor retrieved"),
    ],
)
def test_missing_topics_and_documents_are_named(
    more: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *GIVEN, *more]) == 2
    assert problem in capsys.readouterr().err


def test_python_says_the_same() -> None:
    qrels, run = inexview.read_qrels(JUDGED), inexview.read_run(RUN)
    told = inexview.explain(qrels, run, "2026001", "2041", task="relevant-in-context", beta=0.25)
    scored = inexview.evaluate(qrels, run, task="relevant-in-context", beta=0.25)[0].topic("2026001")
    assert {one.measure: one.value for one in told.derivations} == {
        name: scored[name] for name in ("gP[5]", "gP[10]", "gP[25]", "gP[50]", "AgP")
    }
    assert told.document is not None
    assert told.document.explanation is not None
    assert told.document.explanation.precision.value == 1696 / 1747
    runs = inexview.evaluate(qrels, [run, run], task="relevant-in-context").runs
    assert inexview.compare(runs, "AgP").means[0] == pytest.approx(runs[0].mean["MAgP"])
    assert inexview.agree(qrels, qrels) is not None


def test_entry_points_are_printed_with_distances_and_missing_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = ["explain", *GIVEN, "--topic", "2026001", "--entry-points", "--screen", "1000"]
    told = list(csv.DictReader(io.StringIO(said(capsys, *given, "--format", "csv"))))
    qrels, run = inexview.read_qrels(JUDGED), inexview.read_run(RUN)
    firsts = {one.document: one.start for one in reversed(run.results("2026001"))}
    for line in told:
        judged = qrels.judgement("2026001", line["document"])
        away = firsts[line["document"]] - judged.bep
        assert int(line["distance"]) == away
        assert float(line["screens"]) == round(abs(away) / 1000, 2)
        assert float(line["s(x,b)"]) == 0.1 * judged.length / (0.1 * judged.length + abs(away))
    found = inexview.entry_distances(qrels, run, "2026001")
    assert (found.distance.tolist(), found.missed) == (
        [int(line["distance"]) for line in told],
        sum(one.topic == "2026001" and one.relevant for one in qrels) - len(told),
    )
    ranked = list(dict.fromkeys(one.document for one in run.results("2026001")))
    assert [ranked.index(line["document"]) + 1 for line in told] == [int(line["rank"]) for line in told]
    relevant = [one for one in qrels if one.topic == "2026001" and one.relevant]
    read = said(capsys, *given)
    assert f"{len(relevant) - len(told)} relevant document" in read.splitlines()[0]
    assert len(read.splitlines()) == 2 + len(told)
    for more in (["--costs"], ["--topic", "2026001", "--doc", "2041"]):
        assert main(["explain", *GIVEN, *more, "--entry-points"]) == 2
    assert main(["explain", *GIVEN, "--topic", "nine", "--entry-points"]) == 2
    assert "topic nine is not judged" in capsys.readouterr().err
