"""Runs are read again when their files change."""

from threading import Event

import pytest

from inexview.core.formats import conversion
from inexview.core.formats.conversion import read_all
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from tests.gui.driving import shown_window

ONE = "7 Q0 d1 1 9 lamps 0 5\n"
TWO = "7 Q0 d1 1 9 lamps 0 5\n7 Q0 d1 2 8 lamps 6 4\n"


@pytest.fixture
def window(qapp, tmp_path):
    (tmp_path / "articles").mkdir()
    (tmp_path / "articles" / "d1.xml").write_text("<article><p>A lamp burns oil.</p></article>")
    path = tmp_path / "lamps.inexview"
    Project.create(path, collection=tmp_path / "articles", topics=[Topic("7", "lamps")]).close()
    with shown_window(qapp, path) as made:
        yield made


def opened(qtbot, window, *paths):
    window.files.open_runs(paths)
    qtbot.waitUntil(lambda: len(window.session.runs) == len(paths))


@pytest.mark.parametrize("replaced", [False, True])
def test_a_run_whose_file_changes_is_read_again_and_stays_in_the_foreground(
    qtbot, window, tmp_path, replaced
):
    run = tmp_path / "lamps.txt"
    run.write_text(ONE)
    opened(qtbot, window, run)
    for text in (TWO, ONE, TWO):
        if replaced:
            (tmp_path / "new").write_text(text)
            (tmp_path / "new").replace(run)
        else:
            run.write_text(text)
        qtbot.waitUntil(lambda text=text: len(window.session.run) == text.count("\n"))
        assert len(window.session.runs) == 1


def test_the_run_in_the_foreground_stays_there_and_the_others_in_their_places(qtbot, window, tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in "abc"]
    for path in paths:
        path.write_text(ONE)
    opened(qtbot, window, *paths)
    window.session.select_run(window.session.runs[2])
    paths[0].write_text(TWO)
    qtbot.waitUntil(lambda: len(window.session.runs[0]) == 2)
    assert [run.path for run in window.session.runs] == paths
    qtbot.waitUntil(lambda: window.session.run is window.session.runs[2])


def test_a_run_that_is_closed_is_watched_no_more(qtbot, window, tmp_path):
    run = tmp_path / "lamps.txt"
    run.write_text(ONE)
    opened(qtbot, window, run)
    assert window.files._watch.watched == (run,)
    window.session.close_run()
    assert window.files._watch.watched == ()


def test_a_run_whose_file_vanishes_or_is_spoilt_stays_and_follows_it_again(qtbot, window, tmp_path):
    run = tmp_path / "lamps.txt"
    run.write_text(TWO)
    opened(qtbot, window, run)

    def told(words):
        shown = window.messages.current
        return shown is not None and words in shown.text

    run.unlink()
    qtbot.waitUntil(lambda: told("lamps.txt is gone; its run stays as read before"))
    assert len(window.session.run) == 2
    run.write_text(ONE)
    qtbot.waitUntil(lambda: len(window.session.run) == 1)
    assert not told("is gone"), "it is back"
    run.write_text("nothing of a run\n")
    qtbot.waitUntil(lambda: told("Its run stays as it was."))
    assert len(window.session.run) == 1
    run.write_text(TWO)
    qtbot.waitUntil(lambda: len(window.session.run) == 2)
    assert not told("Its run stays"), "it was read"
    for other, kind in (
        ("7 d1\n", "holds a pool"),
        ("7 Q0 d1 3 30 0 0:3\n", "is not a run: it has judgements"),
    ):
        run.write_text(other)
        qtbot.waitUntil(lambda kind=kind: told(kind) and told("Its run stays as it was."))
        run.write_text(ONE)
        qtbot.waitUntil(lambda: len(window.session.run) == 1)
        assert not told(kind), "it was read"
        run.write_text(TWO)
        qtbot.waitUntil(lambda: len(window.session.run) == 2)
    run.unlink()
    qtbot.waitUntil(lambda: told("is gone"))
    window.session.close_run()
    assert not told("is gone"), "there is no run any more"


class HeldReading:
    """The first reading of files: it has read them, and ends when it is let go, as one of long files does."""

    def __init__(self) -> None:
        self.began, self.release = Event(), Event()

    def read_all(self, *args):
        content = read_all(*args)
        if not self.began.is_set():
            self.began.set()
            assert self.release.wait(20)
        return content


@pytest.fixture
def held(monkeypatch):
    held = HeldReading()
    monkeypatch.setattr(conversion, "read_all", held.read_all)
    yield held
    held.release.set()


def readings(window):
    """Return a list of the readings that end in a window, as it goes on."""
    tasks = []
    window.tasks.ended.connect(lambda task: tasks.append(task) if task.what.startswith("Reading") else None)
    return tasks


def test_a_reading_that_ends_after_a_newer_one_of_the_same_file_is_dropped(qtbot, window, tmp_path, held):
    done = readings(window)
    run = tmp_path / "lamps.txt"
    run.write_text(ONE)
    window.files.open_runs([run])
    qtbot.waitUntil(held.began.is_set)
    run.write_text(TWO)
    opened(qtbot, window, run)
    held.release.set()
    qtbot.waitUntil(lambda: len(done) == 2)
    assert len(window.session.run) == 2


def test_a_run_that_is_closed_while_it_is_read_again_stays_closed(qtbot, window, tmp_path, request):
    run = tmp_path / "lamps.txt"
    run.write_text(ONE)
    opened(qtbot, window, run)
    done, held = readings(window), request.getfixturevalue("held")
    run.write_text(TWO)
    qtbot.waitUntil(held.began.is_set)
    window.session.close_run()
    held.release.set()
    qtbot.waitUntil(lambda: len(done) == 1)
    assert window.session.runs == ()
