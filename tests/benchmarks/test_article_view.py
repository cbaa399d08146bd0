"""How fast the article view opens, previews, overlays and scrolls, and what it holds in memory.

    python -m pytest tests/benchmarks/test_article_view.py --benchmark-only

Generated articles; half of the spans are marked and retrieved, so that hits, misses and false alarms occur.
Figures that are no duration of one call (longest stall, p99, memory) are in each benchmark's extra info.
"""

from __future__ import annotations

import functools
import gc
import random
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent

from inexview.core.article.document import Document
from inexview.core.measures.in_context import score_document
from inexview.core.text.spans import Spans
from inexview.gui.article.article_view import ArticleView
from inexview.gui.article.overlays import Overlay, Stroke
from inexview.gui.article.text_area import TextArea
from tests.benchmarks.generate import article
from tests.gui.driving import build_all
from tests.gui.furnished import long_table

SIZES = (44_000, 250_000, 2_000_000)
SPANS = (0, 50, 1500)
MOVES = 1000

pytestmark = pytest.mark.long


@functools.cache
def generated(size: int) -> Document:
    return Document.from_bytes(article(size), name=str(size))


def spans(length: int, count: int, seed: int) -> Spans:
    """Return about so many spans that cover half of a text."""
    chance = random.Random(seed)
    longest = max(2, length // max(1, count))
    return Spans(
        (start, min(length, start + chance.randint(1, longest)))
        for start in (chance.randrange(length) for _ in range(count))
    )


def overlay(length: int, count: int) -> Overlay:
    return Overlay(spans(length, count, 1), length // 3, spans(length, count, 2), length // 4)


@pytest.fixture
def view(qtbot) -> ArticleView:
    made = ArticleView()
    qtbot.addWidget(made)
    made.resize(900, 900)
    made.show()
    QCoreApplication.processEvents()
    return made


def build_whole(view: ArticleView, document: Document) -> TextArea:
    view.set_document(document)
    area = view.findChild(TextArea)
    build_all(area.builder)
    QCoreApplication.processEvents()
    return area


def milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 2)


def percentile(benchmark, share: float) -> float:
    """Return a percentile of the measured rounds, in milliseconds; 0 where nothing is timed."""
    return milliseconds(float(np.percentile(benchmark.stats.stats.data, share))) if benchmark.stats else 0.0


@pytest.mark.parametrize("size", SIZES)
def test_from_the_document_to_its_first_painting(benchmark, view, timed, size):
    document = generated(size)
    painted = []
    view.first_painted.connect(painted.append)

    def open_it() -> None:
        painted.clear()
        view.set_document(document)
        while not painted:
            QCoreApplication.processEvents()

    benchmark.pedantic(
        open_it, setup=lambda: view.set_document(None), rounds=10 if timed else 1, warmup_rounds=1
    )


def time_whole(benchmark, view, document, **how):
    """Time an article until all of it stands, and note how long the window was held up on the way."""
    stalls: list[float] = []

    def open_whole() -> None:
        began = time.perf_counter()
        view.set_document(document)
        builder = view.findChild(TextArea).builder
        while True:
            stalls.append(time.perf_counter() - began)
            if builder.complete:
                break
            began = time.perf_counter()
            QCoreApplication.processEvents()

    benchmark.pedantic(open_whole, **how)
    benchmark.extra_info["longest stall ms"] = milliseconds(max(stalls))
    benchmark.extra_info["p99 of event loop turns ms"] = milliseconds(float(np.percentile(stalls, 99)))


@pytest.mark.parametrize("size", SIZES)
def test_until_the_whole_document_is_built(benchmark, view, timed, size):
    document = generated(size)
    time_whole(benchmark, view, document, rounds=3 if timed else 1, warmup_rounds=1)


def test_until_a_table_of_20000_rows_is_built(benchmark, view, timed):
    """All its cells are measured before its first row can stand; the window goes on meanwhile."""
    document = long_table(20_000 if timed else 200)
    time_whole(benchmark, view, document, rounds=2 if timed else 1)


@pytest.mark.parametrize("count", SPANS)
@pytest.mark.parametrize("size", SIZES)
def test_from_a_mouse_move_to_the_painted_preview_with_scores(benchmark, view, timed, size, count):
    """The stroke, its preview and the document's scores, P, R, F and s(x,b), again at each move."""
    document = generated(size)
    area = build_whole(view, document)
    shown = overlay(document.length, count)
    view.set_overlay(shown)

    def score(stroke: Stroke | None) -> None:
        marks = shown.marks if stroke is None else stroke.applied_to(shown.marks)
        score_document(marks, None, shown.retrieved, document.length, shown.bep, shown.entry)

    view.pen.previewed.connect(score)
    chance = random.Random(3)
    viewport = area.viewport()
    send(viewport, QEvent.Type.MouseButtonPress, QPointF(100, 150))

    def move() -> None:
        send(viewport, QEvent.Type.MouseMove, QPointF(chance.uniform(20, 600), chance.uniform(20, 850)))
        QCoreApplication.processEvents()

    benchmark.pedantic(move, rounds=MOVES if timed else 3, warmup_rounds=3)
    area.pen.give_up()
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)


