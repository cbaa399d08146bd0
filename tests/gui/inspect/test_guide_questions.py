"""The questions on the guide's page about Inspect, answered with the clicks and keys that it names."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from inexview.core.evaluation.variants import Fault
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.inspect.ranked_table import RankedKey
from inexview.gui.look.widgets import ElidedLabel
from inexview.gui.services.actions import Room
from tests.gui.driving import LEFT, NONE, see_runs, shown_window

Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
TOPIC, DOCUMENT = "2026001", "1107"


class Gestures:
    """Clicks and presses keys in the focused widget, and counts them."""

    def __init__(self, qtbot) -> None:
        self._qtbot = qtbot
        self.made: list[str] = []

    def click(self, what, widget, point: QPoint | None = None) -> None:
        """Click on a thing."""
        self.made.append(f"a click on the {what}")
        self._qtbot.mouseClick(widget, LEFT, pos=point or widget.rect().center())

    def press(self, name: str, key: Key, modifiers=NONE) -> None:
        """Press a key."""
        self.made.append(f"`{name}`")
        QTest.keyClick(QApplication.focusWidget(), key, modifiers)

    def so_far(self) -> str:
        """Return the gestures since the last call, in the words of the guide."""
        made, self.made = self.made, []
        return f"{len(made)}: {', '.join(made)}" if made else "none"


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    path = create_sample_project(tmp_path / "sample.inexview")
    with shown_window(qapp, path) as shown:
        shown.resize(1440, 900)
        shown.activateWindow()
        shown.files.open_runs(sample_runs(path)[:2])
        qtbot.waitUntil(lambda: len(shown.session.runs) == 2 and shown.article.document is not None)
        yield shown


def gestures_in_the_guide(checkout) -> dict[str, str]:
    """Return the gestures of each question."""
    page = (checkout / "resources" / "guide" / "inspect.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+\?|[^|]+\.) \| ((?:none|\d:)[^|]*?) \| [^|]+ \|$", page, re.MULTILINE)
    return dict(rows)


def shown_keys(window) -> str:
    return next(one.full_text for one in window.status.findChildren(ElidedLabel) if " keys" in one.full_text)


def test_each_question_takes_the_gestures_that_the_guide_counts(
    window, qtbot, checkout, tmp_path, monkeypatch
):
    session, inspect, stage = window.session, window.inspect, window.inspect
    board, panel, table = inspect.board, stage.derivation, stage.topics.table
    hands, asked = Gestures(qtbot), {}

    # before the questions: Inspect, and what the runs are scored for
    see_runs(window)
    choices = inspect.runs.ask.findChildren(QPushButton)
    qtbot.mouseClick(next(one for one in choices if one.text() == "Relevant in context"), LEFT)
    qtbot.waitUntil(lambda: len(board.figures.scores) == 2 and not board.stale)

    qtbot.waitUntil(lambda: board.pairs.differences()[board.current].tested)
    qtbot.waitUntil(lambda: "significant" in stage.pair.verdict.text())
    assert inspect.runs.table.model().rows[0].name == board.scored()[0].id
    asked["Which run is best, and is its lead significant?"] = hands.so_far()

    assert window.top.topic.accessibleName() == "Topic all topics"
    assert shown_keys(window).startswith("Enter open topic · X swap")
    differences = [abs(row.difference) for row in table.model().sheet.rows]
    assert differences == sorted(differences, reverse=True)
    asked["On which topics is one run better than the other?"] = hands.so_far()

    row = table.model().row_of(TOPIC)
    hands.click("topic", table.viewport(), table.visualRect(table.model().index(row, 0)).center())
    qtbot.waitUntil(lambda: session.topic.id == TOPIC and bool(inspect.ranked.model.costs.left_out))
    assert window.top.topic.accessibleName().startswith(f"Topic {TOPIC} · ")
    ranked = inspect.ranked
    retrieved = {result.document for result in session.run.results(TOPIC)}
    assert {*ranked.model.costs.left_out} == retrieved
    assert ranked.model.key is RankedKey.RANK
    asked["Which documents cost most in the worst topic?"] = hands.so_far()

    place = ranked.view.visualRect(ranked.model.index_of(DOCUMENT))
    hands.click("document", ranked.view.viewport(), QPoint(place.left() + 80, place.center().y()))
    qtbot.waitUntil(lambda: session.document_id == DOCUMENT and bool(inspect.scores.costs.model.rows))
    assert shown_keys(window).startswith("J next · M miss")
    overlay = window.article.overlay
    assert overlay.marks
    assert overlay.retrieved
    faults = {line.cost.fault for line in inspect.scores.costs.model.rows}
    assert {Fault.MISSED, Fault.FALSE_ALARM} <= faults
    asked["Which characters of the document cost most?"] = hands.so_far()

    unjudged = next(chip for kind, chip in ranked.chips.items() if kind.name == "UNJUDGED")
    unknown = [document for document in retrieved if board.qrels.judgement(TOPIC, document) is None]
    assert unjudged.text() == f"Unjudged {len(unknown)}"
    asked["Are the others irrelevant, or only unjudged?"] = hands.so_far()

    window.article.setFocus()
    hands.press("W", Key.Key_W)
    assert window.book.room is Room.WHAT_IF
    assert inspect.scratch_panel.isVisible()
    asked["What would improve the figures?"] = hands.so_far()

    hands.press("Y", Key.Key_Y)
    qtbot.waitUntil(lambda: panel.isVisible() and panel.model.derivation is not None)
    assert panel.model.derivation.value == board.scores(session.run).topic(TOPIC)["AgP"]
    assert panel.model.place_of(DOCUMENT) is not None
    asked["Why does the figure have this value?"] = hands.so_far()

    hands.press("Ctrl+G", Key.Key_G, CTRL)
    charts = inspect.chart_opener.window
    assert charts.isVisible()
    saved = tmp_path / "chart.tex"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_named: (str(saved), ""))
    qtbot.mouseClick(charts.save, LEFT)
    qtbot.waitUntil(saved.exists)
    charts.close()
    asked["How do I get this into a paper?"] = hands.so_far()

    window.activateWindow()
    window.article.setFocus()
    hands.press("Ctrl+Shift+L", Key.Key_L, CTRL | SHIFT)
    link = QApplication.clipboard().text()
    assert f"topic={TOPIC}" in link
    assert f"doc={DOCUMENT}" in link
    asked["How do I show this to a colleague?"] = hands.so_far()

    in_guide = gestures_in_the_guide(checkout)
    assert asked.keys() == in_guide.keys()
    for question, gestures in asked.items():
        assert in_guide[question].split(", then ")[0] == gestures, question
