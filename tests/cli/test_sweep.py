"""`inexview sweep`: what is printed, drawn and refused."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest
from lxml import html

from inexview.cli import main

K1, B, TOPICS = (0.3, 1.2, 3), (0.4, 0.75), 12


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: object) -> list[str]:
    """Write judgements and the runs of a sweep, and return the runs' names."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(4)
    lines = [f"{topic} Q0 d{n} 50 200 0 0:50\n" for topic in range(TOPICS) for n in range(6)]
    Path("qrels.txt").write_text("".join(lines))
    Path("topics.tsv").write_text("".join(f"{topic}\tquery {topic}\n" for topic in range(TOPICS)))
    names = []
    for k1 in K1:
        for b in B:
            name = f"bm25_k1_{k1}_b_{b}"
            miss = 0.1 + 0.25 * abs(k1 - 1.2) + (b - 0.4)
            made = []
            for topic in range(TOPICS):
                for n in range(6):
                    start = 0 if chance.random() > miss else 100
                    made.append(f"{topic} Q0 d{n} {n + 1} {9 - n} {name} {start} 50\n")
            Path(f"{name}.txt").write_text("".join(made))
            names.append(f"{name}.txt")
    return names


def means_of(asked, capsys):
    """Return the means that `inexview eval` prints behind the parameters, by run."""
    assert main(["eval", *asked]) == 0
    lines = map(str.split, capsys.readouterr().out.splitlines())
    return {line[0]: line[3] for line in lines if len(line) == 4 and line[0].startswith("bm25")}


def test_a_sweep_is_printed_as_four_tables(files, capsys):
    asked = ["qrels.txt", *files, "--task", "focused", "-m", "MAiP"]
    assert main(["sweep", *asked, "--baseline", files[-1], "--where", "b=0.4"]) == 0
    told = capsys.readouterr().out
    assert "6 runs, 3 listed" in told
    assert "bm25_k1_1.2_b_0.4" in told
    assert "Tukey’s HSD, 6 runs" in told
    assert "hardest first" in told
    means = means_of(asked, capsys)
    listed = [line.split() for line in told.partition("\n\n")[0].splitlines() if line.startswith("bm25")]
    assert {name: mean for name, _k1, _b, _place, mean, *_ in listed}.items() <= means.items()
    assert len(listed) == 3


def test_the_chart_has_the_means(files, capsys):
    asked = ["qrels.txt", *files, "--task", "focused", "-m", "MAiP"]
    assert main(["sweep", *asked, "--chart", "k1.csv"]) == 0
    assert main(["sweep", *asked, "--chart", "k1.svg", "--over", "b", "--lines", ""]) == 0
    rows = list(csv.DictReader(Path("k1.csv").read_text(encoding="utf-8").splitlines()))
    assert [(float(row["k1"]), row["b"]) for row in rows] == [(k1, f"b = {b:g}") for b in B for k1 in K1]
    means = means_of(asked, capsys)
    for row in rows:
        assert f"{float(row['MAiP']):.4f}" == means[row["run"]]
    assert Path("k1.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert main(["sweep", *asked, "--chart", "k1.svg"]) == 2
    assert "k1.svg" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["latex", "html"])
def test_other_forms_hold_the_same(files, form, capsys):
    assert main(["sweep", "qrels.txt", *files, "--task", "focused", "--format", form]) == 0
    told = capsys.readouterr().out
    assert "Topics by difficulty" in told
    assert told.count("tabular" if form == "latex" else "<table") >= 4


def test_a_table_names_the_parameters(files, capsys):
    lines = [
        f"{name.removesuffix('.txt')},{at % 3},{'porter' if at < 3 else 'none'}\n"
        for at, name in enumerate(files)
    ]
    Path("p.csv").write_text("run,size,stem\n" + "".join(lines))
    assert (
        main(
            [
                "sweep",
                "qrels.txt",
                *files,
                "--task",
                "focused",
                "--parameters",
                "p.csv",
                "--where",
                "stem=none",
            ]
        )
        == 0
    )
    assert "3 listed" in capsys.readouterr().out


def test_runs_of_one_id_have_the_parameters_of_their_files(files, capsys):
    for name in files:
        text = Path(name).read_text(encoding="utf-8").replace(name.removesuffix(".txt"), "same")
        Path(name).write_text(text, encoding="utf-8")
    assert main(["sweep", "qrels.txt", *files, "--task", "focused", "--where", "b<0.5"]) == 0
    told = capsys.readouterr().out
    assert "6 runs, 3 listed" in told
    assert "k1 1.2, b 0.4" in told


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--where", "mu=3"], "'mu' is not a parameter"),
        (["--where", "b=0.8.."], "--where 'b=0.8..' matches no run; the first run is 'bm25_k1_0.3_b_0.4'"),
        (["--baseline", "none"], "--baseline 'none' is not one of the scored runs"),
        (["--parameters", "qrels.txt"], "qrels.txt:1: needs a header line"),
        (["--chart", "k1.svg", "--over", "mu"], "'mu' is not a parameter"),
    ],
)
def test_invalid_arguments_of_a_sweep_are_reported(files, given, said, capsys):
    assert main(["sweep", "qrels.txt", *files, "--task", "focused", *given]) == 2
    assert said in capsys.readouterr().err
    assert not Path("k1.svg").exists()


@pytest.mark.parametrize(
    ("where", "listed"), [("b=0.5..", 3), ("b=..0.5 k1=1..", 2), ("k1=..", 6), ("1.2", 2)]
)
def test_ranges_may_have_one_end(files, where, listed, capsys):
    assert main(["sweep", "qrels.txt", *files, "--task", "focused", "--where", where]) == 0
    assert ("6 runs\n" if listed == 6 else f"6 runs, {listed} listed") in capsys.readouterr().out


