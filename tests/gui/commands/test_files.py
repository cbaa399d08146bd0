"""Files from any year, opened in the window as they are: what each is, and what becomes of it."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from inexview.core.files import resource
from inexview.core.formats.conversion import look, read_all
from inexview.core.formats.format import RUNS
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.judgements.topics import Topic
from inexview.core.offset_check.examine import suspicion
from inexview.core.progress import unwatched
from inexview.core.project.project import Project
from inexview.gui.services.messages import MessageKind
from inexview.gui.services.settings import Appearance, Settings
from inexview.gui.shell.main_window import MainWindow, Mode
from tests.gui.driving import answering, drop, see_runs, shown_window, told
from tests.opened import opened

ARTICLE = "<article><name>Lens {0}</name><body><p>The first, of {0}.</p><p>The second.</p></body></article>"
P2 = "/article[1]/body[1]/p[2]"
SUBMISSION = f"""<inex-submission participant-id="19" run-id="elements" task="Focused">
<topic topic-id="1"><result><file>1</file><path>{P2}</path><rank>1</rank></result>
<result><file>2</file><path>{P2}</path><rank>2</rank></result></topic></inex-submission>"""
ASSESSMENTS = f"""<assessments pool="7" topic="1" version="2" whitespace-text-node="strip">
<file collection="wikipedia" name="2"><best-entry-point path="{P2}"/>
<passage start="{P2}/text()[1].0" end="{P2}/text()[1].11" size="11"/></file></assessments>"""
IEEE = """<assessments pool="42" topic="1"><file collection="ieee" name="2">
<element path="/article[1]" E="1" size="40" rsize="11"/></file></assessments>"""


@pytest.fixture
def project(tmp_path):
    articles = tmp_path / "articles"
    articles.mkdir()
    for number in range(1, 4):
        (articles / f"{number}.xml").write_text(ARTICLE.format(number), encoding="utf-8")
    path = tmp_path / "mine.inexview"
    Project.create(path, collection=articles, topics=[Topic("1", "lenses")], assessor="ada").close()
    return path


@pytest.fixture
def window(qtbot, qapp, tmp_path, project):
    settings = Settings(tmp_path / "settings.ini")
    made = MainWindow(Project.open(project), settings, Appearance(qapp, settings))
    made.show()
    qtbot.waitUntil(lambda: made.session.document is not None)
    yield made
    made.close()
    made.deleteLater()


def write(tmp_path, text, name="what.ever"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def click_message(qtbot, window):
    qtbot.mouseClick(window.messages._button, Qt.MouseButton.LeftButton)


def told_of(name, lines):
    return any(name in line for line in lines)


def text_of(window, document, span):
    return opened(window.session.project.contents.collection_path).load(document).text[span[0] : span[1]]


def test_a_submission_by_elements_is_resolved_in_the_projects_articles(window, qtbot, tmp_path):
    window.open_run(write(tmp_path, SUBMISSION))
    qtbot.waitUntil(lambda: window.session.run is not None)
    first = window.session.run.results("1")[0]
    assert text_of(window, "1", (first.start, first.end)) == "The second."
    see_runs(window)
    assert window.mode is Mode.INSPECT


def test_a_run_of_elements_in_lines_is_resolved_too(window, qtbot, tmp_path):
    window.open_run(write(tmp_path, f"1 Q0 1 1 0.9 mine {P2}\n1 Q0 2 2 0.8 mine {P2}\n"))
    qtbot.waitUntil(lambda: window.session.run is not None)
    assert [one.known for one in window.session.run.results("1")] == [True, True]


def test_assessments_of_passages_are_imported_as_marks(window, qtbot, tmp_path):
    window.files.import_qrels(write(tmp_path, ASSESSMENTS))
    qtbot.waitUntil(lambda: window.session.project.state("1", "2").finished)
    (mark,) = window.session.project.state("1", "2").marks
    assert text_of(window, "2", mark) == "The second."
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert "1 judgement" in window.messages.current.text


ELSEWHERE = "".join(f"1 Q0 absent{number} 0 9\n" for number in range(7))


@pytest.mark.parametrize(("answer", "judged"), [("Import the other 1", {"2"}), ("Cancel", set())])
def test_importing_qrels_of_another_collection_asks_first(
    window, qtbot, tmp_path, monkeypatch, answer, judged
):
    asked = answering(monkeypatch, answer)
    length = len(opened(window.session.project.contents.collection_path).load("2").text)
    window.files.import_qrels(write(tmp_path, f"{ELSEWHERE}1 Q0 2 0 {length}\n", "other.txt"))
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == ["7 of 8 judged documents are not in the collection."]
    if judged:
        message = told(qtbot, window.messages, "1 judgement is in the project now")
        assert "7 judged documents are not in the collection and were left out: absent0," in message.text
    assert set(window.session.project.histories.states("1")) == judged


def test_of_qrels_without_any_document_of_the_collection_nothing_is_imported(window, qtbot, tmp_path):
    window.files.import_qrels(write(tmp_path, ELSEWHERE, "other.txt"))
    told(qtbot, window.messages, "none of its 7 judged documents is in the collection: absent0, absent1,")
    assert not window.session.project.histories.states("1")


def test_importing_known_judgements_changes_nothing_with_a_message(window, qtbot, tmp_path):
    path = write(tmp_path, ASSESSMENTS)
    window.files.import_qrels(path)
    qtbot.waitUntil(lambda: window.session.project.state("1", "2").finished)
    window.files.import_qrels(path)
    assert told(qtbot, window.messages, "Nothing new in").text.endswith("the project stays as it is.")


def test_assessments_opened_as_a_run_are_offered_for_import(window, qtbot, tmp_path):
    window.open_run(write(tmp_path, ASSESSMENTS))
    told(qtbot, window.messages, "it has judgements")
    click_message(qtbot, window)
    qtbot.waitUntil(lambda: window.session.project.state("1", "2").finished)


def test_a_run_imported_as_judgements_is_offered_to_be_opened(window, qtbot, tmp_path):
    window.files.import_qrels(write(tmp_path, SUBMISSION))
    told(qtbot, window.messages, "it is a run")
    click_message(qtbot, window)
    qtbot.waitUntil(lambda: window.session.run is not None)


def test_assessments_of_whole_elements_are_explained(window, qtbot, tmp_path):
    window.files.import_qrels(write(tmp_path, IEEE))
    message = told(qtbot, window.messages, "it cannot be shown as passages")
    assert message.kind is MessageKind.ERROR
    assert "inexview eval" in message.text
    assert window.session.project.touched("1") == ()


@pytest.mark.parametrize(("name", "holds"), [("topics.xml", "topics"), ("pool.xml", "a pool")])
def test_topics_and_pools_are_offered_as_parts_of_a_new_project(window, qtbot, name, holds):
    path = resource("sample") / name
    window.open_run(path)
    message = told(qtbot, window.messages, f"{name} holds {holds}")
    assert message.button == "New project…"
    with qtbot.waitSignal(window.files.project_wanted) as wanted:
        click_message(qtbot, window)
    assert path in (wanted.args[0].topics, wanted.args[0].pool)


def test_a_collection_is_offered_as_the_part_of_a_new_project(window, qtbot, tmp_path):
    (tmp_path / "wiki.tar.bz2").write_bytes(b"BZh9")
    window.open_run(tmp_path / "wiki.tar.bz2")
    told(qtbot, window.messages, "wiki.tar.bz2 holds articles")
    with qtbot.waitSignal(window.files.project_wanted) as wanted:
        click_message(qtbot, window)
    assert wanted.args[0].collection == tmp_path / "wiki.tar.bz2"


def test_errors_of_several_files_are_one_message_and_good_files_open(window, qtbot, tmp_path):
    good, odd = write(tmp_path, SUBMISSION, "good"), write(tmp_path, "what is this\n", "odd")
    elsewhere = write(tmp_path, SUBMISSION.replace('topic-id="1"', 'topic-id="77"'), "elsewhere")
    judged = write(tmp_path, "1 Q0 2 3 33 1 1:3\n", "judged")
    drop(window, *[tmp_path / "gone", good, odd, elsewhere, judged, resource("sample") / "pool.xml"])
    message = told(qtbot, window.messages, "gone")
    assert message.kind is MessageKind.ERROR
    lines = message.lines or message.text.splitlines()
    named = [name for name in ("gone", "odd", "elsewhere", "judged", "pool.xml") if told_of(name, lines)]
    assert named == ["gone", "odd", "elsewhere", "judged", "pool.xml"]
    assert [run.path.name for run in window.session.runs] == ["good", "elsewhere"]
    assert window.session.run.path == good
    click_message(qtbot, window)
    dialog = QApplication.activeModalWidget()
    assert "odd" in dialog.findChild(QPlainTextEdit).toPlainText()
    dialog.close()


def test_what_can_be_done_about_one_of_several_files_can_be_done_from_their_message(window, qtbot, tmp_path):
    judged = write(tmp_path, "1 Q0 2 3 33 1 1:3\n", "judged")
    window.files.open_runs([tmp_path / "gone", judged])
    assert told(qtbot, window.messages, "gone").button == "Import"
    click_message(qtbot, window)
    qtbot.waitUntil(lambda: window.session.project.state("1", "2").relevant)


def test_a_run_of_elements_waits_for_the_index_and_reports_its_cancellation(
    qtbot, qapp, tmp_path, project, monkeypatch
):
    from tests.gui.services.test_preparation import Gate

    gate = Gate(monkeypatch)
    with shown_window(qapp, project) as window:
        qtbot.waitUntil(lambda: window.session.preparation.under_way)
        window.open_run(write(tmp_path, SUBMISSION, "elements.xml"))
        qtbot.waitUntil(lambda: len(window.session.preparation._waiting) == 1)
        qtbot.waitUntil(lambda: window.activity.lines[0].isVisible())
        qtbot.mouseClick(window.activity.lines[0].button, Qt.MouseButton.LeftButton)
        told(qtbot, window.messages, "elements.xml speaks of places in the articles")
        gate.open.set()
        click_message(qtbot, window)
        qtbot.waitUntil(lambda: window.session.run is not None)


def test_judgements_waiting_for_a_cancelled_index_can_be_resumed(qtbot, qapp, tmp_path, project, monkeypatch):
    from tests.gui.services.test_preparation import Gate

    gate = Gate(monkeypatch)
    with shown_window(qapp, project) as window:
        qtbot.waitUntil(lambda: window.session.preparation.under_way)
        window.files.import_qrels(write(tmp_path, "1 Q0 2 3 30 1 1:3\n", "qrels.txt"))
        qtbot.waitUntil(lambda: len(window.session.preparation._waiting) == 1)
        qtbot.waitUntil(lambda: window.activity.lines[0].isVisible())
        qtbot.mouseClick(window.activity.lines[0].button, Qt.MouseButton.LeftButton)
        told(qtbot, window.messages, "Nothing of qrels.txt was imported")
        gate.open.set()
        click_message(qtbot, window)
        qtbot.waitUntil(lambda: window.session.project.state("1", "2").relevant)


def test_cancelled_reading_changes_nothing(window, qtbot, tmp_path, monkeypatch):
    def endless(files, asked, collection, progress, *_convention):
        done = 0
        while True:
            done += 1
            progress("articles read", done, 10_000_000)

    monkeypatch.setattr("inexview.core.formats.conversion.read_all", endless)
    window.open_run(write(tmp_path, SUBMISSION, "elements.xml"))
    qtbot.waitUntil(lambda: any(line.isVisible() for line in window.activity.lines))
    line = window.activity.lines[0]
    assert line.task.what == "Reading elements.xml"
    qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: line.news.full_text == "cancelled")
    assert window.session.runs == ()
    assert window.messages.current is None
    assert window.mode is Mode.ASSESS


def test_reading_a_file_never_indexes_the_collection_behind_the_windows_back(tmp_path):
    folder = tmp_path / "wiki" / "part"
    folder.mkdir(parents=True)
    (folder / "1.xml").write_text(ARTICLE.format(1), encoding="utf-8")
    files = [write(tmp_path, "1 Q0 1 9 99 0 0:9\n", "a"), write(tmp_path, "1 Q0 1 1 1 r 0 9\n", "b")]
    collection = opened(folder.parent)
    doubt_of = partial(suspicion, collection=collection)
    read = read_all(look(files), RUNS, collection, unwatched, doubt_of)
    assert [type(one.content) for one in read] == [Qrels, Run]
    assert [one.doubt for one in read] == [None, None]
    assert not collection.ready
    collection.prepare()
    assert read_all(look(files), RUNS, collection, unwatched, doubt_of)[0].doubt is not None
    collection.close()


def test_runs_that_come_together_are_taken_in_one_step_and_many_missing_documents_are_counted(
    window, qtbot, tmp_path
):
    missing = [f"gone{at}" for at in range(250)]
    for name in ("first", "second", "third"):
        lines = [f"1 Q0 {document} {rank} 1.0 {name} 0 10" for rank, document in enumerate(missing, 1)]
        write(tmp_path, "\n".join(lines) + "\n", f"{name}.txt")
    changes = []
    window.session.runs_changed.connect(changes.append)
    window.files.open_runs([tmp_path / f"{name}.txt" for name in ("first", "second", "third")])
    qtbot.waitUntil(lambda: len(window.session.runs) == 3)
    assert len(changes) == 1
    assert window.session.run.id == "first"
    message = window.messages

    def all_are_told():
        lines = [] if message.current is None else message.current.lines
        return all(any(f"of {run.id} are not" in line for line in lines) for run in changes[0])

    qtbot.waitUntil(all_are_told)
    assert sum(line.endswith("… and 150 more") for line in message.current.lines) == 3
    assert len(message.current.lines) < 330
