"""Grades by key: of the passage at the caret or the document, shown everywhere, undone and redone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview.core.project.project import Project
from inexview.core.project.reviews import set_scale
from inexview.gui.assess.pool_model import RowRole
from inexview.gui.assess.topic_panel import GradeScaleDialog
from tests.gui.driving import key, shown_window, text_area
from tests.projects import TOPIC, make_project

Key, SHIFT, CTRL = Qt.Key, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    path = make_project(tmp_path / "study")
    with Project.open(path) as project:
        set_scale(project, ["okay", "vital"])
    with shown_window(qapp, path) as window:
        window.resize(1440, 900)
        qtbot.waitUntil(lambda: window.session.document is not None)
        qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
        window.article.setFocus()
        yield window


def remarks(window):
    return window.session.record.remarks


def test_a_key_grades_the_document_one_higher_and_round(window) -> None:
    seen = []
    for _ in range(3):
        key(window.article, Key.Key_R)
        seen.append(remarks(window).grade)
    assert seen == ["okay", "vital", ""]
    key(window.article, Key.Key_R, SHIFT)
    assert remarks(window).grade == "vital"
    assert window.assess.panel.facts.value("State") == "to do · vital"
    model = window.assess.pool.view.model()
    assert model.index(0).data(RowRole).grade == "vital"
    assert "graded vital" in model.index(0).data(Qt.ItemDataRole.ToolTipRole)
    window.assess.pool.grab()


def test_a_grade_of_a_passage_is_in_the_margin_and_the_list_and_stays_as_it_grows(window) -> None:
    window.session.mark(10, 20)
    window.article.place_caret(12)
    key(window.article, Key.Key_R)
    assert dict(remarks(window).grades) == {(10, 20): "okay"}
    assert [(sign.words, sign.graded) for sign in window.article.margin.signs()] == [("okay", True)]
    margin = window.article.margin
    for wide, shown in ((90, "okay"), (34, "1")):  # its number where there is no room
        margin.resize(wide, margin.height())
        assert [margin.words_of(sign) for sign in margin.signs()] == [shown]
    passages = window.assess.panel.passages.passages
    assert "okay · " in passages.index(0).data()
    before = window.article.margin.grab().toImage()
    window.session.mark(20, 30)
    key(window.article, Key.Key_R)
    assert dict(remarks(window).grades) == {(10, 30): "vital"}
    assert window.article.margin.grab().toImage() != before


def test_undo_and_redo_take_grades_in_their_turn_with_the_marks(window) -> None:
    window.session.mark(10, 20)
    window.article.place_caret(12)
    key(window.article, Key.Key_R)
    key(window.article, Key.Key_R)
    assert window.book["undo"].text() == "Undo grade"
    key(window.article, Key.Key_Z, CTRL)
    assert remarks(window).grade_in((10, 20)) == "okay"
    key(window.article, Key.Key_Y, CTRL)
    assert remarks(window).grade_in((10, 20)) == "vital"
    for _ in range(2):
        key(window.article, Key.Key_Z, CTRL)
    assert remarks(window).grade_in((10, 20)) == ""
    assert window.session.state.relevant
    key(window.article, Key.Key_Z, CTRL)
    assert window.session.state.untouched


def test_undo_gives_the_grades_back_of_passages_that_grew_together(window) -> None:
    window.session.mark(10, 14)
    window.session.mark(20, 24)
    for caret, times in ((11, 1), (21, 2)):
        window.article.place_caret(caret)
        for _ in range(times):
            key(window.article, Key.Key_R)
    several = {(10, 14): "okay", (20, 24): "vital"}
    assert dict(remarks(window).grades) == several
    window.session.mark(10, 24)
    window.article.place_caret(11)
    key(window.article, Key.Key_R)
    assert dict(remarks(window).grades) == {(10, 24): "vital"}
    key(window.article, Key.Key_Z, CTRL)
    assert dict(remarks(window).grades) == several
    key(window.article, Key.Key_Y, CTRL)
    assert dict(remarks(window).grades) == {(10, 24): "vital"}


def test_a_project_without_grades_says_where_they_are_declared(window, qtbot) -> None:
    project = window.session.project

    def write(grades: str) -> GradeScaleDialog:
        window.book["choose-grades"].trigger()
        dialog = window.findChild(GradeScaleDialog)
        assert dialog.field.text() == ", ".join(project.contents.scale)
        dialog.field.selectAll()
        QTest.keyClick(dialog.field, Key.Key_Backspace)
        QTest.keyClicks(dialog.field, grades)
        QTest.keyClick(dialog.field, Key.Key_Return)
        return dialog

    write("")
    assert project.contents.scale == ()
    key(window.article, Key.Key_R)
    assert "File, Grades" in window.messages.current.text
    assert remarks(window).grade == ""
    QTest.qWait(1)  # the dialog is deleted
    dialog = write("0-3")
    assert dialog.status.text() == "4 grades: 0 · 1 · 2 · 3"
    assert project.contents.scale == ("0", "1", "2", "3")
    QTest.qWait(1)
    dialog = write("a, a")
    assert dialog.isVisible(), "Return does nothing where a grade has the name of another"
    assert "each grade needs a different name" in dialog.status.text()
    QTest.keyClicks(dialog.field, "b")
    assert dialog.status.text() == "2 grades: 1 a · 2 ab"
    QTest.keyClick(dialog.field, Key.Key_Escape)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert project.contents.scale == ("0", "1", "2", "3")
    key(window.article, Key.Key_R)
    with Project.open(project.path, read_only=True) as read:
        assert read.histories.log(TOPIC, window.session.document.id).remarks.grade == "0"
