"""`inexview compare`: the numbers are those of the statistics, each pair on the topics that both have."""

import csv
import io
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

import inexview
from inexview.cli import main
from inexview.core.evaluation import significance
from inexview.core.evaluation.agreement import kendall_tau
from inexview.core.evaluation.testing import PairTest
from inexview.core.files import resource

TOPICS = [str(topic) for topic in range(1, 13)]
# The share of the 100 relevant characters that each run finds, topic by topic: P[1] is the share itself.
SHARES = {
    "good": [90, 80, 95, 70, 85, 60, 88, 91, 77, 80, 90, 85],
    "fair": [80, 75, 90, 72, 70, 50, 85, 80, 70, 60, 85, 80],
    "poor": [10, 15, 20, 5, 30, 10, 25, 20, 15, 10, 5, 20],
}


@pytest.fixture
def files(tmp_path):
    """Write qrels and three runs whose P[1] are SHARES."""
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{topic} Q0 d 100 200 0 0:100\n" for topic in TOPICS), encoding="utf-8")
    paths = [str(qrels)]
    for name, shares in SHARES.items():
        path = tmp_path / f"{name}.run"
        lines = (f"{t} Q0 d 1 1.0 {name} {100 - s} 100\n" for t, s in zip(TOPICS, shares, strict=True))
        path.write_text("".join(lines), encoding="utf-8")
        paths.append(str(path))
    return paths


def told(capsys):
    return json.loads(capsys.readouterr().out)


def test_json_tells_difference_interval_wins_and_probabilities(files, capsys):
    assert main(["compare", *files, "--task", "focused", "-m", "P[1]", "--format", "json"]) == 0
    said = told(capsys)
    assert [run["id"] for run in said["runs"]] == ["good", "fair", "poor"]
    assert said["topics"] == TOPICS
    shares = {name: np.array(values) / 100 for name, values in SHARES.items()}
    measured = said["measures"]["P[1]"]
    assert measured["means"] == pytest.approx([values.mean() for values in shares.values()])
    assert [(pair["better"], pair["worse"]) for pair in measured["pairs"]] == [(0, 1), (0, 2), (1, 2)]
    pair = measured["pairs"][0]
    good, fair = shares["good"], shares["fair"]
    assert pair["difference"] == pytest.approx(good.mean() - fair.mean())
    assert pair["improvement"] == pytest.approx(100 * (good.mean() / fair.mean() - 1))
    found = significance.randomisation([good - fair])
    assert (pair["p"], pair["low"], pair["high"]) == (found.p[0], found.low[0], found.high[0])
    assert pair["effect"] == pytest.approx((good - fair).mean() / (good - fair).std(ddof=1))
    assert pair["detectable"] == pytest.approx(pair["difference"] - pair["low"])
    assert (pair["wins"], pair["ties"], pair["losses"]) == (11, 0, 1)
    corrected = significance.holm([pair["p"] for pair in measured["pairs"]])
    assert [pair["p_corrected"] for pair in measured["pairs"]] == pytest.approx(corrected.tolist())
    assert (measured["significant"], measured["significant_uncorrected"]) == (3, 3)
    assert (said["parameters"]["test"], said["parameters"]["seed"]) == ("randomisation", significance.SEED)
    assert (said["parameters"]["A"], "a" in said["parameters"]) == (0.1, False)
    assert said["orderings"] == []


def test_the_papers_own_tests_are_had_by_name(files, capsys):
    arguments = ["compare", *files[:3], "--task", "focused", "-m", "P[1]", "--format", "json"]
    gains = [(np.array(SHARES["good"]) - np.array(SHARES["fair"])) / 100]
    assert main([*arguments, "--test", "t-test"]) == 0
    (pair,) = told(capsys)["measures"]["P[1]"]["pairs"]
    wanted = significance.t_test(gains)
    assert (pair["t"], pair["p"]) == pytest.approx((wanted.statistic[0], wanted.p[0]))
    found = {}
    for better in ("first", "second"):
        assert main([*arguments, "--test", "bootstrap", "--better", better]) == 0
        said = told(capsys)
        assert said["parameters"]["draws"] == 1000
        found[better] = said["measures"]["P[1]"]["pairs"][0]["p"]
    assert found["first"] == significance.bootstrap(gains).p[0]
    assert found["second"] > 0.9