@pytest.mark.parametrize("tabled", [False, True])
def test_every_table_of_runs_has_their_parameters(files, capsys, tabled):
    """As text, LaTeX, CSV, JSON and HTML, of `eval`, `compare` and `report`, from ids or a table."""
    asked = ["qrels.txt", *files, "--task", "focused", "-m", "MAiP"]
    wanted = {(f"bm25_k1_{k1}_b_{b}", str(k1), str(b)) for k1 in K1 for b in B}
    if tabled:  # which says something else than the ids
        wanted = {(name, f"{10 * float(k1):g}", f"{10 * float(b):g}") for name, k1, b in wanted}
        Path("p.csv").write_text("run,k1,b\n" + "".join(f"{','.join(row)}\n" for row in wanted))
        asked += ["--parameters", "p.csv"]
    for command in ("eval", "compare"):
        assert main([command, *asked]) == 0
        told = capsys.readouterr().out
        assert wanted <= {tuple(line.split()[:3]) for line in told.splitlines() if line}
        assert main([command, *asked, "--format", "latex"]) == 0
        paper = capsys.readouterr().out.replace(r"\_", "_")
        assert all(" & ".join(run) in paper for run in wanted)
    assert main(["compare", *asked, "--format", "html"]) == 0
    pages = [capsys.readouterr().out]
    assert main(["report", *asked, "-o", "report.html", "--no-costs"]) == 0
    pages.append(Path("report.html").read_text(encoding="utf-8"))
    for page in pages:
        rows = [row.xpath("td")[:3] for row in html.fromstring(page).xpath("//tr[td]")]
        assert wanted <= {tuple(cell.text_content() for cell in row) for row in rows}
    capsys.readouterr()
    assert main(["eval", *asked, "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {(row["run"], f"{float(row['k1']):g}", f"{float(row['b']):g}") for row in rows} == wanted
    assert main(["eval", *asked, "--format", "json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert {(run["id"], f"{run['settings']['k1']:g}", f"{run['settings']['b']:g}") for run in runs} == wanted


def test_queries_of_one_topic_count_as_one(files, capsys):
    """Two queries for each of the judged topics."""
    for name in files:
        text = Path(name).read_text(encoding="utf-8")
        lines = [f"{line.replace(' ', f'-{n} ', 1)}\n" for line in text.splitlines() for n in (1, 2)]
        Path(name).write_text("".join(lines), encoding="utf-8")
    asked = ["qrels.txt", *files, "--task", "focused", "-m", "MAiP"]
    assert main(["eval", *asked]) == 1, "no topic is judged"
    capsys.readouterr()
    assert main(["sweep", *asked, "--variations", "ids"]) == 0
    told = capsys.readouterr().out
    assert "MAiP on 12 topics" in told
    assert "s.d. inside: between the queries of a topic" in told
    Path("queries.csv").write_text(
        "query,topic\n" + "".join(f"{topic}-{n},{topic}\n" for topic in range(TOPICS) for n in (1, 2))
    )
    assert main(["sweep", *asked, "--variations", "queries.csv"]) == 0
    assert capsys.readouterr().out == told
    for command in (["eval", "--per-topic"], ["compare"], ["report", "-o", "report.html"]):
        assert main([command[0], *asked, *command[1:], "--variations", "ids"]) == 0
    assert "the mean over its queries (24 queries)" in capsys.readouterr().out
    assert "the mean over its queries (24 queries)." in Path("report.html").read_text(encoding="utf-8")
    assert main(["eval", *asked, "--variations", "ids", "--format", "csv", "--per-topic"]) == 0
    whole = {row["topic"]: row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    some = ["--topics", "3,5", "--variations", "ids", "--format", "csv", "--per-topic"]
    assert main(["eval", *asked, *some]) == 0
    part = {row["topic"]: row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert {*part} == {"3", "5", "all"}
    assert all(part[topic] == whole[topic] for topic in ("3", "5"))
    for share, judged in (("0-10", 0), ("20-30", 12)):  # 50 of 200 characters are relevant
        told = main(["eval", *asked, "--share", share, "--variations", "ids", "--format", "json"])
        assert told == (0 if judged else 2)
        said = capsys.readouterr().out
        assert not judged or json.loads(said)["runs"][0]["counts"]["unjudged"] == 0
    Path("others.csv").write_text("query,topic\nx-1,x\n")
    capsys.readouterr()
    assert main(["eval", *asked, "--variations", "others.csv"]) in (0, 1)
    assert "others.csv has none of its queries; the first is " in capsys.readouterr().err
    assert main(["eval", *asked, "--variations", "none.csv"]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_daggers_follow_the_chosen_correction(files, capsys):
    asked = ["sweep", "qrels.txt", *files, "--task", "focused", "-m", "MAiP"]
    worse = {}
    for way in ("hsd", "holm", "best", "each"):
        assert main([*asked, "--counted", way]) == 0
        told = capsys.readouterr().out
        worse[way] = told.partition("\n\n")[0].count("†") - 1  # the note has one
    rows = [line.split() for line in told.splitlines()]
    ways = ["Tukey’s", "HSD,"], ["Holm,", "all"], ["Holm,", "5"], ["no", "correction"]
    counted = [int(row[-1]) for row in rows if row[:2] in ways]
    assert [*worse.values()] == counted
    assert main([*asked[:4], "--task", "focused"]) == 2
    assert "a sweep needs at least three runs" in capsys.readouterr().err
