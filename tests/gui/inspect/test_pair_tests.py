"""What the window says of a difference is what ``inexview compare`` prints of the same runs."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from inexview.cli import main
from inexview.core.evaluation import testing as ways
from inexview.core.evaluation.comparison import compare, interval_text, side_by_side
from inexview.core.evaluation.significance import Correction, written_p
from inexview.core.formats.passage_lines import write_fol_qrels
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.open_runs.scoring import ScoringChoice
from inexview.core.project.project import Project
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.core.report import difference_text, separated
from inexview.gui.inspect.charts import pairs_table
from inexview.gui.inspect.topics import GIVEN_UP, NO_TOPIC
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import shown_window

TOPICS = [str(topic) for topic in range(1, 21)]
NOISE = {"near": 6, "middle": 12, "far": 40, "other": 13}
WORDS = "A lamp burns oil all night and in the morning it is empty again. " * 3


def made_campaign(folder):
    """Write a project of 20 judged topics in one article and four runs that miss them by more and more."""
    drawn = random.Random(8)
    articles = folder / "articles"
    articles.mkdir()
    (articles / "d.xml").write_text(f"<article><p>{WORDS}</p></article>")
    begins = {topic: drawn.randrange(50, 90) for topic in TOPICS}
    path = folder / "made.inexview"
    topics = [Topic(topic, f"topic {topic}") for topic in TOPICS]
    with Project.create(path, collection=articles, topics=topics, assessor="ada") as project:
        for topic, begin in begins.items():
            project.mark(topic, "d", begin, begin + 40)
            project.set_bep(topic, "d", begin)
            project.finish(topic, "d")
    runs = []
    for name, noise in NOISE.items():
        lines = [f"{t} Q0 d 1 1 {name} {at + drawn.randint(-noise, noise)} 40\n" for t, at in begins.items()]
        runs.append(folder / f"{name}.txt")
        runs[-1].write_text("".join(lines))
    return path, runs


def sample_campaign(folder):
    """Copy the sample and its runs."""
    path = create_sample_project(folder / "sample.inexview")
    return path, sample_runs(path)[:2]


def inspected(window, qtbot, runs, task):
    window.inspect.board.choose(ScoringChoice(task=task))
    window.files.open_runs(runs)
    qtbot.waitUntil(lambda: len(window.session.runs) == len(runs))
    window.set_mode(Mode.INSPECT)
    board = window.inspect.board
    qtbot.waitUntil(lambda: len(board.figures.scores) == len(runs) and not board.stale)
    return board


@pytest.mark.parametrize(
    ("campaign", "task"), [(made_campaign, Task.FOCUSED), (sample_campaign, Task.RELEVANT_IN_CONTEXT)]
)
def test_p_interval_and_mark_are_those_that_compare_prints(
    campaign, task, qapp, qtbot: QtBot, tmp_path, capsys
):
    path, runs = campaign(tmp_path)
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs, task)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        qrels = tmp_path / "exported.txt"
        write_fol_qrels(board.qrels, qrels)
        measure, opened = board.figures.deciding, [str(run.path) for run in board.runs]
        asked = ["compare", str(qrels), *opened, "--task", task.value, "-m", measure, "--format", "json"]
        assert main(asked) == 0
        printed = json.loads(capsys.readouterr().out)["measures"][measure]["pairs"]
        assert len(printed) == len(opened) * (len(opened) - 1) / 2
        places, all_pairs = {run: at for at, run in enumerate(board.runs)}, board.pairs.of_best(9)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.of_best(9).values()))
        for found in board.pairs.of_best(9).values():
            (pair,) = [one for one in printed if {one["better"], one["worse"]} == {found.first, found.second}]
            assert (found.pair.p, found.pair.p_corrected) == (pair["p"], pair["p_corrected"])
        assert len(all_pairs) == len(printed)
        based = [*asked, "--baseline"]
        for baseline in list(board.runs):
            board.compare_with(baseline)
            qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
            assert main([*based, str(baseline.path)]) == 0
            pairs = json.loads(capsys.readouterr().out)["measures"][measure]["pairs"]
            assert len(pairs) == len(opened) - 1
            for pair in pairs:
                turned = pair["better"] == places[baseline]
                run = board.runs[pair["worse"] if turned else pair["better"]]
                shown, sign = board.pairs.differences()[run], -1 if turned else 1
                assert shown.mean == sign * pair["difference"]
                ends = [pair["low"], pair["high"]]
                assert [sign * end for end in shown.interval][::sign] == [
                    end if end is not None else math.inf * side
                    for end, side in zip(ends, (-1, 1), strict=True)
                ]
                assert (shown.pair.p, shown.pair.p_corrected) == (pair["p"], pair["p_corrected"])
                mark = "†" if pair["p_corrected"] < 0.05 else "(†)" if pair["p"] < 0.05 else ""
                row = next(row for row in window.inspect.runs.table.model().rows if row.name == run.id)
                assert (shown.mark, row.mark) == (mark, mark)
        last = pairs[-1]
        better, worse = board.runs[last["better"]], board.runs[last["worse"]]
        window.session.select_run(better)
        board.compare_with(worse)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        panel = window.inspect.pair
        facts, family = panel.facts, board.pairs.with_baseline().family
        corrected = board.pairs.of(better, worse).pair.p_corrected
        assert facts["p"].said == (
            f"{written_p(last['p'])}   paired randomisation\n{written_p(corrected)}   Holm, {family}"
        )
        low, high = board.pairs.of(better, worse).interval
        assert facts["95 % CI"].said == f"{interval_text(low, high)}   of the randomisation test"
        assert panel.interval.isVisibleTo(window) is (last["low"] is not None)


def test_some_of_the_made_runs_differ_and_some_do_not(qapp, qtbot: QtBot, tmp_path):
    path, runs = made_campaign(tmp_path)
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs, Task.FOCUSED)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.of_best(9).values()))
        assert {one.mark for one in board.pairs.of_best(9).values()} >= {"†", ""}
        panel = window.inspect.pair
        comparison = board.pairs.with_baseline()
        assert comparison.family == f"the 3 comparisons with {board.name(board.baseline)}"
        said = {
            (0.01, 0.02): f"Significant, also after the correction for {comparison.family}.",
            (0.01, 0.07): f"Significant alone, but not after the correction for {comparison.family}.",
            (0.06, 0.07): "No significant difference (this does not show that they are equal).",
        }
        for (p, corrected), verdict in said.items():
            columns = {"p": np.full(3, p), "p_corrected": np.full(3, corrected)}
            other = replace(comparison, pairs=comparison.pairs.with_columns(columns))
            first = next(at for at in range(4) if at != other.baseline)
            assert panel._verdict(other.difference(first, other.baseline)).startswith(verdict)


def test_another_test_is_chosen_in_the_panel_and_holds_for_every_view_and_the_next_window(
    qapp, qtbot: QtBot, tmp_path, capsys
):
    path, runs = made_campaign(tmp_path)
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs, Task.FOCUSED)
        panel = window.inspect.pair

        def choose(text):
            (action,) = [one for one in panel.testing.choices.actions() if one.text() == text]
            action.trigger()
            qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))

        choose("Wilcoxon’s signed ranks")
        choose("Benjamini–Hochberg’s correction")
        assert panel.testing.text() == "Wilcoxon’s signed ranks · BH ▾"
        qtbot.waitUntil(lambda: "Wilcoxon" in panel.facts["p"].said)
        assert "BH, the 3 comparisons with" in panel.facts["p"].said
        assert "Hodges–Lehmann" in panel.facts["95 % CI"].said
        qrels = tmp_path / "exported.txt"
        write_fol_qrels(board.qrels, qrels)
        asked = ["compare", str(qrels), *map(str, runs), "--task", "focused", "--format", "json"]
        asked += ["--test", "wilcoxon", "--correction", "bh", "--baseline", str(board.baseline.path)]
        assert main([*asked, "-m", board.figures.deciding]) == 0
        printed = json.loads(capsys.readouterr().out)["measures"][board.figures.deciding]["pairs"]
        shown = board.pairs.with_baseline().pairs
        assert [pair["p_corrected"] for pair in printed] == [pair.p_corrected for pair in shown]
    with shown_window(qapp, path) as window:
        assert window.inspect.board.choice.testing == ways.Testing(
            ways.PairTest.WILCOXON, correction=Correction.BH
        )


def test_cancelled_tests_run_when_the_measure_is_chosen_again(qapp, qtbot: QtBot, tmp_path, monkeypatch):
    path, runs = made_campaign(tmp_path)
    with shown_window(qapp, path) as window:
        board, verdict = inspected(window, qtbot, runs, Task.FOCUSED), window.inspect.pair.verdict
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        first, second, *_ = board.figures.measures

        def choose(measure):
            board.choose(board.choice.show(Task.FOCUSED, (measure, *{first, second} - {measure})))

        begun, go_on = [], Event()

        def slow(runs, measure, testing, **more):
            if len(runs) > 2:
                go_on.wait()
            return compare(runs, measure, testing, **more)

        monkeypatch.setattr("inexview.core.open_runs.scoring.compare", slow)
        monkeypatch.setattr("inexview.gui.inspect.run_scoring.LONG", 3)
        window.tasks.begun.connect(lambda task: begun.extend([task] * task.what.startswith("Testing")))
        choose(second)
        qtbot.waitUntil(lambda: bool(begun))
        assert begun[0].what == "Testing 3 pairs of runs"
        assert verdict.text() == "Testing…"
        begun[0].give_up()
        go_on.set()
        qtbot.waitUntil(lambda: verdict.text() == GIVEN_UP)
        assert {row.mark for row in window.inspect.runs.table.model().rows} == {""}
        choose(first)
        choose(second)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        assert verdict.text() != GIVEN_UP


def test_runs_without_a_common_topic_are_not_tested(qapp, qtbot: QtBot, tmp_path):
    path, runs = made_campaign(tmp_path)
    for at, run in enumerate(runs[:2]):
        lines = run.read_text().splitlines(keepends=True)
        run.write_text("".join(lines[10 * at : 10 * at + 10]))
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs[:2], Task.FOCUSED)
        assert board.pairs.differences() == {}
        assert window.inspect.pair.verdict.text() == NO_TOPIC
        assert [row.mark for row in window.inspect.runs.table.model().rows] == ["", ""]


def test_one_common_topic_is_one_and_leaves_none_to_leave_out(qapp, qtbot: QtBot, tmp_path):
    path, runs = made_campaign(tmp_path)
    for run in runs[:2]:
        run.write_text("".join(run.read_text().splitlines(keepends=True)[:1]))
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs[:2], Task.FOCUSED)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        pair = window.inspect.pair
        assert pair.facts["n"].said == "1 topic   that both runs have"
        assert pair.facts["95 % CI"].said == "−∞ … +∞   of the randomisation test"
        assert pair.facts["least Δ"].said == "none   smallest that could have been shown"
        assert pair.minus.isVisible()
        assert not pair.interval.isVisible(), "there is none to draw"
        assert "Only 1 topic: a difference may well be chance, whatever p says." in pair.verdict.text()
        assert not pair._without.isVisible()


def test_the_window_and_the_command_line_print_the_same_table_in_every_form(
    qapp, qtbot: QtBot, tmp_path, capsys
):
    path, runs = made_campaign(tmp_path)
    lines = runs[2].read_text().splitlines(keepends=True)
    runs[2].write_text("".join(lines[:15]))  # "far" lacks topics
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs, Task.FOCUSED)
        qtbot.waitUntil(lambda: len(board.pairs.of_best(9)) == 6)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.of_best(9).values()))
        assert board.pairs.comparison().counts.tolist().count(15) == 1
        rows = [row.name for row in window.inspect.runs.table.model().rows]
        assert rows[-1] == "far", "fewer topics, whatever the mean"
        assert board.baseline.id != "far"
        saved = pairs_table(board)()
        qrels = tmp_path / "exported.txt"
        write_fol_qrels(board.qrels, qrels)
        asked = ["compare", str(qrels), *(str(run.path) for run in board.runs), "--task", "focused"]
        asked += ["-m", board.figures.deciding, "--format"]

        def printed(form):
            assert main([*asked, form]) == 0
            return capsys.readouterr().out

        assert separated(saved.value_head, saved.values, ",") == printed("csv")
        text = printed("table")
        assert saved.text in text
        assert saved.below[0].text in text
        for form, found in (("latex", saved.latex), ("html", saved.html)):
            cells = [line for line in found.splitlines() if " & " in line or "<tr>" in line]
            assert len(cells) > 8
            out = printed(form).splitlines()
            assert all(any(line in one for one in out) for line in cells), form
        window.session.select_run(next(run for run in board.runs if run.id == "far"))
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        for row in window.inspect.runs.table.model().rows:
            if not row.baseline:
                assert main([*asked, "csv", "--baseline", str(board.baseline.path)]) == 0
                lines = csv.DictReader(io.StringIO(capsys.readouterr().out))
                (line,) = [one for one in lines if row.name in (one["better"], one["worse"])]
                sign = 1 if line["better"] == row.name else -1
                mark = (
                    "†" if float(line["p (corrected)"]) < 0.05 else "(†)" if float(line["p"]) < 0.05 else ""
                )
                assert (
                    row.compared.text + row.compared.mark
                    == f"{difference_text(sign * float(line['difference']), 4)}{mark}"
                )


def test_too_many_pairs_for_a_turn_are_there_once_they_are_tested(qapp, qtbot: QtBot, tmp_path, monkeypatch):
    """Those with the baseline are compared at once; the triangle of pairs comes with the tests."""
    at_once = []

    def watched(*given, **more):
        if more["baseline"] is None:
            at_once.append(len(given[0]))
        return side_by_side(*given, **more)

    monkeypatch.setattr("inexview.gui.inspect.run_scoring.MOST_AT_ONCE", 2)
    monkeypatch.setattr("inexview.gui.inspect.run_scoring.side_by_side", watched)
    path, runs = made_campaign(tmp_path)
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs, Task.FOCUSED)
        qtbot.waitUntil(lambda: board.pairs.comparison() is not None)
        qtbot.waitUntil(window.inspect.matrix.isVisible)
        assert all(one.tested for one in board.pairs.of_best(9).values())
        assert len(board.pairs.of_best(2)) == 1
        assert len(board.pairs.differences()) == len(runs) - 1
    assert max(at_once, default=0) < 3, "two runs without a topic, and never all runs"
