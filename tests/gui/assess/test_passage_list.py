"""The list of passages changes only the rows that a mark changed, and the strip of a pool's row is true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from inexview.core.article.document import Document
from inexview.core.judgements.topics import Topic
from inexview.core.text.spans import Spans
from inexview.gui.assess.passages import PassagesModel, PassagesView
from inexview.gui.assess.pool_panel import _bars
from inexview.gui.look.widgets import in_column
from tests.gui.driving import click, drag, key, shown_as_painted, shown_window
from tests.projects import article, project_of

TEXT = "Oil is poured in the morning and the wick is trimmed at dusk."
places = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 10)), max_size=8)
some_spans = places.filter(bool).map(lambda listed: Spans((start, start + size) for start, size in listed))


def rows(model: PassagesModel) -> list[str]:
    return [model.index(row).data() for row in range(model.rowCount())]


@pytest.fixture(scope="module")
def document() -> Document:
    return Document.from_bytes(f"<article><p>{TEXT}</p></article>".encode(), name="oil")


@given(steps=st.lists(some_spans, min_size=1, max_size=6))
def test_a_list_that_followed_every_mark_is_the_list_of_the_last(qapp, document, steps):
    model = PassagesModel()
    for marks in steps:
        model.set_marks(document, marks)
    anew = PassagesModel()
    anew.set_marks(document, steps[-1])
    assert rows(model) == rows(anew)


def test_rows_before_a_new_mark_are_not_updated(qapp, document):
    model = PassagesModel()
    model.set_marks(document, Spans([(0, 3), (10, 14), (40, 44)]))
    told = []
    model.rowsInserted.connect(lambda _parent, first, last: told.append(("in", first, last)))
    model.rowsRemoved.connect(lambda _parent, first, last: told.append(("out", first, last)))
    model.dataChanged.connect(lambda first, last: told.append(("other", first.row(), last.row())))
    model.modelReset.connect(lambda: told.append("all"))
    model.set_marks(document, Spans([(0, 3), (10, 14), (20, 24), (40, 44)]))
    model.set_marks(document, Spans([(0, 3), (10, 14), (20, 24), (40, 44)]))
    model.set_marks(document, Spans([(0, 3), (10, 24)]))
    assert told == [("in", 2, 2), ("other", 2, 3), ("out", 1, 2), ("other", 1, 1)]
    told.clear()
    model.set_marks(document, Spans([(0, 5), (10, 24)]))
    for said in ({}, {(10, 24): "Ask."}, {(10, 24): "Ask."}, {(10, 24): "Ask Ada."}):
        model.set_notes(said)
    model.set_grades({(0, 5): "okay"})
    assert told == [("other", 0, 1), ("other", 1, 1), ("other", 1, 1), ("other", 0, 0)]


def test_words_of_a_passage_are_shown_in_their_own_direction(qapp, qtbot):
    """What is left out of right-to-left words is left out at their left end, in a window of left to right."""
    pictures = []
    for begins in ("", "\u202b"):  # the second says itself that it is read from the right
        text = begins + "שמן הזית נסחט מפרי העץ, " * 8
        view = PassagesView()
        qtbot.addWidget(view)
        view.passages.set_marks(
            Document.from_bytes(f"<a><p>{text}</p></a>".encode(), name="oil"), Spans([(0, 120)])
        )
        view.resize(240, 60)
        pictures.append(view.grab().toImage())
    assert pictures[0] == pictures[1]


@given(marks=some_spans, scale=st.sampled_from([0.05, 0.4, 1.0, 3.0]))
def test_bars_of_marks_are_at_least_two_pixels_wide_and_separate(marks, scale):
    covered = []
    for start, end in marks:
        left, right = start * scale, max(end * scale, start * scale + 2)
        if covered and left <= covered[-1][1]:
            covered[-1] = covered[-1][0], max(covered[-1][1], right)
        else:
            covered.append((left, right))
    assert _bars(marks, scale) == covered


def test_the_passage_under_the_mouse_is_gone_to_in_a_list_that_was_scrolled(qapp, qtbot, document):
    window, field, view = QWidget(), QLineEdit(), PassagesView()
    qtbot.addWidget(window)
    in_column(field, view, on=window)
    view.setMaximumHeight(5 * view.row_height)
    marks = [(at, at + 2) for at in range(0, 60, 4)]
    with qtbot.waitExposed(window):
        window.show()
    for focused in (view, field):
        focused.setFocus()
    view.passages.set_marks(document, Spans(marks))
    qtbot.waitUntil(lambda: view.verticalScrollBar().maximum() > 0)
    view.scrollToBottom()
    at = view.viewport().rect().center()
    pointed, chosen = view.indexAt(at).row(), []
    assert pointed > 5
    view.chosen.connect(chosen.append)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen == [marks[pointed]]


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    text = article("Lamps", *[TEXT] * 40)
    with shown_window(qapp, project_of(tmp_path, {"11": text}, Topic("7", "lamps")), (1440, 900)) as shown:
        qtbot.waitUntil(lambda: shown.session.document is not None and shown.article.document is not None)
        yield shown


def test_all_rows_have_the_columns_that_a_new_last_row_needs(window, qtbot):
    passages = window.assess.panel.passages
    window.resize(1440, 560)
    for start in (6, 200, 400, 600, 800):  # one more than are seen
        drag(window.article, start, start + 20)
    qtbot.waitUntil(lambda: shown_as_painted(passages))
    size = passages.size()
    drag(window.article, 1_300, 1_310)
    qtbot.waitUntil(lambda: passages.passages.rowCount() == 6 and shown_as_painted(passages))
    assert passages.size() == size


def test_the_sign_of_the_entry_point_is_filled_once_there_is_one(window, qtbot):
    lacks = window.assess.panel.lacks
    drag(window.article, 6, 40)
    qtbot.waitUntil(
        lambda: lacks.full_text.startswith("An entry point is needed") and shown_as_painted(lacks)
    )
    key(window.article, Qt.Key.Key_B)
    click(window.article, 200)
    qtbot.waitUntil(
        lambda: lacks.full_text == "The entry point is outside every mark" and shown_as_painted(lacks)
    )


def test_the_rows_of_pool_and_passages_are_copied_as_they_are_read_aloud(window, qtbot):
    drag(window.article, 6, 40)
    for view, row in (
        (window.assess.panel.passages, "1 · 5, 61 characters   Oil is poured in the morning"),
        (window.assess.pool.view, "Lamps · 11 · begun · 61 characters marked"),
    ):
        view.setFocus()
        qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert QApplication.clipboard().text().startswith(row)
