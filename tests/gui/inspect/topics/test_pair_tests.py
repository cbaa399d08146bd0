"""What the window says of a difference is what ``inexview compare`` prints of the same runs."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from inexview.cli import main
from inexview.core.evaluation.comparisons.comparison import compare
from inexview.core.evaluation.comparisons.significance import written_p
from inexview.core.formats.tables.fol_qrels import write_fol_qrels
from inexview.core.judgements.runs import Task
from inexview.core.judgements.topics import Topic
from inexview.core.project.exchange.sample import create_sample_project, sample_runs
from inexview.core.project.project import Project
from inexview.gui.inspect.figures.figures import difference_text
from inexview.gui.inspect.scoring.scoring_choice import ScoringChoice
from inexview.gui.inspect.topics.pair_panel import GIVEN_UP, NO_TOPIC
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
    return path, sample_runs(path)


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
        compared = 0
        for pair in printed:
            better, worse = board.runs[pair["better"]], board.runs[pair["worse"]]
            board.compare_with(worse)
            shown = board.pairs.differences()[id(better)]
            assert shown.mean == pair["difference"]
            assert shown.interval == (pair["low"], pair["high"])
            assert (shown.pair.p, shown.pair.p_holm) == (pair["p"], pair["p_holm"])
            mark = "†" if pair["p_holm"] < 0.05 else "(†)" if pair["p"] < 0.05 else ""
            row = next(row for row in window.inspect.runs.list.model.rows if row.name == better.id)
            assert (shown.mark, row.mark) == (mark, mark)
            board.compare_with(better)
            turned = board.pairs.differences()[id(worse)]
            assert turned.interval == (-pair["high"], -pair["low"])
            assert (turned.mean, turned.mark) == (-pair["difference"], mark)
            compared += 1
        assert compared == len(printed)
        last = printed[-1]
        better, worse = board.runs[last["better"]], board.runs[last["worse"]]
        window.session.select_run(better)
        board.compare_with(worse)
        facts = window.inspect.stage.pair.facts
        assert facts["p"].said == (
            f"{written_p(last['p'])}   paired randomisation\n"
            f"{written_p(last['p_holm'])}   Holm, all pairs of the runs"
        )
        low, high = difference_text(last["low"], 4), difference_text(last["high"], 4)
        assert facts["95 % CI"].said == f"{low} to {high}   BCa"
        assert window.inspect.stage.pair.interval.isVisibleTo(window)


def test_some_of_the_made_runs_differ_and_some_do_not(qapp, qtbot: QtBot, tmp_path):
    path, runs = made_campaign(tmp_path)
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs, Task.FOCUSED)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        assert {one.mark for one in board.pairs.of_best(4).values()} >= {"†", ""}
        panel, pairs = window.inspect.stage.pair, len(runs) * (len(runs) - 1) // 2
        found = next(iter(board.pairs.of_best(4).values()))
        said = {
            (0.01, 0.02): "Shown to differ, also among all pairs of the runs.",
            (0.01, 0.07): f"Alone, this difference would count as shown; as one of {pairs} pairs it does",
            (0.06, 0.07): "Not shown to differ, which is not the same as equal.",
        }
        for (p, p_holm), verdict in said.items():
            one = replace(found, pair=replace(found.pair, p=p, p_holm=p_holm))
            assert panel._verdict(one).startswith(verdict)


def test_tests_that_are_given_up_are_made_when_the_measure_is_chosen_again(
    qapp, qtbot: QtBot, tmp_path, monkeypatch
):
    path, runs = made_campaign(tmp_path)
    with shown_window(qapp, path) as window:
        board, verdict = inspected(window, qtbot, runs, Task.FOCUSED), window.inspect.stage.pair.verdict
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        first, second, *_ = board.figures.measures

        def choose(measure):
            board.choose(board.choice.show(Task.FOCUSED, (measure, *{first, second} - {measure})))

        begun, go_on = [], Event()

        def slow(runs, measure, testing, *, topics, progress):
            go_on.wait()
            return compare(runs, measure, testing, topics=topics, progress=progress)

        monkeypatch.setattr("inexview.gui.inspect.scoring.pair_tests.compare", slow)
        monkeypatch.setattr("inexview.gui.inspect.scoring.pair_tests.LONG", 6)
        window.tasks.begun.connect(lambda task: begun.extend([task] * task.what.startswith("Testing")))
        choose(second)
        qtbot.waitUntil(lambda: bool(begun))
        assert begun[0].what == "Testing 6 pairs of runs"
        assert verdict.text() == "Testing…"
        begun[0].give_up()
        go_on.set()
        qtbot.waitUntil(lambda: verdict.text() == GIVEN_UP)
        assert {row.mark for row in window.inspect.runs.list.model.rows} == {""}
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
        assert window.inspect.stage.pair.verdict.text() == NO_TOPIC
        assert [row.mark for row in window.inspect.runs.list.model.rows] == ["", ""]


def test_one_common_topic_is_one_and_leaves_none_to_leave_out(qapp, qtbot: QtBot, tmp_path):
    path, runs = made_campaign(tmp_path)
    for run in runs[:2]:
        run.write_text("".join(run.read_text().splitlines(keepends=True)[:1]))
    with shown_window(qapp, path) as window:
        board = inspected(window, qtbot, runs[:2], Task.FOCUSED)
        qtbot.waitUntil(lambda: all(one.tested for one in board.pairs.differences().values()))
        pair = window.inspect.stage.pair
        assert pair.facts["n"].said == "1 topic   that all runs have"
        assert pair.facts["95 % CI"].said == "–   BCa"
        assert pair.minus.isVisible()
        assert not pair.interval.isVisible(), "there is none to draw"
        assert pair.verdict.text().endswith(" 1 topic: too few for any test to say much.")
        assert not pair._without.isVisible()
