"""Suggestions in the window: off until a file is opened; taken, changed, refused by key, and recorded."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.core.project.reviews import listed_suggestions, read_suggestions
from inexview.core.text.spans import Spans
from inexview.gui.article.text_area import Ruler
from inexview.gui.assess.pool_model import RowRole
from inexview.gui.commands.dialogs import ExportDialog
from inexview.gui.look.theme import DARK
from tests.gui.driving import NONE, build_all, key, shown_window, text_area, told, wear
from tests.projects import TOPIC, article, make_project, project_of

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
SPANS = [(0, 5), (9, 18), (21, 30)]


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    path = make_project(tmp_path / "study")
    with (tmp_path / "model.jsonl").open("w") as file:
        for document in ("d1", "d3"):
            for score, (start, end) in enumerate(SPANS):
                line = {"topic": TOPIC, "document": document, "start": start, "end": end, "score": score / 4}
                file.write(json.dumps(line) + "\n")
    return path, tmp_path / "model.jsonl"


def ghosts(window):
    return [ghost.span for ghost in window.article.overlay.beside.suggested]


def suggested(window) -> list[int]:
    """Return how many passages the rows of the pool say are suggested."""
    model = window.assess.pool.model
    return [model.index(row).data(RowRole).suggested for row in range(model.rowCount())]


def ruled(window, color: str) -> int:
    """Count the pixels of the ruler that have a colour, without the frame that lies over all of it."""
    image = window.article.findChild(Ruler)._image()
    places = product(range(image.width()), range(image.height()))
    return sum(image.pixelColor(x, y) == QColor(color) for x, y in places)


def said(path: Path, *actions: str) -> list[dict]:
    with Project.open(path, read_only=True) as project:
        return [row.values() for row in project.journal.rows() if row.action in actions]


def test_suggestions_are_accepted_changed_and_rejected_in_the_journal(qapp, qtbot, paths):
    path, model = paths
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        article, session = window.article, window.session
        assert session.document_id == "d3"
        key(article, Qt.Key.Key_Y)
        assert "Suggestions are off" in window.messages.current.text
        assert not window.suggestion_controller.bar.isVisible()
        window.suggestions.open(model)
        qtbot.waitUntil(lambda: window.suggestion_controller.shown is not None)
        assert window.suggestion_controller.bar.isVisible()
        assert ghosts(window) == SPANS
        bar = window.suggestion_controller.bar
        assert "1 of 3 here" in bar.status.full_text
        for wide in (1200, 600, 382):
            bar.resize(wide, bar.height())
            bar.grab()
            assert "…" not in bar.status.text(), "it says less, in whole words"
            inside = (one for one in bar.findChildren(QWidget) if one.isVisible() and one is not bar.keys)
            assert all(bar.rect().contains(one.rect().translated(one.mapTo(bar, QPoint()))) for one in inside)
        assert suggested(window) == [3, 3, 0]
        assert ruled(window, window.article._styles.theme.suggested) > 3
        assert session.state.untouched
        wear(DARK)
        window.grab()
        # taken as it is, refused, and changed: a key each
        key(article, Qt.Key.Key_Y)
        assert session.state.marks == Spans([(0, 5)])
        assert suggested(window) == [2, 3, 0]
        key(article, Qt.Key.Key_Y, SHIFT)
        assert ghosts(window) == [(21, 30)]
        key(article, Qt.Key.Key_Y, ALT)
        assert article.selection == (21, 30)
        for _ in range(3):
            key(article, Qt.Key.Key_Left, SHIFT)
        key(article, Qt.Key.Key_Y)
        assert session.state.marks == Spans([(0, 5), (21, 26)])
        assert ghosts(window) == []
        assert not window.suggestion_controller.bar.keys.isVisible(), "there is nothing to take"
        # undo brings the ghost back, redo the decision
        key(article, Qt.Key.Key_Z, CTRL)
        assert ghosts(window) == [(21, 30)]
        assert window.suggestion_controller.bar.keys.isVisible()
        key(article, Qt.Key.Key_Y, CTRL)
        assert ghosts(window) == []
        decided = listed_suggestions(session.project.histories.of(TOPIC, "d3"))
        assert [(one.decision, one.score, one.taken) for one in decided] == [
            ("taken", 0.0, (0, 5)),
            ("refused", 0.25, None),
            ("changed", 0.5, (21, 26)),
        ]
        # they are seen in Assess only, and gone when they are turned off
        key(article, Qt.Key.Key_Q)
        assert window.messages.current.text.startswith("No suggestions left")
        session.open_document("d1")
        qtbot.waitUntil(lambda: session.document_id == "d1" and bool(ghosts(window)))
        assert window.messages.current is None, "here something is"
        key(article, Qt.Key.Key_Q)
        key(article, Qt.Key.Key_Q)
        assert window.suggestion_controller.current.span == SPANS[1]
        key(article, Qt.Key.Key_2, CTRL)
        assert ghosts(window) == []
        assert suggested(window) == [0, 0, 0]
        assert not window.suggestion_controller.bar.isVisible()
        key(article, Qt.Key.Key_1, CTRL)
        assert ghosts(window) == SPANS
        window.suggestion_controller.bar.off.click()
        assert ghosts(window) == []
        assert not window.suggestion_controller.bar.isVisible()
        # an export can leave them out
        window.exporter.ask()
        dialog = window.findChild(ExportDialog)
        qtbot.waitUntil(lambda: not dialog.without.isHidden())
        assert dialog.choice.suggested
        dialog.without.setChecked(True)
        assert not dialog.choice.suggested
        dialog.reject()
    assert [(one["source"], one["on"], one["passages"]) for one in said(path, "suggestions")] == [
        ("model", True, 6),
        ("model", False, 6),
    ]
    assert [one["passages"] for one in said(path, "suggested")][:2] == [3, 3]


def test_nothing_that_was_not_seen_is_taken_or_refused(qapp, qtbot, tmp_path):
    paragraphs = (f"Lamp {n} burns. It glows in the dark, and no one sees it." for n in range(200))
    path = project_of(tmp_path, {"d1": article("Lamps", *paragraphs)}, Topic(TOPIC, "lamps"))
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        text = window.session.document.text
        spans = [(text.index(f"Lamp {n} "), text.index(f"Lamp {n + 1} ")) for n in (90, 91, 180)]
        lines = [{"topic": TOPIC, "document": "d1", "start": at, "end": end} for at, end in spans]
        (tmp_path / "far.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        window.suggestions.open(tmp_path / "far.jsonl")
        qtbot.waitUntil(lambda: window.suggestion_controller.shown is not None)
        build_all(text_area(window.article).builder)
        for modifier, span in ((NONE, spans[0]), (SHIFT, spans[2])):
            window.article.reveal(0)
            key(window.article, Qt.Key.Key_Y, modifier)
            assert span in ghosts(window), "it is only shown at first"
            assert any(
                line.start < span[1] and span[0] < line.end for line in text_area(window.article).lines()
            )
            key(window.article, Qt.Key.Key_Y, modifier)
            assert span not in ghosts(window)
            window.suggestion_controller.step(1)


def test_a_read_only_project_shows_no_suggestions(qapp, qtbot, paths):
    path, model = paths
    with shown_window(qapp, path, read_only=True) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        window.suggestions.open(model)
        told(qtbot, window.messages, "Nothing was changed")
        assert window.suggestion_controller.shown is None
        assert ghosts(window) == []


def test_what_reaches_past_the_end_is_not_counted_once_the_document_was_read(qapp, qtbot, paths, tmp_path):
    path, _ = paths
    lines = [{"topic": TOPIC, "document": "d3", "start": at, "end": end} for at, end in ((0, 5), (9, 999))]
    (tmp_path / "long.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        window.suggestions.open(tmp_path / "long.jsonl")
        qtbot.waitUntil(lambda: window.suggestion_controller.shown is not None)
        assert ghosts(window) == [(0, 5)]
        assert suggested(window) == [1, 0, 0]
        assert "1 of 1 here · 1 past its end" in window.suggestion_controller.bar.status.full_text
        said = told(qtbot, window.messages, "1 passage suggested by long").text
        assert "1 more reaches past the end of the document" in said
        key(window.article, Qt.Key.Key_Y)
        key(window.article, Qt.Key.Key_Y)
        told(qtbot, window.messages, "No suggestions left in this document (1 passage in all documents).")


def test_what_reaches_past_the_end_is_counted_out_at_opening_where_a_length_was_noted(tmp_path, paths):
    path, model = paths
    lines = [
        {"topic": TOPIC, "document": name, "start": at, "end": end}
        for name in ("d1", "d2")
        for at, end in ((0, 5), (9, 999), (12, 999))
    ]
    model.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Project.open(path) as project:
        length = project.collection.length("d2")
        suggestions = read_suggestions(model, project.collection)
        assert suggestions.lengths == {"d2": length}
        assert suggestions.past_end(lambda _document: 0) == 2
        assert suggestions.past_end(lambda _document: length) == 4
        assert suggestions.past_end(lambda _document: 999) == 0
