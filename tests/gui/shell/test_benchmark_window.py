"""A benchmark that is dropped or chosen: what is said of it, and the two ways on."""

import json
import tempfile
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from inexview.cli import main
from inexview.core.judgements.runs import Task
from inexview.core.project.project import Project
from inexview.gui.commands.dialogs import NewProjectDialog
from inexview.gui.commands.help import GuideWindow
from inexview.gui.services.actions import BOUNCE
from inexview.gui.services.settings import SUFFIXES
from inexview.gui.shell import benchmark_window
from inexview.gui.shell.benchmark_window import BenchmarkWindow
from inexview.gui.shell.main_window import Mode
from inexview.gui.shell.passage_differences import DifferenceRow
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
    (shown,) = windows()
    qtbot.waitUntil(lambda: shown.look is not None)
    return shown


def test_a_folder_that_is_dropped_is_described_and_looked_at(application, qtbot, moon):
    before = sorted(moon.rglob("*"))
    assert drop(application.show_start(), moon)
    shown = found(qtbot)
    assert shown.said.text().replace("\N{NO-BREAK SPACE}", " ") == (
        "LegalBench-RAG:\n2 questions, 1 document, 2 passages"
    )
    assert shown.check.said.text() == "2 of 2 passages match their answers"
    assert shown.check.said.property("fine") == "yes"
    assert "What &lt;is&gt; there, 0?" in shown.sample.text()
    assert "It has dust&lt;/b&gt; 🌒</span>" in shown.sample.text()
    QTest.keyClick(shown, Qt.Key.Key_J, delay=2 * BOUNCE)
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


def test_a_file_deleted_before_reading_is_reported_and_leaves_no_folder(
    application, qtbot, moon, monkeypatch, tmp_path
):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    start = application.show_start()
    application.looker.open_benchmark(moon)
    shown = found(qtbot)
    (moon / "benchmarks" / "moon.json").unlink()
    QTest.keyClick(shown, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "moon & co" in start.area.said.text())
    assert not application.windows
    assert not [*(tmp_path / "temporary").iterdir()]


def test_a_project_is_made_of_it(application, qtbot, moon, monkeypatch, tmp_path):
    path = tmp_path / "moon.inexview"
    answers = iter(["", str(path)])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(answers), ""))
    application.show_start()
    application.looker.open_benchmark(moon)
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


def opened(application, qtbot, moon):
    application.show_start()
    application.looker.open_benchmark(moon)
    return found(qtbot)


def test_what_reads_differently_is_shown_with_its_cause_and_stays(application, qtbot, moon):
    write(moon, [passage(DUST)], [passage(ROCKS, shift=2)])
    before = sorted((path, path.read_bytes()) for path in moon.rglob("*") if path.is_file())
    shown = opened(application, qtbot, moon)
    assert shown.check.said.text() == "1 of 2 passages match their answers, 1 differs"
    assert shown.check.said.property("fine") == "no"
    after = TEXT.index(DUST) + len(DUST)
    assert shown.check.note.text() == (
        f"The one is in moon after character {after}, and would match 2 characters further back. "
        "The text was probably changed after it was judged."
    )
    (row,) = shown.differences.rows
    assert row.isVisible()
    assert row.current
    assert row.accessibleName() == f"moon-1, {row.place}: answer it has rocks; reads  has rocks.⏎"
    assert row.grab().toImage() != DifferenceRow(row.misfit._replace(reads=ROCKS)).grab().toImage()
    for part in (shown.look_at, shown.make):
        assert part.height() >= part.sizeHint().height(), "nothing is squeezed"
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not application.windows
    assert application.start is not None
    assert application.start.isVisible()
    assert sorted((path, path.read_bytes()) for path in moon.rglob("*") if path.is_file()) == before


