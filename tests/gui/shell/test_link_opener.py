"""A link opens topic, document, run and offset, also in a window that is open; what is not there is said."""

import pytest

from inexview.core.files import LinkedPlace
from inexview.core.project.sample import create_sample_project, sample_runs
from inexview.gui.shell.app import LinkOpener
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import shown_window, text_area


@pytest.fixture
def project(tmp_path):
    return create_sample_project(tmp_path / "sample.inexview")


@pytest.fixture
def window(qapp, project):
    with shown_window(qapp, project) as shown:
        yield shown


def test_a_place_is_gone_to_in_a_window_that_is_open(window, qtbot, project):
    run = next(path for path in sample_runs(project) if path.stem == "LM-passages")
    place = LinkedPlace(project, "2026001", "2041", str(run), 3000)
    LinkOpener(window, LinkedPlace.parse(place.link)).go()
    session = window.session
    qtbot.waitUntil(lambda: session.document is not None and session.document.id == "2041")
    qtbot.waitUntil(lambda: session.run is not None and session.run.id == "LM-passages")
    assert session.topic.id == "2026001"
    assert window.mode is Mode.INSPECT

    def at_the_top():
        lines = text_area(window.article).lines()
        return bool(lines) and lines[0].start <= 3000 < lines[3].end

    qtbot.waitUntil(at_the_top)
    LinkOpener(window, LinkedPlace(project, "2026001", "2077", "LM-passages")).go()
    qtbot.waitUntil(lambda: session.document_id == "2077")


def test_missing_targets_are_reported(window, qtbot, project):
    LinkOpener(window, LinkedPlace(project, "9999")).go()
    assert "no topic 9999" in window.messages.current.text
    LinkOpener(window, LinkedPlace(project, run="nowhere.txt")).go()
    assert "nowhere.txt is not open" in window.messages.current.text


def test_an_offset_past_the_text_is_reported(window, qtbot, project):
    qtbot.waitUntil(lambda: window.session.document is not None)
    length = window.session.document.length
    LinkOpener(window, LinkedPlace(project, at=length)).go()
    assert window.messages.current is None
    LinkOpener(window, LinkedPlace(project, run="nowhere.txt", at=length + 1)).go()
    assert f"not offset {length + 1:,}" in window.messages.current.text
    assert "nowhere.txt is not open" in window.messages.current.text


def test_an_offset_is_gone_to_once_the_document_is_read(window, qtbot, project):
    session = window.session
    qtbot.waitUntil(lambda: session.document is not None)
    session.open_document("2041")
    assert session.opening.wanted is not None
    LinkOpener(window, LinkedPlace(project, at=3000)).go()

    def at_the_top():
        lines = text_area(window.article).lines()
        return bool(lines) and lines[0].start <= 3000 < lines[3].end

    qtbot.waitUntil(at_the_top)
