"""Chunks over the text: their bars under the mouse, and what the line under the text tells of them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from inexview.gui.article.lanes import CHUNK_STEP, CHUNK_WIDTH, chunk_at, chunk_boxes
from inexview.gui.article.margins import FLAG_ROOM
from inexview.gui.article.text_area import Ruler
from tests.gui.driving import place, text_area
from tests.gui.inspect.questions import RUNS, inspected, run_of


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    with inspected(qapp, qtbot, tmp_path, [run_of(*run) for run in RUNS.items()]) as made:
        made.session.select_run(made.session.runs[0])
        qtbot.waitUntil(lambda: len(made.inspect.chunks.list.view.rows.rows) == 7)
        qtbot.waitUntil(lambda: bool(made.article.overlay.lanes) and bool(told(made)))
        yield made


def told(window):
    return window.article.strip.readout.full_text.replace("\N{NO-BREAK SPACE}", " ")


def bar(window, rank, lane=0):
    """Where the bar of a chunk is in the gutter."""
    overlay, lines = window.article.overlay, text_area(window.article).lines()
    right = window.article.gutter.width() - FLAG_ROOM - lane * CHUNK_STEP
    wide = CHUNK_WIDTH if overlay.lanes[lane].color == overlay.style else 6.0
    boxes = chunk_boxes(lines, overlay.lanes[lane].chunks, right, wide)
    return next(box for chunk, box in boxes if chunk.rank == rank)


def point(window, at):
    QTest.mouseMove(window.article.gutter, QPoint(1, 1))
    QTest.mouseMove(window.article.gutter, at.toPoint())


def test_the_chosen_chunk_is_described_without_hovering(window, qtbot):
    assert window.inspect.chunks.rank == 1
    assert told(window) == (
        "rank 1  ·  score 9.5  ·  400–800, 400 characters  ·  200 of them relevant, 50 %"
        "  ·  200 also in rank 3"
    )
    qtbot.keyClick(window, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: told(window).startswith("rank 2"))


def test_hovering_over_a_row_tells_of_its_chunk(window, qtbot):
    view = window.inspect.chunks.list.view
    for rank, expected in (
        (4, "rank 4  ·  score 7  ·  100 characters, not found in the text"),
        (5, "rank 5  ·  score 6  ·  0–100, 100 characters  ·  unjudged  ·  "),
        (6, "200–600, 400 characters  ·  300 of them relevant, 75 %  ·  200 also in rank 1"),
    ):
        QTest.mouseMove(view.viewport(), view.visualRect(view.rows.index(rank - 1)).center())
        qtbot.waitUntil(lambda expected=expected: expected in told(window))
    QTest.mouseMove(window.article.gutter, QPoint(1, 1))
    QTest.mouseMove(window, QPoint(700, 20))
    qtbot.waitUntil(lambda: told(window).startswith("rank 1 "))


def test_hovering_over_a_bar_tells_of_its_chunk_and_a_click_chooses_it(window, qtbot):
    window.article.reveal(300)
    for rank in (3, 1):
        point(window, bar(window, rank).center())
        qtbot.waitUntil(lambda rank=rank: told(window).startswith(f"rank {rank} "))
    at = bar(window, 3).center().toPoint()
    QTest.mouseClick(window.article.gutter, Qt.MouseButton.LeftButton, pos=at)
    assert window.inspect.chunks.rank == 3
    assert window.inspect.chunks.list.view.delegate.chosen == 3


def test_a_bar_of_the_baseline_tells_its_run_and_a_click_brings_it_forward(window, qtbot):
    window.article.reveal(300)
    at = bar(window, 1, lane=1).center()
    point(window, at)
    qtbot.waitUntil(lambda: told(window).startswith("small  ·  rank 1 "))
    QTest.mouseClick(window.article.gutter, Qt.MouseButton.LeftButton, pos=at.toPoint())
    qtbot.waitUntil(lambda: window.session.run.id == "small")
    qtbot.waitUntil(lambda: window.inspect.chunks.rank == 1)


def test_text_tells_of_the_best_chunk_that_holds_it(window, qtbot):
    area = text_area(window.article).viewport()
    QTest.mouseMove(area, place(window.article, 900))
    qtbot.waitUntil(lambda: told(window).startswith("rank 3 "))
    QTest.mouseMove(area, place(window.article, 310))
    qtbot.waitUntil(lambda: told(window).startswith("missed "))


def test_the_rank_next_to_a_bar_belongs_to_it_and_gaps_to_none(window, qtbot):
    window.article.reveal(300)
    overlay, lines = window.article.overlay, text_area(window.article).lines()
    right, box = window.article.gutter.width() - FLAG_ROOM, bar(window, 1)
    assert chunk_at(lines, overlay, 0, right, QPointF(right - CHUNK_STEP + 2, box.top() + 3)) == 1
    assert chunk_at(lines, overlay, 0, right, QPointF(right - 1, lines[0].top)) is None


def test_the_ruler_shows_where_the_chosen_chunk_lies(window, qtbot):
    ruler = window.article.findChild(Ruler)
    before = ruler.grab().toImage()
    window.inspect.chunks.choose(7)
    qtbot.waitUntil(lambda: window.article.overlay.chosen == (1200, 1600))
    heights = ruler._heights()
    image = ruler.grab().toImage()
    edge = image.width() - 2
    inside, outside = (int(heights.y(at)) for at in (1400, 2000))
    assert image.pixelColor(edge, inside) == ruler._theme.color("text")
    assert image.pixelColor(edge, outside) != ruler._theme.color("text")
    assert image != before