def test_j_goes_through_all_differences(application, qtbot, moon):
    write(moon, *([passage(ROCKS, shift=2)] for _ in range(6)))
    shown = opened(application, qtbot, moon)
    assert shown.differences.caption.full_text == "1 of 6 read differently"
    assert [row.current for row in shown.differences.rows] == [True, False, False, False]
    for _ in range(4):
        QTest.keyClick(shown, Qt.Key.Key_J, delay=2 * BOUNCE)
    assert [row.current for row in shown.differences.rows] == [True, False]
    QTest.mouseClick(shown.differences.rows[1], Qt.MouseButton.LeftButton)
    assert shown.differences.caption.full_text == "6 of 6 read differently"
    QTest.keyClick(shown, Qt.Key.Key_J, delay=2 * BOUNCE)
    assert shown.differences.caption.full_text == "1 of 6 read differently"
    QTest.keyClick(shown, Qt.Key.Key_J, Qt.KeyboardModifier.ShiftModifier, delay=2 * BOUNCE)
    assert shown.differences.caption.full_text == "6 of 6 read differently"
    shown.reject()


@pytest.mark.parametrize("move", [False, True])
def test_a_project_takes_passages_where_they_are_only_if_one_chooses_so(
    application, qtbot, moon, monkeypatch, tmp_path, move
):
    write(moon, [passage(DUST)], [passage(ROCKS, shift=2)])
    path = tmp_path / "moon.inexview"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    shown = opened(application, qtbot, moon)
    assert shown.differences.leave.isChecked()
    if move:
        QTest.mouseClick(shown.differences.take, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
        assert shown.differences.take.isChecked()
    QTest.keyClick(shown, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: bool(application.windows))
    application.windows[0].close()
    with Project.open(path) as project:
        ((start, end),) = project.state("moon-1", "moon").marks
        remarks = project.histories.log("moon-1", "moon").remarks
        assert (TEXT[start:end] == ROCKS) is move
        assert remarks.come_back is not move
        assert remarks.note.startswith("Reads differently from its file: ") is not move
        assert not project.histories.log("moon-0", "moon").remarks.come_back


def test_runs_that_name_questions_by_their_texts_are_there_when_the_project_is_opened_again(
    application, qtbot, moon, monkeypatch, tmp_path
):
    place = {"source": "corpus/moon.txt", "start_index": TEXT.index(ROCKS)}
    chunk = {"query": "What <is> there, 1?", "page_content": ROCKS, "metadata": place}
    (moon / "chunks.jsonl").write_text(json.dumps(chunk) + "\n", encoding="utf-8")
    path = tmp_path / "moon.inexview"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.keyClick(opened(application, qtbot, moon), Qt.Key.Key_P)
    for _ in range(2):
        qtbot.waitUntil(lambda: bool(application.windows) and bool(application.windows[0].session.runs))
        window = application.windows[0]
        (run,) = window.session.runs
        assert (run.topics, [*run.document.strings()]) == (("moon-1",), ["moon"])
        window.close()
        application.open_project(path)
    application.windows[0].close()


def test_ids_keep_their_suffix_if_chosen_and_the_choice_is_stored(
    application, qtbot, moon, monkeypatch, tmp_path, settings
):
    place = {"source": "moon", "start_index": TEXT.index(ROCKS)}
    run = {"query": "What <is> there, 1?", "page_content": ROCKS, "metadata": place}
    (moon / "chunks.jsonl").write_text(json.dumps(run) + "\n", encoding="utf-8")
    shown = opened(application, qtbot, moon)
    texts = shown.found["Texts"].about
    assert texts.full_text.endswith("Ids are paths without .txt.")
    QTest.mouseClick(shown.change_texts, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert [one.isChecked() for one in menu.actions()[:2]] == [True, False]
    at = menu.actionGeometry(menu.actions()[1]).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(lambda: texts.full_text.endswith("Ids are paths with .txt.") and shown.look is not None)
    assert settings.get(SUFFIXES)
    assert shown.check.said.text() == "2 of 2 passages match their answers"
    path = tmp_path / "moon.inexview"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.mouseClick(shown.make, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(application.windows) and bool(application.windows[0].session.runs))
    window = application.windows[0]
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.session.document.text == TEXT
    assert [*window.session.runs[0].document.strings()] == ["moon.txt"]
    window.close()
    with Project.open(path) as project:
        assert project.pool("moon-1") == ("moon.txt",)
    out = tmp_path / "out.json"
    export = ["export", str(path), "-o", str(out), "--to", "legalbench-rag", "--lossy"]
    assert main(export) in {0, 1}
    written = json.loads(out.read_text(encoding="utf-8"))["tests"]
    assert [one["snippets"] for one in written] == [[passage(DUST)], [passage(ROCKS)]]


def test_passages_found_nowhere_are_not_offered_to_be_moved(application, qtbot, moon):
    write(moon, [{**passage(ROCKS), "answer": "it has seas"}])
    shown = opened(application, qtbot, moon)
    assert shown.differences.leave.isVisible()
    assert not shown.differences.take.isVisible()
    shown.reject()


def test_another_way_of_counting_is_used_only_if_chosen(application, qtbot, moon):
    write(moon, [passage(ROCKS, shift=1)], [passage("Nobody", shift=1)])  # 🌒 counts two
    shown = opened(application, qtbot, moon)
    assert shown.check.said.text() == "No passage matches its answer if offsets are code points"
    assert shown.check.note.text() == "2 of 2 fit as UTF-16 units."
    assert not shown.differences.isVisible()
    QTest.mouseClick(shown.check.act, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.check.said.text() == "2 of 2 passages match their answers")
    assert not shown.check.act.isVisible()
    QTest.keyClick(shown, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(application.windows))
    window = application.windows[0]
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert [TEXT[start:end] for start, end in window.session.state.marks] == [ROCKS]


@pytest.fixture
def slow(monkeypatch):
    """Return an event before which no check ends."""
    go_on = Event()
    check = benchmark_window.check_passages

    def slowly(bundle, reading, progress):
        while not go_on.wait(0.02):
            progress("passages checked", 412, 1389)
        return check(bundle, reading, progress)

    monkeypatch.setattr(benchmark_window, "check_passages", slowly)
    yield go_on
    go_on.set()


def unchecked(application, qtbot, moon):
    application.show_start()
    application.looker.open_benchmark(moon)
    qtbot.waitUntil(lambda: any(isinstance(one, BenchmarkWindow) for one in QApplication.topLevelWidgets()))
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, BenchmarkWindow))


