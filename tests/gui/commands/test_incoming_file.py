"""Folders, opened in the window: read as one, as their files, or known for a collection."""

import pytest

from inexview.core.formats.conversion import look, read_all
from inexview.core.formats.format import RUNS, FileKind
from inexview.core.judgements.topics import Topic
from inexview.core.progress import Cancelled
from inexview.core.project.project import Project
from tests.gui.driving import shown_window

ARTICLE = "<article><p>The first, of {0}.</p></article>"


@pytest.fixture
def window(qtbot, qapp, tmp_path):
    articles = tmp_path / "articles"
    articles.mkdir()
    write(articles, ARTICLE.format(1), "1.xml")
    path = tmp_path / "mine.inexview"
    Project.create(path, collection=articles, topics=[Topic("1", "lenses")], assessor="ada").close()
    with shown_window(qapp, path) as made:
        qtbot.waitUntil(lambda: made.session.document is not None)
        yield made


def write(folder, text, name):
    (folder / name).write_text(text, encoding="utf-8")


def test_a_folder_of_runs_opens_all_of_them(window, qtbot, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("a", "b"):
        write(folder, f"1 Q0 1 1 9 {name} 0 9\n", f"{name}.txt")
    for name in ("c.inexview", "c.inexview-shm"):
        (folder / name).write_bytes(b"\x00\x18")
    window.open_run(folder)
    qtbot.waitUntil(lambda: len(window.session.runs) == 2)
    assert sorted(run.id for run in window.session.runs) == ["a", "b"]
    said = "2 files skipped (unknown format): c.inexview, c.inexview-shm"
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert window.messages.current.text == f"{folder}: {said}."


def test_a_folder_is_described_by_its_contents(tmp_path):
    for name, text in (("1", ARTICLE.format(1)), ("2", ARTICLE.format(2)), ("topics", "<topics/>")):
        write(tmp_path, text, f"{name}.xml")
    (folder,) = look([tmp_path])
    assert folder.archive
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    write(mixed, "1 Q0 1 9 99 0 0:9\n", "qrels.txt")
    write(mixed, "1 Q0 1 1 1 r 0 9\n", "run.txt")
    assert [one.holds for one in look([mixed])] == [FileKind.QRELS, FileKind.RUN]
    empty = tmp_path / "empty"
    empty.mkdir()
    (nothing,) = look([empty])
    assert not nothing.archive
    assert "holds no file" in str(nothing.problem)
    for at in range(101):
        write(empty, "1 Q0 1 1 1 r 0 9\n", f"{at}.txt")
    (many,) = look([empty])
    assert "more than 100 files" in str(many.problem)


def test_reading_many_runs_shows_progress_and_can_be_cancelled(window, tmp_path):
    for name in "abc":
        write(tmp_path, f"1 Q0 1 1 9 {name} 0 9\n", f"{name}.txt")
    files = [file for name in "abc" for file in look([tmp_path / f"{name}.txt"])]
    told = []

    def give_up(what, done, total):
        told.append((what, done, total))
        if done == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_all(files, RUNS, window.session.project.collection, give_up)
    assert told == [("files", 0, 3), ("files", 1, 3), ("files", 2, 3)]