def send(
    viewport, kind: QEvent.Type, place: QPointF, button: Qt.MouseButton = Qt.MouseButton.LeftButton
) -> None:
    event = QMouseEvent(
        kind, place, viewport.mapToGlobal(place), button, button, Qt.KeyboardModifier.NoModifier
    )
    QCoreApplication.sendEvent(viewport, event)


@pytest.mark.parametrize("size", SIZES)
def test_from_a_mouse_move_to_the_painted_outline(benchmark, view, timed, size):
    """Another element under the mouse at nearly each move: found, counted, named and painted."""
    document = generated(size)
    area = build_whole(view, document)
    view.set_overlay(overlay(document.length, 1500))
    view.outlines.set_shown(True)
    chance = random.Random(3)
    viewport = area.viewport()

    def move() -> None:
        place = QPointF(chance.uniform(20, 600), chance.uniform(20, 850))
        send(viewport, QEvent.Type.MouseMove, place, Qt.MouseButton.NoButton)
        QCoreApplication.processEvents()

    benchmark.pedantic(move, rounds=MOVES if timed else 3, warmup_rounds=3)
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)


@pytest.mark.parametrize("count", SPANS)
@pytest.mark.parametrize("size", SIZES)
def test_an_overlay_on_or_off(benchmark, view, timed, size, count):
    document = generated(size)
    build_whole(view, document)
    turns = [overlay(document.length, count), Overlay()]

    def turn() -> None:
        view.set_overlay(turns[0])
        turns.reverse()
        QCoreApplication.processEvents()

    benchmark.pedantic(turn, rounds=100 if timed else 2, warmup_rounds=2)
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)


@pytest.mark.parametrize("size", SIZES)
def test_a_page_scrolled(benchmark, view, timed, size):
    document = generated(size)
    area = build_whole(view, document)
    view.set_overlay(overlay(document.length, 1500))

    def page() -> None:
        area.scroll_by(
            800 if area.verticalScrollBar().value() < area.verticalScrollBar().maximum() else -(10**9)
        )
        QCoreApplication.processEvents()

    benchmark.pedantic(page, rounds=100 if timed else 2, warmup_rounds=2)
    benchmark.extra_info["p99 ms"] = percentile(benchmark, 99)


@pytest.mark.parametrize("size", SIZES)
def test_finding_a_word(benchmark, view, timed, size):
    document = generated(size)
    build_whole(view, document)
    word = document.text[document.length // 2 :].split()[1]
    view.find_bar.open()

    def find() -> None:
        view.find_bar.seek(word)
        QCoreApplication.processEvents()

    benchmark.pedantic(find, rounds=20 if timed else 1, warmup_rounds=1)


@pytest.mark.parametrize("size", SIZES)
def test_memory_of_an_open_document(benchmark, view, size):
    """What the process grows by while a document is open, the view's part only."""
    document = generated(size)
    build_whole(view, generated(SIZES[0]))  # fonts and glyphs are there
    view.set_document(None)
    QCoreApplication.processEvents()
    gc.collect()
    before = resident_megabytes()
    benchmark.pedantic(build_whole, (view, document), rounds=1)
    benchmark.extra_info["MB"] = round(resident_megabytes() - before, 1)


def resident_megabytes() -> float:
    statistics = Path("/proc/self/statm")
    if not statistics.exists():
        pytest.skip("memory is read from /proc")
    return int(statistics.read_text().split()[1]) * 4096 / 2**20