def test_a_long_check_shows_its_progress_and_esc_cancels_it_first(application, qtbot, moon, slow):
    shown = unchecked(application, qtbot, moon)
    assert shown.said.text().startswith("LegalBench-RAG:")
    qtbot.waitUntil(lambda: shown.check.said.text() == "checking 412 of 1,389 …")
    assert shown.check.bar.isVisible()
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: shown.check.act.text() == "Check them")
    assert shown.isVisible()
    assert not shown.check.bar.isVisible()
    slow.set()
    QTest.mouseClick(shown.check.act, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.look is not None)
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()


def test_both_ways_on_are_open_while_it_is_checked(application, qtbot, moon, slow):
    shown = unchecked(application, qtbot, moon)
    QTest.keyClick(shown, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(application.windows))
    assert application.windows[0].mode is Mode.INSPECT


def test_a_folder_deleted_during_a_check_is_reported_and_can_be_checked_again(application, qtbot, moon, slow):
    shown = unchecked(application, qtbot, moon)
    away = moon.with_name("away")
    moon.rename(away)
    slow.set()
    qtbot.waitUntil(lambda: shown.check.act.text() == "Check again")
    assert "corpus" in shown.check.note.text()
    away.rename(moon)
    QTest.mouseClick(shown.check.act, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.look is not None)
    shown.reject()


