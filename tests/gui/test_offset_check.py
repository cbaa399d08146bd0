"""The offset doctor's window, driven by mouse and keys."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from inexview.core.formats.passage_lines import read_fol_qrels, write_fol_qrels, write_fol_run
from inexview.core.judgements.qrels import Qrels
from inexview.core.offset_check.examine import examine
from inexview.core.project.judgement_export import judgements_of
from inexview.core.project.project import Project
from inexview.core.text.counting import CODE_POINTS, UTF8_BYTES, Convention
from inexview.gui import offset_check as doctor_window
from inexview.gui.offset_check import DoctorWindow, FitsTable
from inexview.gui.services.messages import Messages
from inexview.gui.services.session import Session
from inexview.gui.services.settings import APPEARANCE, Appearance
from inexview.gui.services.tasks import Tasks
from inexview.gui.shell.main_window import MainWindow
from inexview.gui.shell.top_bar import ToolStrip
from tests.gui.driving import drop
from tests.miscounted import articles, counted_in, in_code_points, judgements, run_in
from tests.opened import opened

LEFT = Qt.MouseButton.LeftButton
TOPICS = '<inex-topic-file><topic id="2009001"><title>oil</title></topic></inex-topic-file>'
MERGED = Convention(UTF8_BYTES.unit, merged=True)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="module")
def texts(place):
    return articles(place / "articles", 8)


@pytest.fixture(scope="module")
def judged(texts):
    return judgements(texts)


@pytest.fixture
def files(tmp_path, judged, texts):
    """Return a folder with a file in bytes, a mixed one, one in order, and runs."""
    write_fol_qrels(counted_in(UTF8_BYTES, judged, texts), tmp_path / "bytes.txt")
    rows = [*counted_in(MERGED, judged[:3], texts), *in_code_points(judged[3:], texts)]
    write_fol_qrels(Qrels.from_judgements(rows), tmp_path / "mixed.txt")
    write_fol_qrels(in_code_points(judged, texts), tmp_path / "right.txt")
    write_fol_run(run_in(UTF8_BYTES, judged, texts), tmp_path / "run.txt")
    run = run_in(CODE_POINTS, judged, texts)
    write_fol_run(replace(run, size=run.start + run.size), tmp_path / "ends.txt")
    return tmp_path


@pytest.fixture
def project_path(place, tmp_path, texts):
    topics = tmp_path / "topics.xml"
    topics.write_text(TOPICS, encoding="utf-8")
    path = tmp_path / "oil.inexview"
    Project.create(path, collection=place / "articles", topics=topics).close()
    return path


@pytest.fixture
def window(qtbot, qapp, settings, project_path):
    opened = MainWindow(Project.open(project_path), settings, Appearance(qapp, settings))
    opened.show()
    qtbot.waitUntil(lambda: opened.session.document is not None)
    yield opened
    opened.close()
    opened.deleteLater()


@pytest.fixture
def doctors(qapp, settings, project_path):
    """Open the doctor without all of the main window around it; a context of its own for each test."""
    host = QWidget()
    errors: list[Exception] = []
    tasks = Tasks(errors.append, host)
    project = Project.open(project_path)
    session = Session(project, tasks, Messages(host), host, lambda: None)
    Appearance(qapp, settings)  # the program wears what the settings say
    opened = []

    def open_doctor(path: Path) -> DoctorWindow:
        doctor = DoctorWindow(session, tasks, settings, host, path)
        doctor.show()
        opened.append(doctor)
        return doctor

    yield open_doctor
    for doctor in opened:
        if shiboken6.isValid(doctor):
            doctor.close()
    session.catalogue.close()
    tasks.close()
    project.close()
    host.deleteLater()
    assert not errors


@pytest.fixture
def check(qtbot, doctors):
    """Open the doctor with a file and wait for what it finds."""

    def examine(path: Path) -> DoctorWindow:
        doctor = doctors(path)
        qtbot.waitUntil(lambda: doctor.file is not None)
        return doctor

    return examine


def fits_row(doctor, convention):
    names = [doctor.findings.fits.item(row, 0).text() for row in range(doctor.findings.fits.rowCount())]
    return names.index(convention.name)


def click_convention(doctor, convention):
    fits = doctor.findings.fits
    at = fits.visualItemRect(fits.item(fits_row(doctor, convention), 0)).center()
    QTest.mouseClick(fits.viewport(), LEFT, pos=at)


def click_row(doctor, row):
    rows = doctor.findings.rows
    QTest.mouseClick(rows.viewport(), LEFT, pos=rows.visualRect(rows.lines.index(row, 0)).center())


def column(doctor, number):
    model = doctor.findings.rows.lines
    return [model.data(model.index(row, number)) for row in range(model.rowCount())]


def read(qtbot, doctor, *words):
    qtbot.waitUntil(lambda: all(word in doctor.findings.pane.toPlainText() for word in words))
    return doctor.findings.pane.toPlainText()


def test_the_menu_opens_it_and_a_file_is_chosen(qtbot, window, files, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(files / "bytes.txt"), ""))
    window.book["check-offsets"].trigger()
    doctor = window.findChild(DoctorWindow)
    assert "Choose a run or qrels" in doctor.hint.status.text()
    assert not doctor.write.isVisible()
    qtbot.mouseClick(doctor.choose, LEFT)
    qtbot.waitUntil(lambda: doctor.file is not None)
    assert doctor.findings.headline.text().startswith("All 8 documents fit UTF-8 bytes; ")
    doctor.close()


def test_the_open_run_is_examined_at_once(qtbot, window, files):
    window.open_run(files / "run.txt")
    qtbot.waitUntil(lambda: window.session.run is not None)
    doctor = window.check_offsets()
    qtbot.waitUntil(lambda: doctor.file is not None)
    assert doctor.findings.headline.text() == "The offsets of this run count UTF-8 bytes."
    assert str(files / "run.txt") in doctor.files.currentText()
    assert not doctor.use.isVisible()
    doctor.close()


def test_of_two_runs_with_the_same_results_the_one_in_front_is_examined(qtbot, window, files):
    twin = files / "twin.txt"
    twin.write_bytes((files / "run.txt").read_bytes())
    window.files.open_runs([files / "run.txt", twin])
    qtbot.waitUntil(lambda: len(window.session.runs) == 2)
    window.session.select_run(window.session.runs[1])
    doctor = window.check_offsets()
    qtbot.waitUntil(lambda: doctor.file is not None)
    assert doctor.files.currentText().endswith(str(window.session.runs[1].path))
    doctor.close()


def test_the_best_convention_is_first_and_selected(check, files):
    doctor = check(files / "bytes.txt")
    assert doctor.findings.fits.convention == UTF8_BYTES
    assert doctor.findings.fits.currentRow() == 0
    assert doctor.findings.listed.full_text == "All 8 lines fit UTF-8 bytes"


def test_a_click_on_a_convention_lists_what_does_not_fit_it(check, files, judged, texts):
    doctor = check(files / "bytes.txt")
    click_convention(doctor, CODE_POINTS)
    wrong = [
        (str(line), f"{len(texts[one.document].encode()):,}", f"{len(texts[one.document]):,}")
        for line, one in enumerate(judged, 1)
        if len(texts[one.document].encode()) != len(texts[one.document])
    ]
    assert list(zip(column(doctor, 0), column(doctor, 3), column(doctor, 4), strict=True)) == wrong
    assert all("UTF-8 bytes" in fits for fits in column(doctor, 5))
    assert doctor.findings.listed.full_text == f"{len(wrong)} lines do not fit code points"


def bars(doctor, number):
    """Return what the bars of a column show; None where a cell has none."""
    table = doctor.findings.fits
    return [table.item(row, number).data(Qt.ItemDataRole.UserRole) for row in range(table.rowCount())]


def test_a_single_line_is_reported_in_the_singular(check, files, judged, texts):
    write_fol_qrels(counted_in(UTF8_BYTES, judged[:1], texts), files / "one.txt")
    doctor = check(files / "one.txt")
    assert doctor.findings.listed.full_text == "The one line fits UTF-8 bytes"
    assert doctor.findings.copy.isHidden()
    click_convention(doctor, CODE_POINTS)
    assert doctor.findings.listed.full_text == "1 line does not fit code points"
    assert doctor.findings.copy.isVisible()


def test_bars_show_documents_with_lengths_and_edges_without(check, files, judged, texts):
    write_fol_run(run_in(CODE_POINTS, judged, texts), files / "fits.txt")
    doctor = check(files / "bytes.txt")
    assert bars(doctor, 1)[0] == 1
    assert set(bars(doctor, 2)) == {None}
    doctor = check(files / "fits.txt")
    documents = {doctor.findings.fits.item(row, 1).text() for row in range(3)}
    assert documents == {"8"}  # a run says no lengths: several ways of counting explain it all
    assert set(bars(doctor, 1)) == {None}
    assert bars(doctor, 2)[0] == 1
    assert all(share < 1 for share in bars(doctor, 2)[1:])


def test_equal_readings_are_reported(check, files, tmp_path):
    (tmp_path / "plain").mkdir()
    plain = articles(tmp_path / "plain", 3, plain=3)
    write_fol_qrels(in_code_points(judgements(plain), plain), files / "plain.txt")
    diagnosis = examine(read_fol_qrels(files / "plain.txt"), opened(tmp_path / "plain"))
    table = FitsTable()
    table.show_fits(diagnosis)
    assert [table.item(row, 2).text() for row in range(3)] == [
        "100\N{NO-BREAK SPACE}%",
        "reads the same",
        "reads the same",
    ]


def test_lines_are_copied_with_the_file_and_their_number(qtbot, check, files, judged, texts):
    path = files / "bytes.txt"
    doctor = check(path)
    click_convention(doctor, CODE_POINTS)
    qtbot.mouseClick(doctor.findings.copy, LEFT)
    qtbot.waitUntil(lambda: doctor.status.text().endswith(" copied."))
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.split(": ")[0] for line in lines] == [f"{path}:{line}" for line in column(doctor, 0)]
    assert all(line.endswith("; fits UTF-8 bytes") for line in lines)
    click_row(doctor, 1)
    qtbot.keyClick(doctor.findings.rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: doctor.status.text() == "1 line copied.")
    assert QGuiApplication.clipboard().text() == lines[1]


def test_a_file_is_dropped_on_the_window(qtbot, check, files):
    doctor = check(files / "right.txt")
    assert drop(doctor, files / "bytes.txt")
    qtbot.waitUntil(lambda: doctor.file is not None and doctor.file.path == files / "bytes.txt")


def test_no_column_of_the_lines_is_cut_off_in_a_small_window(qtbot, check, files):
    doctor = check(files / "bytes.txt")
    doctor.resize(doctor.minimumSizeHint())
    rows = doctor.findings.rows
    assert rows.horizontalHeader().length() <= rows.viewport().width()
    assert all(rows.columnWidth(at) >= rows.horizontalHeader().sectionSizeHint(at) for at in range(6)), [
        (rows.columnWidth(at), rows.horizontalHeader().sectionSizeHint(at)) for at in range(6)
    ]
    assert rows.viewport().height() >= 2 * rows.rowHeight(0)


def test_a_copy_that_little_speaks_for_is_no_main_button(check, files, judged):
    wrong = [replace(one, length=one.length + 41) for one in judged]
    write_fol_qrels(Qrels.from_judgements(wrong), files / "wrong.txt")
    assert check(files / "wrong.txt").write.property("role") == ""
    assert check(files / "bytes.txt").write.property("role") == "primary"


def test_arrows_move_through_the_conventions(qtbot, check, files):
    doctor = check(files / "bytes.txt")
    qtbot.keyClick(doctor.findings.fits, Qt.Key.Key_Down)
    assert doctor.findings.fits.currentRow() == 1
    assert doctor.findings.fits.convention != UTF8_BYTES


def test_a_click_on_a_line_reads_its_passage_under_each_convention(qtbot, check, files, judged, texts):
    doctor = check(files / "bytes.txt")
    click_convention(doctor, CODE_POINTS)
    click_row(doctor, 1)
    line = column(doctor, 0)[1]
    one = judged[int(line) - 1]
    start, end = next(iter(one.passages))
    told = read(qtbot, doctor, f"Line {line}, document {one.document}:", f"{start:,}–{end:,}", "✓")
    first = texts[one.document][start:end].split()[0]
    right = told.split("UTF-8 bytes", 1)[1]
    assert first in right
    assert told.index("UTF-8 bytes") < told.index("code points")  # what fits stands first


def test_the_copy_is_written_and_can_be_opened(qtbot, window, files, judged, texts, monkeypatch):
    copy = files / "copy.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    doctor = window.check_offsets(files / "bytes.txt")
    qtbot.waitUntil(lambda: doctor.file is not None)
    qtbot.mouseClick(doctor.write, LEFT)
    qtbot.waitUntil(doctor.show_copy.isVisible)
    assert read_fol_qrels(copy) == in_code_points(judged, texts)
    assert doctor.status.text().startswith("copy.txt: ")
    qtbot.mouseClick(doctor.show_copy, LEFT)
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "copy.txt" in window.messages.current.text
    doctor.close()


def test_a_mixed_file_is_corrected_document_by_document_unless_unwanted(
    qtbot, check, files, judged, texts, monkeypatch
):
    doctor = check(files / "mixed.txt")
    assert doctor.findings.headline.text().startswith("The file is mixed: 5 of 8 documents fit code points")
    assert doctor.mixed.isVisible()
    assert doctor.mixed.isChecked()
    copy = files / "copy.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    qtbot.mouseClick(doctor.write, LEFT)
    qtbot.waitUntil(doctor.show_copy.isVisible)
    assert read_fol_qrels(copy) == in_code_points(judged, texts)
    doctor.mixed.click()
    assert not doctor.write.isEnabled()  # the others are code points already


def test_where_all_is_in_order_there_is_nothing_to_write(check, files):
    doctor = check(files / "right.txt")
    assert "nothing needs correcting" in doctor.findings.headline.text()
    assert not doctor.write.isEnabled()


def test_the_file_itself_is_never_overwritten(qtbot, check, files, monkeypatch):
    path = files / "bytes.txt"
    before = path.read_bytes()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    doctor = check(path)
    qtbot.mouseClick(doctor.write, LEFT)
    qtbot.waitUntil(lambda: "would overwrite" in doctor.status.text())
    assert path.read_bytes() == before
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(files / "mine.inexview"), ""))
    qtbot.mouseClick(doctor.write, LEFT)
    qtbot.waitUntil(lambda: "has the suffix of a project" in doctor.status.text())


def test_ends_for_lengths_are_read_as_ends_on_request(qtbot, check, files):
    doctor = check(files / "ends.txt")
    assert "looks like the end of a passage" in doctor.findings.headline.text()
    assert not doctor.write.isEnabled()
    qtbot.mouseClick(doctor.findings.as_ends, LEFT)
    qtbot.waitUntil(lambda: "nothing needs correcting" in doctor.findings.headline.text())
    assert not doctor.findings.as_ends.isVisible()


def test_the_projects_qrels_take_the_convention_over(qtbot, check, files, project_path):
    doctor = check(files / "bytes.txt")
    assert doctor.use.isEnabled()
    qtbot.mouseClick(doctor.use, LEFT)
    with Project.open(project_path, read_only=True) as project:
        assert project.convention == UTF8_BYTES
    assert not doctor.use.isEnabled()
    click_convention(doctor, CODE_POINTS)
    assert doctor.use.isEnabled()


def test_the_window_behind_the_doctor_says_how_qrels_count_now(qtbot, window, files):
    doctor = window.check_offsets(files / "bytes.txt")
    qtbot.waitUntil(lambda: doctor.file is not None)
    qtbot.mouseClick(doctor.use, LEFT)
    assert "qrels in UTF-8 bytes" in [strip.text() for strip in window.status.findChildren(ToolStrip)]
    doctor.close()


def test_unreadable_files_are_reported_in_the_window(qtbot, doctors, files):
    broken = files / "broken.txt"
    broken.write_text("nothing of the kind\n", encoding="utf-8")
    doctor = doctors(broken)
    qtbot.waitUntil(lambda: "broken.txt" in doctor.hint.status.text())
    assert doctor.hint.choose.isVisible()
    assert doctor.hint.choose.text() == "Choose another file…"


def test_a_missing_document_is_reported_at_its_line(qtbot, check, files, judged, texts):
    rows = [*in_code_points(judged, texts), replace(judged[0], document="999")]
    write_fol_qrels(Qrels.from_judgements(rows), files / "more.txt")
    doctor = check(files / "more.txt")
    assert (column(doctor, 2), column(doctor, 4)) == (["999"], ["missing"])
    read(qtbot, doctor, "Line 9, document 999 is not in the collection.")


def test_work_is_cancelled_by_its_button_and_by_closing(qtbot, doctors, files, monkeypatch):
    going, stopped = threading.Event(), threading.Event()

    def forever(_path, _collection, progress, **_how):
        try:
            while True:
                going.set()
                progress("documents read", 3, 8)
                QTest.qSleep(5)
        finally:
            stopped.set()

    monkeypatch.setattr(doctor_window, "examined", forever)
    doctor = doctors(files / "bytes.txt")
    qtbot.waitUntil(lambda: doctor.working.status.text() == "3 of 8 documents read")
    qtbot.mouseClick(doctor.working.cancel, LEFT)
    qtbot.waitUntil(lambda: "Cancelled" in doctor.hint.status.text())
    assert stopped.is_set()
    going.clear()
    stopped.clear()
    doctor.examine(files / "bytes.txt")
    qtbot.waitUntil(going.is_set)
    qtbot.keyClick(doctor, Qt.Key.Key_Escape)
    qtbot.waitUntil(stopped.is_set)


def test_the_theme_changes_the_words_that_are_shown(qtbot, check, files, settings):
    doctor = check(files / "bytes.txt")
    read(qtbot, doctor, "Line 1,")
    before = doctor.findings.pane.toHtml()
    settings.set(APPEARANCE, "dark")
    assert doctor.findings.pane.toHtml() != before


def test_a_closed_window_hears_of_no_theme(qtbot, check, files, settings):
    doctor = check(files / "right.txt")
    with qtbot.waitSignal(doctor.destroyed):
        doctor.close()
    settings.set(APPEARANCE, "dark")  # an error in a slot would fail the test


def test_every_button_has_a_name_and_no_key_of_the_window_is_taken(check, files):
    doctor = check(files / "bytes.txt")
    assert all(button.text() or button.accessibleName() for button in doctor.findChildren(QPushButton))
    assert not any(button.autoDefault() for button in doctor.findChildren(QPushButton))


# -- led here by a file that looks wrong ---------------------------------------------------------------


def ready(qtbot, window):
    """Wait until the collection is indexed: a quick look at offsets waits for nothing."""
    qtbot.waitUntil(lambda: window.session.project.collection.ready)


def found_by(qtbot, window):
    qtbot.waitUntil(lambda: window.findChild(DoctorWindow) is not None)
    doctor = window.findChild(DoctorWindow)
    qtbot.waitUntil(lambda: doctor.file is not None)
    return doctor


def test_a_run_in_bytes_is_opened_with_a_message_that_leads_to_the_doctor(qtbot, window, files):
    ready(qtbot, window)
    window.open_run(files / "run.txt")
    qtbot.waitUntil(lambda: window.messages.current is not None)
    message = window.messages.current
    assert message.text.endswith(
        "run.txt is open, but its offsets seem to count UTF-8 bytes, and are read as code points."
    )
    qtbot.mouseClick(window.messages.findChild(QPushButton), LEFT)
    doctor = found_by(qtbot, window)
    assert doctor.file.path == files / "run.txt"
    doctor.close()


@pytest.mark.parametrize("all_the_same", [False, True])
def test_qrels_in_bytes_are_imported_only_after_a_question(qtbot, window, files, monkeypatch, all_the_same):
    ready(qtbot, window)
    asked = []
    monkeypatch.setattr(
        "inexview.gui.commands.files.ask", lambda *words: [asked.append(words), all_the_same][1]
    )
    window.files.import_qrels(files / "bytes.txt")
    qtbot.waitUntil(lambda: bool(asked))
    assert "count UTF-8 bytes, and are read as code points" in asked[0][2]
    project = window.session.project
    if all_the_same:
        qtbot.waitUntil(lambda: bool(project.touched("2009001")))
    else:
        found_by(qtbot, window).close()
        assert not judgements_of(project).judgements


def test_files_in_order_lead_nowhere(qtbot, window, files, judged):
    ready(qtbot, window)
    window.files.import_qrels(files / "right.txt")
    qtbot.waitUntil(lambda: len(judgements_of(window.session.project).judgements) == len(judged))
    assert window.findChild(DoctorWindow) is None
