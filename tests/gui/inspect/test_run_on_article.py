"""A run over the article: lanes and what they read off, the legend, the steps from hit to hit."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.core.judgements.runs import UNKNOWN, Result, Run, Task
from inexview.core.text.spans import EMPTY, Spans
from inexview.gui.article.lanes import CHUNK_STEP, HEAD, LANE_STEP, heat_of, lane_at
from inexview.gui.article.margins import FLAG_ROOM
from inexview.gui.article.overlays import HEAT, Heat, Lane, Overlay
from inexview.gui.inspect.legend import Legend
from inexview.gui.inspect.run_on_article import MOST_LANES, PassageKind, RunResults, TextSteps
from inexview.gui.look.theme import run_color
from inexview.gui.services.settings import MOTION
from inexview.gui.services.tasks import BackgroundTask
from tests.gui.driving import key, place, text_area
from tests.gui.inspect.lamps import WORDS

some_spans = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda at: (at[0], sum(at))))


@given(st.lists(some_spans.map(Spans), min_size=1, max_size=5))
def test_the_heat_is_how_many_runs_hold_each_character(texts):
    heat = heat_of([Lane(str(at), at, spans) for at, spans in enumerate(texts)])
    there = np.zeros(60, int)
    for start, end, runs in zip(heat.edges[:-1], heat.edges[1:], heat.counts, strict=True):
        there[start:end] = runs
    assert there.tolist() == [sum(at in spans for spans in texts) for at in range(60)]
    assert heat.runs == len(texts)


@given(some_spans, st.integers(0, 40), st.integers(1, 3))
def test_the_best_result_with_a_character_is_found(spans, start, size):
    spans = [*spans, (UNKNOWN, UNKNOWN), (7, 7)]
    results = [Result("1", "d", rank, None, *span) for rank, span in enumerate(spans, 1)]
    behind = RunResults(Run.from_results(results), "1", "d", Lane("a", 0, Spans()))
    wanted = set(range(start, start + size))
    ranks = [
        one.rank
        for one in results
        if one.start != UNKNOWN and wanted & set(range(one.start, max(one.end, one.start + 1)))
    ]
    found = behind.at(start, start + size)
    assert (None if found is None else found.rank) == min(ranks, default=None)


@pytest.fixture
def opened(window, qtbot):
    """Look at the judged article of topic 2 with alpha in the foreground."""
    alpha = next(run for run in window.session.runs if run.id == "alpha")
    window.session.select_run(alpha)
    window.inspect.open_topic("2")
    qtbot.waitUntil(lambda: window.session.topic.id == "2")
    window.session.open_document("d1")
    qtbot.waitUntil(lambda: window.session.document_id == "d1")
    window.inspect.show_level(over_topics=False)
    return window


def point_at(window, lane, offset):
    gutter = window.article.gutter
    y = place(window.article, offset).y()
    x = gutter.width() - FLAG_ROOM - LANE_STEP * (lane + 0.5)
    for step in (0, 1):
        QTest.mouseMove(gutter, QPoint(round(x) + step, y))


def said(window):
    return window.article.strip.readout.full_text


def test_the_lanes_are_those_of_the_runs_that_are_open_and_compared(opened, qtbot, monkeypatch):
    monkeypatch.setattr("inexview.gui.inspect.run_on_article.MOST_LANES", 2)
    board, picker = opened.inspect.board, opened.inspect.picker
    others = [run for run in opened.session.runs if run.id != "alpha"]
    for other in sorted(others, key=lambda run: run is board.baseline):
        cell = picker.cell(opened.session.runs.index(other)).center().toPoint()
        QTest.mouseClick(picker, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, cell)
        assert board.baseline is other
        assert [lane.name for lane in opened.article.overlay.lanes] == ["alpha", other.id]
        assert opened.article.overlay.heat.runs == 3
    opened.session.close_run(others[0])
    assert [lane.name for lane in opened.article.overlay.lanes] == ["alpha", others[1].id]
    assert opened.article.overlay.heat is None, "there is room for every run"
    opened.session.close_run(others[1])
    assert not opened.article.overlay.lanes


def test_a_lane_describes_its_run_result_and_effect_on_the_measure(opened, qtbot):
    names = [lane.name for lane in opened.article.overlay.lanes]
    assert names == ["alpha", "beta", "gamma"]
    point_at(opened, 0, 5)
    qtbot.waitUntil(lambda: "without it" in said(opened))
    costs = opened.inspect.ranking.costs.known_of(opened.session.run, "2")
    told = said(opened).split("  ·  ")
    assert told[:6] == ["alpha", "rank 2", "score 1", "0:30", "size 30", "rsize 20"]
    assert told[6] == f"AgP {costs.results[2]:+.4f} without it".replace("-", "−")
    assert told[7] == f"“{WORDS[:30].strip()}”"
    assert told[8] == "article › p"
    assert not opened.article.strip.path.isVisible()
    point_at(opened, 1, 5)
    qtbot.waitUntil(lambda: said(opened).startswith("beta  ·  rank 2"))
    qtbot.waitUntil(lambda: "without it" in said(opened))
    QTest.mouseMove(opened.article.gutter, QPoint(3, 200))
    assert said(opened) == ""
    assert opened.article.strip.path.isVisible()
    viewport = place(opened.article, 4)
    area = opened.article.findChild(type(opened.article.gutter.parent()))
    QTest.mouseMove(area.viewport(), viewport)
    QTest.mouseMove(area.viewport(), viewport + QPoint(2, 0))
    assert said(opened).startswith("alpha  ·  rank 2")
    QTest.mouseMove(area.viewport(), place(opened.article, 55))
    assert said(opened) == ""


def test_the_legend_has_the_colour_of_the_run_in_the_foreground(opened, qtbot):
    legend, board = opened.inspect.on_article.legend, opened.inspect.board
    for run in opened.session.runs[:3]:
        opened.session.select_run(run)
        qtbot.waitUntil(lambda run=run: opened.article.overlay.style == board.style(run))
        image = legend.grab().toImage()
        seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
        colors = {run_color(legend.theme, style).name() for style in range(3)}
        assert seen & colors == {run_color(legend.theme, board.style(run)).name()}


def test_the_legend_is_a_line_of_its_own_under_the_text_while_one_inspects(opened, qtbot):
    legend, strip = opened.inspect.on_article.legend, opened.article.strip
    qtbot.waitUntil(lambda: "a run’s passage" in legend.shown())
    QTest.mouseMove(text_area(opened.article).viewport(), place(opened.article, 55))
    for size in ((1440, 900), (1280, 720), (1440, 900)):
        opened.resize(*size)
        low = size[1] < 800  # the text needs the height

        def beside(low=low):
            top = legend.mapTo(opened.article, QPoint()).y()
            return strip.y() == (top if low else top + legend.height())

        qtbot.waitUntil(beside)
        assert low or legend.height() == legend.sizeHint().height()
        assert strip.path.isVisible()
        point_at(opened, 0, 5)
        assert said(opened).startswith("alpha")
        assert legend.isVisible() is not low
        QTest.mouseMove(text_area(opened.article).viewport(), place(opened.article, 55))
        assert legend.isVisible()
    point_at(opened, 0, 5)
    opened.resize(1280, 720)
    opened.book["assess"].trigger()
    opened.grab()
    assert not legend.isVisible()
    assert not said(opened), "nothing of a run stays while one judges"


def test_the_description_is_completed_when_costs_are_computed(opened, qtbot, monkeypatch):
    costs, run = opened.inspect.ranking.costs, opened.session.run
    qtbot.waitUntil(lambda: costs.known_of(run, "2") is not None)
    costs._kept.clear()
    held = []

    def hold(work, done, **_how):
        held.append(BackgroundTask(work, done, pytest.fail))
        return held[-1]

    monkeypatch.setattr(costs._tasks, "run", hold)
    costs.ask(run, "2")  # as the list does; the pointer is quicker
    point_at(opened, 0, 5)
    assert "without it" not in said(opened)
    (task,) = held
    task.done(task.work())
    assert "without it" in said(opened)


def test_descriptions_are_not_kept_for_another_run_or_document(opened, qtbot):
    beta = next(run for run in opened.session.runs if run.id == "beta")
    for leave in (lambda: opened.session.select_run(beta), lambda: opened.session.open_document("nowhere")):
        point_at(opened, 0, 5)
        qtbot.waitUntil(lambda: "rank 2" in said(opened))
        leave()
        qtbot.waitUntil(lambda: not said(opened))


def test_of_more_than_eight_runs_the_pair_has_lanes_and_the_others_heat(opened, campaign, qtbot):
    base = opened.session.run
    for at in range(MOST_LANES):
        run = Run.from_results([Result("2", "d1", 1, 1.0, at, at + 10)], id=f"more{at}", task=base.task)
        opened.session.add_run(replace(run, path=campaign.with_name(f"more{at}.txt")))
    opened.session.select_run(base)
    qtbot.waitUntil(lambda: not opened.inspect.board.stale)
    opened.inspect.on_article.show()
    overlay = opened.article.overlay
    assert len(overlay.lanes) == 2
    assert overlay.heat.runs == len(opened.session.runs)
    right = opened.article.gutter.width() - FLAG_ROOM
    assert lane_at(right - 3, right, overlay) == HEAT
    assert lane_at(right - 18, right, overlay) == 0
    assert lane_at(right + 5, right, overlay) is None
    above = opened.article.gutter.grab(QRect(round(right), 0, round(FLAG_ROOM) - 1, round(HEAD))).toImage()
    colors = {above.pixel(x, y) for x in range(above.width()) for y in range(above.height())}
    assert len(colors) > 1  # “of 11”, the end of which is right of the lane
    y = place(opened.article, 5).y()
    for step in (0, 1):
        QTest.mouseMove(opened.article.gutter, QPoint(round(right) - 4 + step, y))
    assert said(opened).startswith("11 of 11 runs retrieved this  ·  alpha, beta, gamma, more0")


def test_each_step_tells_its_number_and_flashes_and_entry_points_are_gone_through(opened):
    article = opened.article
    article.place_caret(0)
    key(article, Qt.Key.Key_H)
    assert opened.inspect.stepped == "hit 1 of 1 · 20 characters"
    assert article.flash.isVisible()
    assert article.flash.span == (10, 30)
    assert article.flash.over.isActive()
    article.flash.stop()
    # where less motion is wanted it does not pass by itself, but with the caret
    opened._settings.set(MOTION, "reduced")
    article.place_caret(0)
    key(article, Qt.Key.Key_H)
    assert article.flash.isVisible()
    assert not article.flash.over.isActive()
    article.place_caret(5)
    assert not article.flash.isVisible()
    opened._settings.set(MOTION, "all")
    article.place_caret(10)
    key(article, Qt.Key.Key_H)
    assert opened.inspect.stepped == "this was the last hit of 1; once more for the first"
    assert not article.flash.isVisible()
    article.place_caret(5)
    key(article, Qt.Key.Key_P)
    assert opened.inspect.stepped == "entry point 2 of 2"
    assert article.caret == 10
    key(article, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    assert opened.inspect.stepped == "entry point 1 of 2"
    assert article.caret == 0


# The legend under the text in Inspect: what it says, and what gives way.

TEXT = ["hit", "missed", "false alarm", "BEP", "entry point of the run"]
MARGIN = ["a run’s passage", "by how many of 20 runs"]
LANE = Lane("alpha", 1, Spans([(0, 9)]))
LEGEND_HEAT = Heat(np.array([0, 9]), np.array([3]), 20)


@pytest.fixture
def legend(qtbot) -> Legend:
    made = Legend()
    qtbot.addWidget(made)
    made.resize(1000, made.sizeHint().height())
    made.show()
    return made


@pytest.mark.parametrize(
    ("bep", "entry", "said"),
    [
        (100, 30, "entry point, 70 before"),
        (100, 1910, "entry point, 1,810 after"),
        (100, 100, "entry point, at the BEP"),
        (100, None, "entry point of the run"),
        (None, 30, "entry point of the run"),
    ],
)
def test_it_says_how_far_the_entry_point_is(legend, bep, entry, said):
    legend.show_overlay(Overlay(bep=bep, entry=entry))
    assert said in legend.shown()
    assert said in legend.accessibleDescription()


def test_the_margin_is_explained_where_there_is_something_in_it(legend):
    legend.show_overlay(Overlay())
    assert legend.shown() == TEXT[:3]  # as no one set an entry point
    assert "entry point" not in legend.accessibleDescription()
    legend.show_overlay(Overlay(bep=9))
    assert legend.shown() == TEXT
    legend.show_overlay(Overlay(bep=9, lanes=(LANE,)))
    assert legend.shown() == [*TEXT, MARGIN[0]]
    legend.show_overlay(Overlay(bep=9, lanes=(LANE,), heat=LEGEND_HEAT))
    assert legend.shown() == [*TEXT, *MARGIN]
    legend.set_reading(True)
    assert legend.shown() == [*TEXT, "reader stops; faded: not read", *MARGIN]
    legend.show_overlay(Overlay(bep=9))
    legend.set_reading(False)
    assert legend.shown() == TEXT


def test_in_little_room_the_last_entries_give_way_and_the_tooltip_has_them(legend):
    legend.show_overlay(Overlay(bep=9, lanes=(LANE,), heat=LEGEND_HEAT))
    every, before = [*TEXT, *MARGIN], 99
    for width in range(900, 0, -20):
        legend.resize(width, legend.height())
        QApplication.processEvents()
        shown = legend.shown()
        assert shown == every[: len(shown)]
        assert len(shown) <= before
        assert bool(legend.toolTip()) == (len(shown) < len(every))
        before = len(shown)
    assert before == 0


def test_the_legend_of_the_margin_is_at_the_right_end(legend):
    legend.show_overlay(Overlay(lanes=(LANE,), heat=LEGEND_HEAT))
    for width in (900, 1000, 1400):
        legend.resize(width, legend.height())
        places = [place for _, place in legend._places()]
        assert width - 20 < places[-1].right() < width
        assert all(one.right() < other.left() for one, other in pairwise(places))


# Stepping through hits, misses and false alarms: which of how many, and never a silent wrap.

MISSES = Spans([(10, 20), (30, 42), (50, 51)])
spans = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)).map(lambda at: (at[0], sum(at)))).map(Spans)


def test_each_step_says_which_of_how_many_it_is():
    steps = TextSteps()
    assert steps.step(PassageKind.MISS, MISSES, 0, 1) == ((10, 20), "miss 1 of 3 · 10 characters")
    assert steps.step(PassageKind.MISS, MISSES, 10, 1) == ((30, 42), "miss 2 of 3 · 12 characters")
    assert steps.step(PassageKind.MISS, MISSES, 30, -1) == ((10, 20), "miss 1 of 3 · 10 characters")


def test_at_the_last_one_it_stays_and_says_so_and_only_then_begins_again():
    steps = TextSteps()
    assert steps.step(PassageKind.MISS, MISSES, 50, 1) == (
        None,
        "this was the last miss of 3; once more for the first",
    )
    target, said = steps.step(PassageKind.MISS, MISSES, 50, 1)
    assert (target, said) == ((10, 20), "miss 1 of 3 · 10 characters, from the other end")
    assert steps.step(PassageKind.MISS, MISSES, 10, -1)[0] is None
    assert steps.step(PassageKind.HIT, MISSES, 50, 1)[0] is None, "another kind begins by itself"


def test_the_absence_of_a_passage_is_reported():
    assert TextSteps().step(PassageKind.HIT, EMPTY, 0, 1) == (None, "no hit in this document")


@given(spans, spans)
def test_hits_misses_and_false_alarms_match_their_names(marks, retrieved):
    hits, misses, wrong = (
        kind.among(marks, retrieved) for kind in PassageKind if kind is not PassageKind.ENTRY_POINT
    )
    assert (hits | misses) == marks
    assert (hits | wrong) == retrieved
    assert not misses & wrong


@given(spans, st.integers(0, 70))
def test_all_are_come_by_going_on(passages, caret):
    steps, met = TextSteps(), []
    for _ in range(2 * len(passages) + 2):
        target, _said = steps.step(PassageKind.MISS, passages, caret, 1)
        if target is not None:
            caret = target[0]
            met.append(target)
    assert set(met) == set(passages)


def test_each_chunk_has_a_bar_with_its_rank_and_room_for_it(opened, qtbot):
    board, base = opened.inspect.board, opened.session.run
    board.choose(replace(board.choice, task=Task.CHUNKS, preset=None))
    qtbot.waitUntil(lambda: not board.stale)
    opened.inspect.on_article.show()
    overlay = opened.article.overlay
    (lane, *_) = overlay.lanes
    assert lane.chunks
    chunks = [one for one in base.passages("2", "d1") if one.end > one.start]
    assert {bar.rank for bar in lane.chunks} == {one.rank for one in chunks}
    right = opened.article.gutter.width() - FLAG_ROOM
    assert lane_at(right - CHUNK_STEP + 1, right, overlay) == 0
    assert overlay.entry is None
    assert "a chunk, with its rank" in opened.inspect.on_article.legend.shown()


def test_ctrl_c_copies_the_score_that_has_the_keyboard_and_not_the_text(opened, qtbot):
    row = opened.inspect.scores.rows.rows[0]
    qtbot.waitUntil(lambda: row.reading.ratio is not None)
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == row.exact
