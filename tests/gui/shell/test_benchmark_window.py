"""A benchmark that is dropped or chosen: what is said of it, and the two ways on."""

import json
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from inexview.core.judgements.runs import Task
from inexview.core.project.project import Project
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.look.widgets import ElidedLabel
from inexview.gui.shell.benchmark_window import BenchmarkWindow
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import drop

TEXT = "The moon has no air. <b>It has dust</b> 🌒, and it has rocks.\nNobody lives there."
DUST, ROCKS = "It has dust</b> 🌒", "it has rocks"


def passage(quote: str, shift: int = 0) -> dict[str, object]:
    start = TEXT.index(quote)
    return {"file_path": "moon.txt", "span": [start + shift, start + len(quote) + shift], "answer": quote}


@pytest.fixture
def moon(tmp_path) -> Path:
    folder = tmp_path / "moon & co"
    (folder / "corpus").mkdir(parents=True)
    (folder / "benchmarks").mkdir()
    (folder / "corpus" / "moon.txt").write_text(TEXT, encoding="utf-8")
    write(folder, [passage(DUST)], [passage(ROCKS)])
    return folder


def write(folder: Path, *answers: list[dict[str, object]]) -> None:
    tests = [{"query": f"What <is> there, {at}?", "snippets": given} for at, given in enumerate(answers)]
    (folder / "benchmarks" / "moon.json").write_text(json.dumps({"tests": tests}), encoding="utf-8")


def found(qtbot):
    def windows() -> list:
        return [
            one
            for one in QApplication.topLevelWidgets()
            if isinstance(one, BenchmarkWindow) and one.isVisible()
        ]

    qtbot.waitUntil(lambda: bool(windows()))
    return windows()[0]


def test_a_folder_that_is_dropped_is_described_and_looked_at(application, qtbot, moon):
    before = sorted(moon.rglob("*"))
    assert drop(application.show_start(), moon)
    shown = found(qtbot)
    assert shown.said.text().replace("\N{NO-BREAK SPACE}", " ") == (
        "LegalBench-RAG:\n2 questions, 1 document, 2 passages"
    )
    assert shown.checked.text() == "✓  2 of 2 passages read as their texts"
    assert "What &lt;is&gt; there, 0?" in shown.sample.text()
    assert "It has dust&lt;/b&gt; 🌒</span>" in shown.sample.text()
    QTest.keyClick(shown, Qt.Key.Key_J)
    assert "there, 1?" in shown.sample.text()
    assert shown.place.full_text == f"{TEXT.index(ROCKS)}–{TEXT.index(ROCKS) + len(ROCKS)} in moon"
    QTest.keyClick(shown, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(application.windows))
    window = application.windows[0]
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.mode is Mode.INSPECT
    assert window.inspect.board.task is Task.CHUNKS
    assert window.session.project.read_only
    marks = window.session.state.marks
    assert [TEXT[start:end] for start, end in marks] == [DUST]
    made = window.session.project.path
    assert made.exists()
    window.close()
    qtbot.waitUntil(lambda: not made.exists())
    assert sorted(moon.rglob("*")) == before


def test_what_is_gone_before_it_is_looked_at_is_told_and_leaves_no_folder(
    application, qtbot, moon, monkeypatch, tmp_path
):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    start = application.show_start()
    application.open_benchmark(moon)
    shown = found(qtbot)
    (moon / "benchmarks" / "moon.json").unlink()
    QTest.keyClick(shown, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: start.messages.current is not None)
    assert "moon & co" in start.messages.current.text
    assert not application.windows
    assert not [*(tmp_path / "temporary").iterdir()]


def test_a_project_is_made_of_it(application, qtbot, moon, monkeypatch, tmp_path):
    path = tmp_path / "moon.inexview"
    answers = iter(["", str(path)])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(answers), ""))
    application.show_start()
    application.open_benchmark(moon)
    shown = found(qtbot)
    QTest.keyClick(shown, Qt.Key.Key_P)
    assert shown.isVisible(), "no name was given"
    QTest.keyClick(shown, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: bool(application.windows))
    application.windows[0].close()
    with Project.open(path) as project:
        assert [topic.id for topic in project.topics] == ["moon-0", "moon-1"]
        assert not project.contents.entry_points
        marks = project.state("moon-1", "moon").marks
        assert [TEXT[start:end] for start, end in marks] == [ROCKS]


def test_what_reads_otherwise_is_shown_and_stays(application, qtbot, moon):
    write(moon, [passage(DUST)], [passage(ROCKS, shift=2)])
    application.show_start()
    application.open_benchmark(moon)
    shown = found(qtbot)
    assert shown.checked.text() == "⚠  1 of 2 passages read as their texts"
    assert shown.checked.property("wrong")
    told = [one.full_text for one in shown.findChildren(ElidedLabel)]
    assert f"file “{ROCKS}”" in told
    assert any(one.startswith("reads “") for one in told)
    for button in (shown.look_at, shown.make):
        assert button.height() >= button.sizeHint().height(), "nothing is squeezed"
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not application.windows
    assert application.start is not None
    assert application.start.isVisible()


def test_a_bare_folder_of_texts_goes_to_a_new_project(application, qtbot, moon, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(NewProjectDialog, "exec", lambda own: asked.append(own.collection.line.text()))
    application.show_start()
    application.open_benchmark(moon / "corpus")
    qtbot.waitUntil(lambda: asked == [str(moon / "corpus")])


def test_what_is_nothing_of_it_is_refused_in_a_sentence(application, qtbot, tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    start = application.show_start()
    assert drop(start, path)
    qtbot.waitUntil(lambda: start.messages.current is not None)
    assert "picture.png" in start.messages.current.text
