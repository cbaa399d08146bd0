"""INEX's own evaluation tool and `inexview eval` print the same, to 1e-12 and every count exactly."""

import csv
import json
from pathlib import Path

import pytest

from inexview.cli import main

VECTORS = Path(__file__).parents[2] / "data" / "vectors"
TASKS = {"-f": "focused", "-r": "relevant-in-context", "-b": "best-in-context"}
COUNTS = ("num_ret", "num_rel", "num_rel_ret", "ret_size", "rel_size", "rel_ret_size")


def answers():
    for folder in ("small", "mid"):
        for command, wanted in answers_in(VECTORS / folder):
            yield pytest.param(folder, command, wanted, id=f"{folder}: {command}")


def answers_in(folder):
    return json.loads((folder / "expected.json").read_text()).items()


def our_arguments(folder, command):
    """The options of INEX's tool as ours."""
    run, task, *options = command.split()
    arguments = ["eval", str(VECTORS / folder / "qrels.txt"), str(VECTORS / folder / run)]
    arguments += ["--task", TASKS[task]]
    return arguments + [{"-c": "--complete", "-beta": "--beta", "-n": "--n"}.get(o, o) for o in options]


@pytest.mark.parametrize(("folder", "command", "wanted"), list(answers()))
def test_every_measure_and_count_is_that_of_the_official_tool(folder, command, wanted, capsys, tmp_path):
    curve_file = tmp_path / "curve.csv"
    status = main([*our_arguments(folder, command), "--format", "json", "--curve", str(curve_file)])
    assert status == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    with curve_file.open() as file:
        curve = {row["recall"]: float(row["precision"]) for row in csv.DictReader(file)}

    assert set(run["topics"]) == set(wanted) - {"all"}
    for topic, measures in wanted.items():
        ours = run["mean"] if topic == "all" else run["topics"][topic]
        counted = run["counts"] if topic == "all" else run["counts"]["topics"][topic]
        for name, value in measures.items():
            if name.startswith("ircl_prn."):
                assert curve[name.removeprefix("ircl_prn.")] == pytest.approx(value, rel=0, abs=1e-12)
            elif name in COUNTS or name == "num_q":
                assert counted[name] == value, f"{name} of {topic}"
            else:
                assert ours[name] == pytest.approx(value, rel=0, abs=1e-12), f"{name} of {topic}"


REAL = {
    "-f": ("focused",),
    "-t": ("thorough",),
    "-r": ("relevant-in-context", "--score", "F"),
    "-i": ("relevant-in-context", "--score", "T2I"),
    "-b": ("best-in-context",),
}
REAL_OPTIONS = {"-c": "--complete", "-beta": "--beta", "-n": "--n", "-irr": "--tolerance"}


@pytest.mark.shared
def test_every_measure_on_real_judgements_is_that_of_the_official_tool_3_1(shared, capsys, tmp_path):
    folder, curve_file = shared / "vectors" / "real", tmp_path / "curve.csv"
    compared = 0
    for command, wanted in answers_in(folder):
        run, task, *options = command.split()
        given = ["eval", str(folder / "qrels.txt"), str(folder / run), "--preset", "inex2010", "--overwrite"]
        given += ["--task", *REAL[task], *(REAL_OPTIONS.get(option, option) for option in options)]
        assert main([*given, "--format", "json", "--per-topic", "--curve", str(curve_file)]) == 0
        (ours,) = json.loads(capsys.readouterr().out)["runs"]
        with curve_file.open() as file:
            curves = {(row["topic"], row["recall"]): float(row["precision"]) for row in csv.DictReader(file)}
        for topic, measures in wanted.items():
            own = ours["mean"] if topic == "all" else ours["topics"][topic]
            counted = ours["counts"] if topic == "all" else {"num_q": 1, **ours["counts"]["topics"][topic]}
            for name, value in measures.items():
                if name in COUNTS or name == "num_q":
                    assert counted[name] == value, f"{command}: {name} of {topic}"
                    continue
                level = name.removeprefix("ircl_prn.")
                found = curves[topic, level] if level != name else own[name]
                assert found == pytest.approx(value, rel=0, abs=1e-12), f"{command}: {name} of {topic}"
                compared += 1
    assert compared > 3600


@pytest.mark.shared
def test_the_real_judgements_of_both_years_are_read_with_the_right_warnings(shared, capsys):
    """Of 120 topics; one line has a passage of length 0, and the run knows 20 of the topics."""
    qrels = shared / "data" / "inex" / "fol-qrels-2009-2010-real.txt"
    run = shared / "vectors" / "real" / "run.focused.txt"
    given = ["eval", str(qrels), str(run), "--preset", "inex2010", "--task", "focused"]
    assert main([*given, "--format", "json"]) == 0
    said = capsys.readouterr()
    told = [line.removeprefix("inexview: warning: ") for line in said.err.splitlines()]
    assert told[0] == f"{qrels}:5767: a passage of length 0: ignored"
    assert told[1].startswith(f"{run}: no result for 100 of 120 judged topics")
    assert len(told) == 2
    scored = json.loads(said.out)["runs"][0]
    assert len(scored["topics"]) == 20
    assert scored["counts"]["num_rel"] == 10329
