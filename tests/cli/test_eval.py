"""`inexview eval`: what it prints, writes, says on stderr and returns."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest

from inexview.cli import main
from inexview.core.judgements.runs import Task

QRELS = "1 Q0 a 4 100 10 10:4\n1 Q0 b 0 50\n2 Q0 c 2 80 0 0:2\n"
RUN = "1 Q0 a 1 9 first 8 4\n1 Q0 z 2 8 first 0 5\n2 Q0 c 1 9 first 0 2\n3 Q0 a 1 1 first 0 1\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "run.txt").write_text(RUN)
    return tmp_path


def run_eval(capsys, *arguments):
    status = main(["eval", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_json_has_exactly_the_shape_that_was_promised(files, capsys):
    status, out, _ = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused", "--format", "json")
    said = json.loads(out)
    assert status == 0
    assert list(said) == ["preset", "parameters", "runs"]
    assert said["preset"] == "inex2007"
    assert {"beta": 1, "A": 0.1, "n": None}.items() <= said["parameters"].items()
    (run,) = said["runs"]
    assert list(run) == ["id", "file", "task", "topics", "mean", "counts"]
    assert (run["id"], run["file"], run["task"]) == ("first", "run.txt", "focused")
    names = [f"iP[{level}]" for level in ("0.00", "0.01", "0.05", "0.10")]
    assert [*names, "AiP", "AP"] == list(run["topics"]["1"])[:6]
    assert [*names, "MAiP", "MAP"] == list(run["mean"])[:6]
    assert run["topics"]["1"]["P[1]"] == 0.5
    assert run["mean"]["R[50]"] == 0.75
    counts = run["counts"]
    assert (counts["topics_judged"], counts["topics_in_run"], counts["num_q"], counts["topics_ignored"]) == (
        2,
        3,
        2,
        1,
    )
    assert (counts["num_ret"], counts["num_rel"], counts["num_rel_ret"], counts["unjudged"]) == (3, 2, 2, 1)
    assert (counts["ret_size"], counts["rel_size"], counts["rel_ret_size"]) == (11, 6, 4)
    assert counts["topics"]["2"]["ret_size"] == 2


def test_in_context_json_has_the_cutoffs_of_the_official_tool(files, capsys):
    _, out, _ = run_eval(capsys, "qrels.txt", "run.txt", "--task", "best-in-context", "--format", "json")
    measures = json.loads(out)["runs"][0]["topics"]["1"]
    assert list(measures) == [
        *(f"{name}[{rank}]" for name in ("gP", "gR") for rank in (1, 2, 3, 5, 10, 25, 50)),
        "AgP",
    ]


def test_the_table_shows_the_presets_measures_and_the_counts(files, capsys):
    _, out, _ = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused")
    heading, header, row, counts = out.splitlines()
    assert heading.startswith("focused, inex2007: β = 1, A = 0.1")
    assert header.split() == ["run", "iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]", "MAiP"]
    assert row.split()[:2] == ["first", "0.7500"]
    assert counts.startswith(
        "first: topics 2 judged, 3 in the run, 2 averaged; documents 3 retrieved (1 unjudged)"
    )


def test_per_topic_shows_every_topic_and_then_all(files, capsys):
    _, out, _ = run_eval(
        capsys, "qrels.txt", "run.txt", "--task", "focused", "--per-topic", "-m", "P@1", "-m", "AiP"
    )
    assert [line.split() for line in out.splitlines()[1:5]] == [
        ["run", "topic", "P@1", "MAiP"],
        ["first", "1", "0.5000", "0.2525"],
        ["first", "2", "1.0000", "1.0000"],
        ["first", "all", "0.7500", "0.6262"],
    ]


def test_json_states_one_preset_and_refuses_runs_that_were_scored_with_several(files, capsys):
    for task in ("Focused", "Thorough"):
        (files / f"{task}.xml").write_text(
            f'<inex-submission run-id="{task}" task="{task}"><topic topic-id="1"><result><file>a</file>'
            '<fol offset="8" length="4"/></result></topic></inex-submission>'
        )
    arguments = ("qrels.txt", "Focused.xml", "Thorough.xml", "--format", "json")
    status, out, err = run_eval(capsys, *arguments)
    assert (status, out) == (2, "")
    assert "Focused.xml is scored with preset inex2007 and Thorough.xml with inex2009" in err
    status, out, _ = run_eval(capsys, *arguments, "--preset", "inex2009")
    assert (status, json.loads(out)["preset"]) == (0, "inex2009")


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_csv_and_tsv_have_one_line_per_run_topic_and_measure(files, capsys, form, delimiter):
    arguments = (
        "qrels.txt",
        "run.txt",
        "--task",
        "focused",
        "--per-topic",
        "-m",
        "P@1",
        "-m",
        "AiP",
        "--format",
        form,
    )
    _, out, _ = run_eval(capsys, *arguments)
    rows = list(csv.DictReader(io.StringIO(out), delimiter=delimiter))
    assert [(row["run"], row["topic"], row["measure"]) for row in rows] == [
        ("first", "1", "P@1"),
        ("first", "1", "AiP"),
        ("first", "2", "P@1"),
        ("first", "2", "AiP"),
        ("first", "all", "P@1"),
        ("first", "all", "MAiP"),
    ]
    assert float(rows[4]["value"]) == 0.75
    assert {(row["preset"], row["parameters"]) for row in rows} == {("inex2007", "β = 1, A = 0.1, α = 1")}


def test_latex_escapes_what_latex_would_take_amiss(files, capsys):
    (files / "run.txt").write_text(RUN.replace("first", "50%_r&d"))
    _, out, _ = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused", "--format", "latex")
    assert r"50\%\_r\&d & 0.7500" in out
    assert out.rstrip().endswith(r"\end{table}")


def test_the_curve_is_written_for_the_mean_and_for_topics_when_asked(files, capsys):
    arguments = ("qrels.txt", "run.txt", "--task", "focused", "--curve", "curve.csv")
    run_eval(capsys, *arguments)
    rows = list(csv.DictReader(io.StringIO((files / "curve.csv").read_text())))
    assert [row["recall"] for row in rows] == [f"{level / 100:.2f}" for level in range(101)]
    assert {row["topic"] for row in rows} == {"all"}
    assert float(rows[0]["precision"]) == 0.75
    run_eval(capsys, *arguments, "--per-topic", "--overwrite")
    rows = list(csv.DictReader(io.StringIO((files / "curve.csv").read_text())))
    assert [row["topic"] for row in rows[::101]] == ["1", "2", "all"]
    status, _, err = run_eval(capsys, *arguments, "--overwrite", "-m", "char_prec")
    assert (status, (files / "curve.csv").read_text().count("\n")) == (0, 1)
    assert "curve.csv has only a header" in err


def test_the_curve_is_not_written_over_a_run(files, capsys):
    status, _, err = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused", "--curve", "./run.txt")
    assert (status, (files / "run.txt").read_text()) == (2, RUN)
    assert "is also an input file" in err


def test_topics_that_are_asked_for_and_not_judged_are_named_once(files, capsys):
    given = ["qrels.txt", "run.txt", "run.txt", "--task", "focused", "--topics", "1,77,x"]
    status, _, err = run_eval(capsys, *given)
    assert status == 0
    assert err.count("warning: qrels.txt: 2 topics of --topics not judged: 77, x\n") == 1


def test_errors_in_options_are_printed_once_for_all_runs(files, capsys):
    arguments = ("qrels.txt", "run.txt", "run.txt", "run.txt", "--task", "focused", "-m", "MAgP")
    status, _, err = run_eval(capsys, *arguments)
    assert status == 2
    assert err.count("there is no measure 'MAgP' for this task") == 1


def test_warnings_go_to_stderr_and_leave_the_status_alone(files, capsys):
    (files / "qrels.txt").write_text(QRELS + "4 Q0 d 9 80 0 0:2\n")
    status, out, err = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused", "--format", "json")
    assert status == 0
    json.loads(out)
    assert "qrels.txt:4: rsize is not the sum of the passages' lengths (9 and 2)" in err
    assert "run.txt: no result for 1 of 3 judged topics (4)" in err
    assert "run.txt: 1 topic was not judged (3): ignored" in err


def test_a_text_run_without_a_task_is_asked_for_one(files, capsys):
    status, out, err = run_eval(capsys, "qrels.txt", "run.txt")
    assert (status, out) == (2, "")
    assert err.startswith(
        "inexview: run.txt: the file does not declare the task of this run: give --task: it looks like "
        "relevant-in-context or focused or best-in-context; there are also restricted-focused, "
    )
    assert err.count("\n") == 1


def test_many_runs_without_a_task_are_asked_for_one_once(files, capsys):
    for name in "xyz":
        (files / f"{name}.txt").write_text((files / "run.txt").read_text())
    status, out, err = run_eval(capsys, "qrels.txt", "x.txt", "y.txt", "z.txt")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "x.txt and 2 more: the file does not declare" in err


@pytest.mark.parametrize("task", ["XYZ", "CO.Unheard"])
def test_a_task_that_is_not_known_is_refused_with_those_that_are(files, capsys, task):
    (files / "run.xml").write_text(
        f'<inex-submission run-id="r" task="{task}"><topic topic-id="1"><result><file>a</file>'
        '<fol offset="8" length="4"/></result></topic></inex-submission>'
    )
    assert run_eval(capsys, "qrels.txt", "run.xml") == (
        2,
        "",
        f"inexview: run.xml: the task {task!r} is not known: give --task, one of {', '.join(Task)}\n",
    )
    assert run_eval(capsys, "qrels.txt", "run.xml", "--task", "focused")[0] == 0


@pytest.mark.parametrize("task", ["XYZ", "CO.Unheard"])
def test_a_task_that_is_not_known_is_refused_for_elements_too(files, capsys, task):
    (files / "qrels.xml").write_text(
        '<assessments topic="1"><file name="a"><element path="/article[1]" exhaustivity="2" size="9" '
        'rsize="3"/></file></assessments>'
    )
    (files / "run.xml").write_text(
        f'<inex-submission run-id="r" task="{task}"><topic topic-id="1"><result><file>a</file>'
        "<path>/article[1]</path></result></topic></inex-submission>"
    )
    status, _, err = run_eval(capsys, "qrels.xml", "run.xml")
    assert status == 2
    assert f"the task {task!r} is not known: give --task" in err


def test_every_bad_run_is_named_and_the_others_are_scored(files, capsys):
    (files / "bad.txt").write_text("1 Q0 a 1 9 bad 8 12x\n")
    (files / "overlap.txt").write_text("1 Q0 a 1 9 o 8 4\n1 Q0 a 2 8 o 9 4\n")
    runs = ("bad.txt", "run.txt", "overlap.txt", "missing.txt")
    status, out, err = run_eval(capsys, "qrels.txt", *runs, "--task", "focused")
    alone = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused")
    assert (status, out) == (1, alone[1])
    assert "bad.txt:1: field 'length' = '12x': is not a whole number of characters" in err
    assert "overlap.txt:2: " in err
    assert "overlaps the result on line 1 (--overlap drop leaves it out)" in err
    assert "missing.txt: cannot be read" in err
    assert "Traceback" not in err
    status, out, err = run_eval(capsys, "qrels.txt", "bad.txt", "missing.txt", "--task", "focused")
    assert (status, out) == (2, "")


@pytest.mark.parametrize("overlap", ["drop", "allow"])
def test_overlap_is_dropped_or_allowed_when_asked(files, capsys, overlap):
    (files / "overlap.txt").write_text("1 Q0 a 1 9 o 8 4\n1 Q0 a 2 8 o 9 4\n")
    arguments = ("qrels.txt", "overlap.txt", "--task", "focused", "--format", "json", "--overlap", overlap)
    status, out, _ = run_eval(capsys, *arguments)
    assert status == 0
    assert json.loads(out)["runs"][0]["counts"]["ret_size"] == {"drop": 4, "allow": 5}[overlap]


def test_a_run_without_a_judged_topic_is_a_problem(files, capsys):
    (files / "run.txt").write_text("9 Q0 a 1 9 r 8 4\n")
    status, _, err = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused")
    assert status == 1
    assert "no topic of the run is judged: the run has '9', the judgements have" in err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-m", "AgP"), "there is no measure 'AgP' for this task"),
        (("-m", "iP[x"), "is not a measure"),
        (("--preset", "trec"), "preset trec has no task focused"),
        (("--beta", "nan"), "beta = nan: it must be a number"),
        (("--n", "0"), "n = 0: it must be a number from 1 to"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(files, capsys, options, sentence):
    status, out, err = run_eval(capsys, "qrels.txt", "run.txt", "--task", "focused", *options)
    assert (status, out) == (2, "")
    assert sentence in err


def test_no_progress_is_shown_where_there_is_no_terminal(files, capsys):
    _, _, err = run_eval(capsys, "qrels.txt", *["run.txt"] * 5, "--task", "focused")
    assert "\r" not in err


def test_it_imports_nothing_that_scoring_text_does_not_need(files):
    heavy = ("PySide6", "lxml", "nupunkt", "sqlite3", "scipy", "importlib.metadata", "inexview.gui")
    script = (
        "import sys; from inexview.cli import main; "
        "status = main(['eval', 'qrels.txt', 'run.txt', '--task', 'focused']); "
        f"sys.exit(status or any(name in sys.modules for name in {heavy}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=files, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[2].split()[0]) == (0, "first")


def test_the_measures_are_explained(capsys):
    assert main(["measures"]) == 0
    out = capsys.readouterr().out
    assert "AgP, mean MAgP: average generalised precision" in out
    assert "max { P[r] : R[r] ≥ x }" in out


def test_measures_explains_the_ones_that_are_named(capsys):
    assert main(["measures", "MAgP", "iP[0.01]"]) == 0
    out = capsys.readouterr().out
    assert out.count("Evaluation Measures") == 3  # of thorough too
    assert "iP[0.00]: interpolated precision at a level of recall" in out
    assert "AgP, mean MAgP: average generalised precision" in out
    for name in ("F@10", "iMAP", "clusterP@5"):  # HiXEval says what rval is, and names both readings
        assert main(["measures", name]) == 0
        said = capsys.readouterr().out
        assert "rval = rsize − α·(relevant characters in results above)" in said
        assert "once (seen = once), or once for each as in the paper (seen = each)" in said
    assert main(["measures", "MXgP"]) == 2
    assert "there is no measure 'MXgP': did you mean MAgP" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["json", "csv"])
def test_sharing_the_work_among_processes_or_threads_changes_nothing(files, capsys, form):
    runs = []
    for at in range(18):  # so many are shared by threads where there is one process
        (files / f"run{at}.txt").write_text(RUN.replace("first", f"r{at}").replace(" 8 4", f" {at % 9} 4"))
        runs.append(f"run{at}.txt")
    arguments = ("qrels.txt", *runs, "--task", "focused", "--format", form)
    alone = run_eval(capsys, *arguments, "--jobs", "1")
    assert run_eval(capsys, *arguments, "--jobs", "3") == alone
    assert alone[0] == 0


def test_a_bad_run_is_named_by_whichever_process_met_it(files, capsys):
    (files / "bad.txt").write_text("1 Q0 a 1 9 bad 8 12x\n1 Q0 a 1 9 bad 8 y\n")
    status, out, err = run_eval(capsys, "qrels.txt", "run.txt", "bad.txt", "--task", "focused", "--jobs", "2")
    assert status == 1
    assert "first" in out
    assert "bad.txt:1: field 'length' = '12x'" in err
    assert "bad.txt:2: field 'length' = 'y'" in err


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_no_process_cannot_share_the_work(files, capsys, jobs):
    with pytest.raises(SystemExit, match="2"):
        main(["eval", "qrels.txt", "run.txt", "--task", "focused", "--jobs", jobs])
    assert "--jobs" in capsys.readouterr().err


def test_recall_stays_below_1_and_allowed_overlap_is_reported(files, capsys):
    (files / "o.txt").write_text("1 Q0 a 1 9 o 8 9\n1 Q0 a 2 8 o 9 8\n1 Q0 a 3 7 o 8 9\n")
    allowed = (
        "qrels.txt",
        "o.txt",
        "--task",
        "focused",
        "--overlap",
        "allow",
        "-m",
        "R[5]",
        "-m",
        "char_rec",
    )
    status, out, err = run_eval(capsys, *allowed, "--format", "json")
    assert status == 0
    (run,) = json.loads(out)["runs"]
    assert run["mean"]["R[5]"] == run["mean"]["char_rec"] <= 1
    assert "o.txt: 2 results overlap earlier ones: each character counts once" in err
    assert run["counts"]["rel_ret_size"] <= run["counts"]["topics"]["1"]["rel_size"]


@pytest.mark.shared
def test_nested_elements_find_no_more_text_than_there_is(shared, capsys):
    cases = shared / "cases"
    asked = [str(cases / "articles-qrels.txt"), str(cases / "44-indri" / "run.xml")]
    assert main(["eval", *asked, "-C", str(cases / "articles")]) in (0, 1)
    out = capsys.readouterr().out
    assert re.search(r"characters \d+ retrieved, 54 relevant, 54 both", out)


@pytest.mark.shared
def test_a_mean_over_no_topic_is_a_dash_and_never_0(shared, capsys):
    case = shared / "cases" / "01-topic-suffix"
    asked = ["eval", str(case / "qrels.txt"), str(case / "run.txt")]
    assert main(asked) == 1
    out = capsys.readouterr().out
    assert "0.0000" not in out
    assert re.search(r"^runA( +–)+$", out, re.MULTILINE)
    assert main([*asked, "--format", "json"]) == 1
    assert set(json.loads(capsys.readouterr().out)["runs"][0]["mean"].values()) == {None}
    assert main([*asked, "--format", "latex"]) == 1
    assert "0.0000" not in capsys.readouterr().out


APART = "1 Q0 a 1 0.9 r 0 5\n1 Q0 b 2 0.8 r 0 4\n1 Q0 a 3 0.7 r 10 5\n"
TOGETHER = "1 Q0 a 1 0.9 r 0 5\n1 Q0 a 2 0.8 r 10 5\n1 Q0 b 3 0.7 r 0 4\n"


@pytest.mark.parametrize(
    ("command", "form"),
    [("eval", "table"), ("eval", "latex"), ("compare", "table"), ("compare", "latex"), ("compare", "html")],
)
def test_ordinary_rankings_are_gathered_for_tasks_in_context_and_every_table_says_so(
    tmp_path, capsys, command, form
):
    (tmp_path / "qrels.txt").write_text("1 Q0 a 5 100 10 10:5\n1 Q0 b 4 50 0 0:4\n", encoding="utf-8")
    for name, lines in (("apart", APART), ("together", TOGETHER)):
        (tmp_path / f"{name}.txt").write_text(lines.replace(" r ", f" {name} "), encoding="utf-8")
    files = [str(tmp_path / name) for name in ("qrels.txt", "apart.txt", "together.txt")]
    asked = [command, *files, "--task", "relevant-in-context", "-m", "gP[2]", "-m", "MAgP", "--format", form]
    assert main(asked) in (1, 2)
    assert "document a is not next to" in capsys.readouterr().err
    assert main([*asked, "--gather", "best-rank"]) == 0
    said = capsys.readouterr().out
    assert said.count("together at its best rank") >= 1
    if form == "table" and command == "eval":
        rows = {
            line.split()[0]: line.split()[1:]
            for line in said.splitlines()
            if line.startswith(("apart ", "together "))
        }
        assert rows["apart"] == rows["together"]