def test_texts_that_are_missing_can_be_added_and_runs_too(application, qtbot, moon, monkeypatch):
    elsewhere = moon.parent / "texts"
    (moon / "corpus").rename(elsewhere)
    run = moon / "results" / "one.trec"
    run.parent.mkdir()
    run.write_text("moon-0 Q0 moon 1 2.0 mine\n", encoding="utf-8")
    (moon / "README.md").write_text("How it was made.", encoding="utf-8")
    shown = opened(application, qtbot, moon)
    texts, runs = shown.found["Texts"], shown.found["Runs"]
    assert (texts.number.text(), shown.change_texts.text()) == ("0", "Add…")
    assert (runs.number.text(), runs.source.full_text) == ("1", "results/one.trec")
    assert shown.unread.full_text == "Not read: README.md."
    other = moon.parent / "other.trec"
    other.write_text("moon-1 Q0 moon 1 2.0 yours\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(other)], ""))
    QTest.mouseClick(shown.add_runs, Qt.MouseButton.LeftButton)
    assert runs.source.full_text == "results/one.trec, other.trec"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(elsewhere))
    QTest.mouseClick(shown.change_texts, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shown.look is not None and shown.look.texts.number == 1)
    assert shown.check.said.text() == "2 of 2 passages match their answers"
    QTest.mouseClick(shown.look_at, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(application.windows))
    window = application.windows[0]
    qtbot.waitUntil(lambda: {run.id for run in window.session.runs} == {"mine", "yours"})
    qtbot.waitUntil(lambda: window.session.document is not None)
    assert window.session.document.text == TEXT


def test_a_file_can_be_read_in_another_format_and_mismatches_are_reported(application, qtbot, moon):
    shown = opened(application, qtbot, moon / "benchmarks" / "moon.json")
    QTest.mouseClick(shown.otherwise, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    squad = next(one for one in menu.actions() if one.text().startswith("SQuAD"))
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(squad).center())
    qtbot.waitUntil(lambda: shown.check.said.text().startswith("That failed"))
    assert shown.said.text().startswith("LegalBench-RAG:")
    shown.reject()


def test_in_a_narrow_window_the_question_is_under_the_table(application, qtbot, moon):
    shown = opened(application, qtbot, moon)
    shown.resize(1300, 700)
    assert shown.sample.mapTo(shown, QPoint()).x() > shown.look_at.mapTo(shown, QPoint()).x() + 600
    shown.resize(900, 700)
    qtbot.waitUntil(lambda: shown.sample.mapTo(shown, QPoint()).x() < 100)
    assert shown.sample.mapTo(shown, QPoint()).y() > shown.found["Runs"].mapTo(shown, QPoint()).y()
    shown.resize(1300, 700)
    qtbot.waitUntil(lambda: shown.sample.mapTo(shown, QPoint()).x() > 800)
    shown.reject()


def test_enter_presses_the_focused_button_once_even_if_held(application, qtbot, moon):
    shown = opened(application, qtbot, moon)
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", True)
    QApplication.sendEvent(shown.look_at, held)
    assert shown.isVisible()
    shown.add_runs.setFocus()
    pressed: list[bool] = []
    shown.add_runs.clicked.disconnect()
    shown.add_runs.clicked.connect(lambda: pressed.append(True))
    QTest.keyClick(shown.add_runs, Qt.Key.Key_Return)
    assert pressed == [True]
    assert shown.isVisible()
    QTest.keyClick(shown, Qt.Key.Key_F1)
    guide = shown.findChild(GuideWindow)
    assert guide is not None
    guide.close()
    shown.reject()


def test_a_bare_folder_of_texts_goes_to_a_new_project(application, qtbot, moon, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(NewProjectDialog, "exec", lambda own: asked.append(own.collection.line.text()))
    application.show_start()
    application.looker.open_benchmark(moon / "corpus")
    qtbot.waitUntil(lambda: asked == [str(moon / "corpus")])


def test_unusable_files_are_refused_in_a_sentence(application, qtbot, tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    start = application.show_start()
    before = start.area.said.property("role")
    assert drop(start, path)
    qtbot.waitUntil(
        lambda: start.area.said.text() == "picture.png holds no text, topics, judgements or runs."
    )
    assert (before, start.area.said.property("role")) == ("muted", "warning")
    assert start.area.help.isVisible()
    assert start.messages.current is None
    QTest.mouseClick(start.area.help, Qt.MouseButton.LeftButton)
    guide = start.findChild(GuideWindow)
    assert guide is not None
    guide.close()
