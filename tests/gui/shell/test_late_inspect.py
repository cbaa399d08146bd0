"""Inspect is made after the window's first picture, and knows then what was opened before."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QSignalSpy

from inexview.core.judgements.runs import Result, Run
from inexview.core.project.project import Project
from inexview.core.text.spans import EMPTY
from inexview.gui.inspect.inspect_view import InspectController
from inexview.gui.services.settings import Appearance
from inexview.gui.shell import pages
from inexview.gui.shell.main_window import MainWindow, Mode

HOURS = 10_000_000  # milliseconds


@pytest.fixture
def new_window(qapp, settings, project_path: Path):
    window = MainWindow(Project.open(project_path), settings, Appearance(qapp, settings))
    window.resize(1300, 900)
    yield window
    window.close()
    window.deleteLater()


def test_it_is_made_by_itself_once_a_document_is_painted(qtbot, new_window):
    late = new_window.late_inspect
    assert late.controller is None
    seen = QSignalSpy(late.made)
    new_window.show()
    qtbot.waitUntil(lambda: seen.count() == 1)
    assert new_window.inspect is late.controller
    assert not late.active


def test_late_inspect_knows_earlier_runs_and_choices(qtbot, new_window, monkeypatch):
    monkeypatch.setattr(pages, "AFTER", HOURS)
    monkeypatch.setattr(pages, "AT_LAST", HOURS)
    session, late = new_window.session, new_window.late_inspect
    new_window.show()
    qtbot.waitUntil(lambda: session.document is not None and session.reading.ready)
    session.mark(3, 9)
    assert new_window.article.overlay.marks == session.state.marks != EMPTY
    assert late.controller is None
    new_window.set_mode(Mode.INSPECT)
    assert late.active
    session.add_run(Run.from_results([Result("7", "12", 1, None, 0, 5), Result("7", "11", 2, None, 0, 5)]))
    ranked = new_window.inspect.ranked.view
    qtbot.waitUntil(lambda: ranked.model().rowCount() == 2)
    assert ranked.currentIndex().row() == 1
    assert not session.project.state("7", "12").marks


def test_runs_that_come_find_it_made(new_window):
    late = new_window.late_inspect
    new_window.session.add_run(Run.from_results([Result("7", "11", 1, None, 0, 5)]))
    assert [run.id for run in late.controller.board.runs] == [new_window.session.run.id]


def test_an_action_of_inspect_that_does_nothing_is_found_when_it_is_made(new_window, monkeypatch):
    monkeypatch.delattr(InspectController, "step_passage")
    with pytest.raises(LookupError, match="'next-hit' has no handler"):
        assert new_window.inspect


def test_a_window_that_is_closed_while_it_is_made_takes_all_of_it_along(qtbot, new_window):
    seen = QSignalSpy(new_window.late_inspect.left_made)
    new_window.show()
    qtbot.waitUntil(lambda: seen.count() == 1)
    new_window.close()
    assert new_window.isAncestorOf(new_window.inspect.right)