def test_no_probability_is_printed_as_0(files, capsys):
    for test in PairTest:
        assert main(["compare", *files, "--task", "focused", "-m", "P[1]", "--test", test]) == 0
        out = capsys.readouterr().out
        assert "< 0.001" in out
        assert " 0.000" not in out


def test_few_topics_are_warned_of(files, tmp_path, capsys):
    for name in ("good", "fair", "poor"):
        path = tmp_path / f"{name}.run"
        path.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
    assert main(["compare", *files, "--task", "focused", "-m", "P[1]"]) == 0
    out, err = capsys.readouterr()
    assert "only 5 topics" in err
    assert "p cannot fall below 0.0625 here: no difference can be significant" in err
    assert "†" not in out.split("Row less column")[0]


def test_measures_of_other_tasks_order_the_same_runs(files, capsys):
    arguments = ["compare", *files, "--task", "focused", "-m", "P[1]", "-m", "MAiP", "-m", "documents:MAP"]
    assert main([*arguments, "--format", "json"]) == 0
    said = told(capsys)
    means = {name: own["means"] for name, own in said["measures"].items()}
    assert list(means) == ["P[1]", "MAiP", "documents:MAP"]
    taus = {tuple(one["measures"]): one["tau_b"] for one in said["orderings"]}
    assert taus["P[1]", "MAiP"] == kendall_tau(means["P[1]"], means["MAiP"])
    assert taus["P[1]", "documents:MAP"] is None  # all runs tie
    assert main(["compare", *files, "-m", "nothing:MAP"]) == 2
    assert "there is no task 'nothing'" in capsys.readouterr().err


def test_warnings_about_a_run_are_printed_once_for_all_tasks(files, capsys):
    with Path(files[0]).open("a", encoding="utf-8") as qrels:
        qrels.write("99 Q0 d 100 200 0 0:100\n")
    arguments = ["compare", *files[:3], "--task", "focused", "-m", "P[1]"]
    assert main([*arguments, "-m", "documents:MAP", "-m", "thorough:AiP"]) == 0
    err = capsys.readouterr().err
    assert err.count("good.run: no result for 1 of 13 judged topics") == 1
    assert err.count("fair.run: no result for 1 of 13 judged topics") == 1


def test_stability_is_printed_as_figures(files, capsys):
    arguments = ["compare", *files, "--task", "focused", "-m", "P[1]", "--stability"]
    assert main([*arguments, "--format", "json"]) == 0
    stable = told(capsys)["measures"]["P[1]"]["stability"]
    qrels, runs = inexview.read_qrels(files[0]), list(map(inexview.read_run, files[1:]))
    scored = inexview.evaluate(qrels, runs, task="focused", measures=["P[1]"])
    own = inexview.stability(inexview.compare(scored.runs, "P[1]"))
    assert own.rates.tolist() == stable["swapped"]
    assert stable["topics"] == [1, 2, 3, 4, 5, 6]
    assert len(stable["swapped"]) == 6
    assert main(arguments) == 0
    assert "share swapped" in capsys.readouterr().out


def test_the_worse_run_given_first_is_still_the_worse(files, capsys):
    qrels, good, _, poor = files
    assert main(["compare", qrels, poor, good, "--task", "focused", "-m", "P[1]", "--format", "json"]) == 0
    (pair,) = told(capsys)["measures"]["P[1]"]["pairs"]
    assert (pair["better"], pair["worse"]) == (1, 0)
    assert pair["difference"] > 0


def test_the_table_shows_the_matrix_sorted_by_score_the_pairs_and_the_test(files, capsys):
    qrels, good, fair, poor = files
    assert main(["compare", qrels, poor, good, fair, "--task", "focused", "-m", "P[1]"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading == "focused, inex2007: β = 1, A = 0.1, α = 1"
    assert lines[0] == "P[1] on 12 topics; paired randomisation, two-sided, exact"
    assert lines[1].split() == ["run", "P[1]", "good", "fair", "poor"]
    assert lines[2].split() == ["good", "0.8258", "+0.0783†", "+0.6717†"]
    assert lines[4].split()[2] == "−0.6717†"
    assert "3 of 3 pairs significant after the correction, 3 before" in lines
    assert sum(line.startswith(("good", "fair")) for line in lines) == 5


def test_in_tables_runs_of_one_id_are_named_with_their_files(files, tmp_path, capsys):
    qrels, good, _, _ = files
    (tmp_path / "more").mkdir()
    for copy in (twins := [tmp_path / "more" / "good.run", tmp_path / "twin.run"]):
        copy.write_bytes(Path(good).read_bytes())
    runs = [good, *map(str, twins)]
    names = {"good.run", "more/good.run", "twin.run"}
    assert main(["compare", qrels, *runs, "--task", "focused", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row[side] for row in rows for side in ("better", "worse")} == names
    assert main(["eval", qrels, *runs, "--task", "focused", "--per-topic"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in names)


def test_two_measures_are_compared_by_how_they_order_the_runs(files, capsys):
    arguments = ["compare", *files, "--task", "focused", "-m", "P[1]", "-m", "R[1]"]
    assert main([*arguments, "--format", "json"]) == 0
    assert told(capsys)["orderings"] == [
        {
            "measures": ["P[1]", "R[1]"],
            "tau": 1.0,
            "tau_b": 1.0,
            "tau_p": pytest.approx(1 / 3),
            "tau_ap": 1.0,
            "tau_ap_p": pytest.approx(1 / 3, abs=0.02),
            "rho": 1.0,
            "rho_p": pytest.approx(1 / 3, abs=0.02),
        }
    ]
    assert main(arguments) == 0
    assert "τ_AP" in capsys.readouterr().out


def test_without_a_measure_the_presets_own_is_compared(files, capsys):
    for preset in ("inex2007", "inex2010"):  # of 2010 the table goes on with sets of text
        assert main(["compare", *files, "--task", "focused", "--preset", preset, "--format", "json"]) == 0
        assert list(told(capsys)["measures"]) == ["MAiP"]


@pytest.mark.parametrize(("format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_csv_and_tsv_are_a_line_for_each_pair(files, capsys, format, delimiter):
    assert main(["compare", *files, "--task", "focused", "-m", "P[1]", "--format", format]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter=delimiter))
    assert [(row["better"], row["worse"]) for row in rows] == [
        ("good", "fair"),
        ("good", "poor"),
        ("fair", "poor"),
    ]
    assert {row["measure"] for row in rows} == {"P[1]"}


def test_latex_puts_other_lines_in_comments(files, capsys):
    assert main(["compare", *files, "--task", "focused", "-m", "P[1]", "--format", "latex"]) == 0
    outside = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("\\")]
    assert all(line.startswith("%") or line.endswith(r"\\") for line in outside if line)


def test_a_pair_is_compared_on_the_topics_that_both_have(files, tmp_path, capsys):
    asked = ["--task", "focused", "-m", "P[1]", "--format", "json"]
    assert main(["compare", *files[:3], *asked]) == 0
    (alone,) = told(capsys)["measures"]["P[1]"]["pairs"]
    short = tmp_path / "short.run"
    short.write_text("1 Q0 d 1 1.0 short 0 100\n", encoding="utf-8")
    arguments = ["compare", *files[:3], str(short), *asked]
    assert main(arguments) == 0
    said = told(capsys)
    assert [run["topics"] for run in said["runs"]] == [12, 12, 1]
    pairs = {(pair["better"], pair["worse"]): pair for pair in said["measures"]["P[1]"]["pairs"]}
    assert {key: value for key, value in pairs[0, 1].items() if key != "p_corrected"} == {
        key: value for key, value in alone.items() if key != "p_corrected"
    }
    third = pairs[2, 0]
    assert (third["topics"], third["better_mean"], third["worse_mean"], third["p"]) == (1, 1.0, 0.9, 1)
    assert third["low"] is None
    assert said["measures"]["P[1]"]["order"] == [0, 1, 2], "one topic does not make a run the best"
    assert main([*arguments[:-2], "--format", "table"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^short +1.0000 \(1\) +\+0.1000 \(1\)", out, re.MULTILINE)
    assert "P[1] on 1 to 12 topics a pair" in out
    assert main([*arguments, "--complete"]) == 0
    assert {pair["topics"] for pair in told(capsys)["measures"]["P[1]"]["pairs"]} == {12}


@pytest.mark.parametrize("tie", ["abc", "nan", "2"])
def test_invalid_differences_are_refused(files, capsys, tie):
    with pytest.raises(SystemExit):
        main(["compare", *files[:3], "--tie", tie])
    assert f"--tie: '{tie}' is not a number from 0 to 1" in capsys.readouterr().err


def test_runs_with_the_same_name_are_distinguished_by_their_files(files, capsys):
    qrels, good, *_ = files
    assert main(["compare", qrels, good, good, "--task", "focused", "-m", "P[1]", "--format", "json"]) == 0
    said = told(capsys)
    assert said["runs"][0]["id"] == Path(good).name
    (pair,) = said["measures"]["P[1]"]["pairs"]
    assert (pair["p"], pair["ties"], pair["difference"]) == (1.0, 12, 0.0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda given: given[:2], "a comparison needs two or more runs"),
        (lambda given: [*given, "-m", "gP[1]"], "there is no measure 'gP'"),
        (lambda given: [*given[:2], f"{given[2]}-absent"], "-absent"),
    ],
)
def test_impossible_comparisons_exit_2(files, capsys, change, said):
    assert main(["compare", *change(files), "--task", "focused"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_runs_without_a_common_topic_cannot_be_compared(files, tmp_path, capsys):
    paths = []
    for topic in ("1", "2"):
        path = tmp_path / f"{topic}.run"
        path.write_text(f"{topic} Q0 d 1 1.0 only{topic} 0 100\n", encoding="utf-8")
        paths.append(str(path))
    assert main(["compare", files[0], *paths, "--task", "focused"]) == 2
    assert "no judged topic in common" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value"),
    [("draws", "0"), ("draws", "1e3"), ("draws", "999999999"), ("seed", "-1")],
)
def test_draws_and_seed_are_whole_numbers_in_bounds(files, capsys, option, value):
    with pytest.raises(SystemExit) as caught:
        main(["compare", *files, f"--{option}={value}"])
    assert caught.value.code == 2
    assert f"{value!r} is not a whole number from" in capsys.readouterr().err


def test_another_seed_draws_other_resamples_and_is_printed(files, capsys):
    arguments = ["compare", *files[:3], "--task", "focused", "-m", "P[1]", "--format", "json"]
    drawn = []
    for seed in ("1", "2", "3"):
        assert main([*arguments, "--seed", seed, "--draws", "5000", "--test", "bootstrap"]) == 0
        said = told(capsys)
        assert (said["parameters"]["seed"], said["parameters"]["draws"]) == (int(seed), 5000)
        drawn.append(said["measures"]["P[1]"]["pairs"][0]["p"])
    assert max(drawn) - min(drawn) < 0.02


def test_runs_of_different_tasks_cannot_be_compared(files, tmp_path, capsys):
    paths = []
    for task in ("Focused", "BestInContext"):
        path = tmp_path / f"{task}.xml"
        path.write_text(
            f'<inex-submission run-id="{task}" task="{task}"><topic topic-id="1"><result><file>d</file>'
            '<fol offset="0" length="9"/></result></topic></inex-submission>',
            encoding="utf-8",
        )
        paths.append(str(path))
    assert main(["compare", files[0], *paths]) == 2
    assert "runs of different tasks cannot be compared: best-in-context, focused" in capsys.readouterr().err


@pytest.fixture
def documents(tmp_path):
    """Write qrels and two runs whose AP are 1/rank of the one relevant document."""
    (tmp_path / "q").write_text("".join(f"{topic} 0 d 1\n" for topic in range(1, 7)))
    ranks = {"even": [2, 2, 2, 2, 2, 2], "uneven": [1, 1, 1, 1, 1, 40]}
    for name, own in ranks.items():
        lines = [
            f"{topic} Q0 {'d' if at == rank else f'x{at}'} {at} {99 - at} {name}\n"
            for topic, rank in enumerate(own, 1)
            for at in range(1, rank + 1)
        ]
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("q", *ranks)]


def test_ranked_documents_are_compared_by_average_precision(documents, capsys):
    assert main(["compare", *documents, "--format", "json"]) == 0
    assert list(told(capsys)["measures"]) == ["MAP"]


def test_the_first_measure_asked_for_chooses_the_best_of_a_group(documents, capsys):
    qrels, even, uneven = documents  # MAP .5 and .854, GMAP .5 and .541, R@2 1 and .833
    grouped = ["--best-of", "e", "--format", "json"]
    for measures, best in ((["R@2", "MAP"], "even"), (["MAP", "R@2"], "uneven"), ([], "uneven")):
        asked = [word for name in measures for word in ("-m", name)]
        assert main(["eval", qrels, even, uneven, *asked, *grouped]) == 0
        assert [run["id"] for run in told(capsys)["runs"]] == [best]


def test_geometric_means_are_compared_as_such(documents, capsys):
    arguments = ["compare", *documents, "-m", "MAP", "-m", "GMAP", "--stability"]
    assert main([*arguments, "--format", "json"]) == 0
    measured = told(capsys)["measures"]
    precision = {"even": np.full(6, 1 / 2), "uneven": np.array([1, 1, 1, 1, 1, 1 / 40])}
    geometric = [math.exp(np.log(own).mean()) for own in precision.values()]
    assert measured["MAP"]["means"] == pytest.approx([own.mean() for own in precision.values()])
    assert measured["GMAP"]["means"] == pytest.approx(geometric)
    (pair,) = measured["GMAP"]["pairs"]
    assert pair["difference"] == pytest.approx(geometric[1] - geometric[0])
    logarithms = [np.log(precision["uneven"]) - np.log(precision["even"])]
    assert pair["p"] == significance.randomisation(logarithms).p[0]
    assert pair["low"] < pair["difference"] < pair["high"]
    assert measured["GMAP"]["stability"]["pairs_in_bin"] != measured["MAP"]["stability"]["pairs_in_bin"]


def test_scatter_and_stability_are_files_with_the_figures_that_are_printed(files, tmp_path, qapp, capsys):
    asked = ["compare", *files, "--task", "focused", "-m", "P[1]", "-m", "thorough:MAiP", "--format", "json"]
    for suffix in (".csv", ".svg", ".tex"):
        drawn = ["--scatter", str(tmp_path / f"scatter{suffix}")]
        drawn += ["--stability-chart", str(tmp_path / f"halves{suffix}")]
        assert main([*asked, *drawn]) == 0
        said = told(capsys)
    means = {
        (run["id"], name): own["means"][at]
        for name, own in said["measures"].items()
        for at, run in enumerate(said["runs"])
    }
    with (tmp_path / "scatter.csv").open() as file:
        assert {(row["run"], row["measure"]): float(row["value"]) for row in csv.DictReader(file)} == means
    with (tmp_path / "halves.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == "P[1]"]
    stable = said["measures"]["P[1]"]["stability"]
    assert [float(row["share"]) for row in rows] == stable["swapped"]
    alike = said["orderings"][0]["tau_b"]
    drawing = (tmp_path / "scatter.svg").read_text()
    assert "thorough:MAiP over P[1]" in drawing
    assert f"τ = {alike:.3f}" in drawing
    assert f"{stable['swapped'][-1]:.4f}" in (tmp_path / "halves.tex").read_text()


@pytest.mark.parametrize(
    ("drawn", "problem"),
    [(["--scatter", "s.svg"], "two measures"), (["--stability-chart", "s.doc"], "saved as .png, .svg")],
)
def test_impossible_charts_are_reported(files, drawn, problem, capsys):
    try:
        status = main(["compare", *files, "--task", "focused", *drawn])
    except SystemExit as error:
        status = error.code
    assert status == 2
    assert problem in capsys.readouterr().err


def test_a_task_that_the_preset_lacks_is_compared_by_its_own(files, capsys):
    asked = ["compare", *files, "--task", "focused", "--preset", "inex2009", "--format", "json"]
    assert main([*asked, "-m", "MAiP", "-m", "documents:MAP"]) == 0
    assert list(told(capsys)["measures"]) == ["MAiP", "documents:MAP"]


def test_whose_judgements_are_scored_by_as_eval_does(tmp_path, capsys):
    sample = resource("sample")
    first, second = sample / "judgements.txt", tmp_path / "second.txt"
    half = [line for at, line in enumerate(first.read_text().splitlines()) if at % 2 or ":" not in line]
    second.write_text("\n".join(half) + "\n")
    runs = [str(sample / "runs" / f"{name}.txt") for name in ("LM-passages", "BM25-sections")]
    rest = [*runs, "--task", "relevant-in-context", "-m", "MAgP", "-m", "gP@5", "--format", "json"]
    files = {"A": first, "B": second}
    for how in ("union", "intersection"):
        files[how] = tmp_path / f"{how}.txt"
        assert main(["agree", str(first), str(second), f"--{how}", str(files[how])]) == 0
    capsys.readouterr()
    assert main(["compare", str(first), *rest, "--second", str(second)]) == 0
    told = json.loads(capsys.readouterr().out)
    for by, path in files.items():
        assert main(["eval", str(path), *rest]) == 0
        scored = json.loads(capsys.readouterr().out)["runs"]
        for measure, own in told.items():
            assert [one[by] for one in own["runs"]] == [one["mean"][measure] for one in scored]
            alike = [kendall_tau([one["A"] for one in own["runs"]], [one[by] for one in own["runs"]])]
            assert by == "A" or [own["tau"][by]] == alike
    read = [inexview.read_run(path) for path in runs]
    both = inexview.judged_by(inexview.read_qrels(first), inexview.read_qrels(second))
    scores = [inexview.evaluate(own, read, task="relevant-in-context").runs for own in both.values()]
    means = inexview.means_by_judgements(scores, "MAgP")
    assert [list(one.values())[2:] for one in told["MAgP"]["runs"]] == means.tolist()
    assert inexview.orders_alike(means) == told["MAgP"]["tau"]
    assert main(["compare", str(first), *rest[:-2], "--second", str(second)]) == 0
    assert "τ with A" in capsys.readouterr().out
    assert main(["compare", str(first), *rest, "--second", str(second), "--stability"]) == 2


def test_a_mean_over_fewer_topics_is_not_the_best_and_carries_their_number(files, tmp_path, capsys):
    short = tmp_path / "short.run"
    short.write_text("".join(f"{topic} Q0 d 1 1.0 short 0 100\n" for topic in TOPICS[:3]), encoding="utf-8")
    asked = ["eval", *files, str(short), "--task", "focused", "-m", "P[1]", "--format"]
    assert main([*asked, "latex"]) == 0
    out = capsys.readouterr().out
    assert r"short & 1.0000 {\small (3)} \\" in out
    assert r"good & \textbf{0.8258} \\" in out
    assert main([*asked, "csv"]) == 0
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert {name: row["topics"] for name, row in rows.items()} == {
        "good": "12", "fair": "12", "poor": "12", "short": "3"}  # fmt: skip
    assert main(["compare", *files, str(short), "--task", "focused", "-m", "P[1]", "--format", "latex"]) == 0
    out = capsys.readouterr().out
    assert r"good & \textbf{0.8258} & " in out
    assert r"short & 1.0000 {\small (3)} & " in out


def test_a_bad_run_is_named_and_the_others_are_compared(files, tmp_path, capsys):
    asked = ["--task", "focused", "-m", "P[1]"]
    assert main(["compare", *files, *asked]) == 0
    alone = capsys.readouterr().out
    bad = tmp_path / "bad.run"
    bad.write_text("1 Q0 d 1 1.0 bad 0 100\n1 Q0 d 2 0.9 bad x 100\n", encoding="utf-8")
    assert main(["compare", *files, str(bad), *asked]) == 1
    out, err = capsys.readouterr()
    assert out == alone
    assert f"{bad}:2: " in err
    assert main(["compare", files[0], files[1], str(bad), *asked]) == 2
    assert "only one run could be scored: there is nothing to compare" in capsys.readouterr().err


def test_a_baseline_is_named_by_its_id_or_file_and_is_its_own_family(files, capsys):
    asked = ["compare", *files, "--task", "focused", "-m", "P[1]"]
    printed = []
    for name in ("fair", files[2], "fair.run"):
        assert main([*asked, "--baseline", name]) == 0
        printed.append(capsys.readouterr().out)
    assert len({*printed}) == 1
    assert "after Holm’s correction for the 2 comparisons with fair" in printed[0]
    assert re.search(r"^good +0.8258 +\+0.0783†$", printed[0], re.MULTILINE)
    assert main([*asked, "--baseline", "none"]) == 2
    assert (
        "--baseline 'none' is not one of the scored runs; there are good, fair, poor"
        in capsys.readouterr().err
    )


def test_the_best_of_a_group_is_not_the_one_with_few_topics(files, tmp_path, capsys):
    short = tmp_path / "short.run"
    short.write_text("1 Q0 d 1 1.0 goods 0 100\n", encoding="utf-8")
    asked = ["--task", "focused", "-m", "P[1]", "--format", "json", "--best-of", "^g"]
    assert main(["eval", files[0], str(short), files[1], *asked]) == 0
    assert [run["id"] for run in told(capsys)["runs"]] == ["good"]


def test_a_group_that_is_no_expression_is_refused_with_a_sentence(documents, capsys):
    for pattern in ("(", "a{4294967296}"):
        assert main(["eval", *documents, "--best-of", pattern]) == 2
        assert f"--best-of {pattern!r}: " in capsys.readouterr().err


def test_a_chart_names_measures_as_they_were_asked_for(tmp_path, capsys):
    sample = resource("sample")
    runs = [str(sample / "runs" / f"{name}.txt") for name in ("LM-passages", "BM25-sections")]
    asked = [
        str(sample / "judgements.txt"),
        *runs,
        "--task",
        "relevant-in-context",
        "-m",
        "gP@5",
        "-m",
        "MAgP",
    ]
    charts = ["--scatter", str(tmp_path / "two.csv"), "--stability-chart", str(tmp_path / "halves.csv")]
    assert main(["compare", *asked, charts[0], charts[1]]) == 0
    assert main(["compare", *asked[:-2], charts[2], charts[3]]) == 0
    capsys.readouterr()
    assert main(["eval", *asked, "--format", "csv"]) == 0
    printed = {line["measure"] for line in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert printed == {"gP@5", "MAgP"}
    for name, expected in (("two", printed), ("halves", {"gP@5"})):
        lines = csv.DictReader((tmp_path / f"{name}.csv").read_text().splitlines())
        assert {line["measure"] for line in lines} == expected
