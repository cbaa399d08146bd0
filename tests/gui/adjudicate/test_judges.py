"""The page of Judges, by mouse, keys and files that are dropped: verdict, figures, lists, quotes, undo."""

from __future__ import annotations

import json
import random
import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inexview.cli import main
from inexview.core.answers.judges import ModelLabel, ModelLabels
from inexview.core.judgements.qrels import Pool, PooledDocument
from inexview.core.judgements.topics import Topic
from inexview.core.open_runs.judges import RANK
from inexview.core.project.model_labels import add_labels
from inexview.core.project.project import Project
from inexview.core.project.reviews import set_grade, set_scale
from inexview.core.wording import percent
from inexview.gui.adjudicate.judges_panels import AskedDialog
from inexview.gui.commands.help import GuideWindow
from inexview.gui.services.actions import Room
from inexview.gui.shell.main_window import Mode
from tests.cli.test_judge_forms import FORMS, OIL
from tests.gui.driving import drop, file_named, shown_window, told

TOPIC = "q1"
TABLE = ((20, 4, 1), (3, 6, 2), (2, 1, 5))  # person in rows, model in columns
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
NASTY = "<b>bold</b>\x00\x1b[31m\u202e so " + "x" * 30_000


def text_of(name):
    return f"Title of {name}.\n\nThe first sentence of {name}. The second one is quoted here. The last one."


def grades():
    return [(a, b) for a, row in enumerate(TABLE) for b, number in enumerate(row) for _ in range(number)]


def labels_of(model, listed, quotes=True):
    made = []
    for at, (_, grade) in enumerate(listed):
        said = ("The second one is quoted here", "never written") if quotes and at % 2 else ()
        said = ("The first sentence",) if quotes and not at % 3 else said
        made.append(
            ModelLabel(
                TOPIC, f"d{at}", grade, f"because {at}", said, model, shown=(0, 40) if at % 2 else None
            )
        )
    return made


def make_project(folder, models, *, judge=True, graded=True):
    (folder / "texts").mkdir()
    listed = grades()
    for at in range(len(listed)):
        (folder / "texts" / f"d{at}.txt").write_text(text_of(f"d{at}"), encoding="utf-8")
    path = folder / "judges.inexview"
    pool = Pool({TOPIC: tuple(PooledDocument(f"d{at}") for at in range(len(listed)))})
    topics = [Topic(TOPIC, "about something"), Topic("q2", "nothing")]
    with Project.create(
        path, collection=folder / "texts", topics=topics, pool=pool, assessor="ada", entry_points=False
    ) as project:
        set_scale(project, ["0", "1", "2"])
        for at, (person, _) in enumerate(listed if judge else ()):
            document = f"d{at}"
            if person:
                project.mark(TOPIC, document, 20, 50)
                project.finish(TOPIC, document)
                if graded:
                    set_grade(project, TOPIC, document, str(person))
            else:
                project.not_relevant(TOPIC, document)
        add_labels(project, ModelLabels(tuple(label for one in models for label in one)))
    return path


def make_runs(folder, number, prefix="run"):
    chance, paths = random.Random(1), []
    names = [f"d{at}" for at in range(len(grades()))]
    for at in range(number):
        chance.shuffle(names)
        path = folder / f"run{at}.run"
        lines = (f"{TOPIC} Q0 {name} {rank} {100 - rank} {prefix}{at}" for rank, name in enumerate(names, 1))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def settled(window, qtbot):
    """Wait until every model is compared, and the quotes of the chosen one are looked for."""
    judges = window.judges

    def there():
        compared = judges.compared
        computed = {*judges.models} <= {*compared.standings} and compared.model in compared.quotes
        return computed or compared.persons == []

    qtbot.waitUntil(there, timeout=20_000)


def enter(window, qtbot):
    qtbot.waitUntil(lambda: window.session.document is not None or window.judges.active)
    QTest.keyClick(window, Qt.Key.Key_5, CONTROL)
    assert window.mode is Mode.JUDGES
    settled(window, qtbot)


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    models = labels_of("good", grades()), labels_of("other", [(0, 2)] * 44, quotes=False)
    with shown_window(qapp, make_project(tmp_path, models), (1440, 900)) as made:
        qtbot.waitUntil(lambda: made.session.document is not None)
        enter(made, qtbot)
        yield made


def test_a_title_that_comes_late_reaches_list_and_panel(qapp, qtbot, tmp_path, request):
    path = make_project(tmp_path, (labels_of("good", grades()),))
    known = request.getfixturevalue("titles")
    with shown_window(qapp, path, (1440, 900)) as window:
        enter(window, qtbot)
        title, row = window.judges.right.title, window.judges.page.model.rows[0]
        assert title.full_text == row.title == row.document
        known.set()
        qtbot.waitUntil(lambda: window.judges.page.model.rows[0].title == f"Title of {row.document}.")
        qtbot.waitUntil(lambda: title.full_text == f"Title of {row.document}.")
        assert row.document in window.judges.right.facts.text()


def titles(window):
    return [row.document for row in window.judges.page.model.rows]


def test_the_sentence_is_that_of_the_command_line(window, qtbot, tmp_path, capsys):
    runs = make_runs(tmp_path, 4)
    window.files.open_runs(runs, lambda: None)
    qtbot.waitUntil(lambda: len(window.session.runs) == 4)
    settled(window, qtbot)
    page = window.judges.page
    person = tmp_path / "person.qrels"
    rows = (f"{TOPIC} 0 d{at} {grade}" for at, (grade, _) in enumerate(grades()))
    person.write_text("\n".join(rows) + "\n", encoding="utf-8")
    model = tmp_path / "good.jsonl"
    values = ({"qid": TOPIC, "docid": f"d{at}", "judgment": grade} for at, (_, grade) in enumerate(grades()))
    model.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    given = ["agree", str(person), "--model", str(model), "--runs", *map(str, runs), "--format", "json"]
    assert main(given) == 1
    said = json.loads(capsys.readouterr().out)["good"]
    assert page.heading.accessibleName() == said["said"]
    assert said["said"].startswith(page.heading.text().removesuffix("."))
    assert page.kappa.value.text() == f"{said['weighted κ']:.3f}"
    assert page.tau.value.text() == f"{said['τ']:.3f}"
    assert page.grades._agreement.matrix.tolist() == said["matrix"]
    assert window.judges.left.values["α"].text() == f"{said['α']:.3f}"
    shown = {name: value.text() for name, value in window.judges.left.values.items()}
    count = len(said["documents"])
    assert shown == {
        "weighted κ": f"{said['weighted κ']:.3f}",
        "interval": f"{said['low']:.3f} to {said['high']:.3f}",
        "κ": f"{said['κ']:.3f}",
        "α": f"{said['α']:.3f}",
        "same": f"{said['same']} of {count} ({percent(said['same'] / count)})",
        "higher": f"{said['higher']}, {said['lower']}",
    }
    standing = window.judges.compared.standings["good"]
    shares = page.grades._agreement.precision
    assert {str(grade): share for grade, share in shares.items()} == said["precision"]
    order = [{"run": run.run, "person": run.person, "model": run.model} for run in page.order._order.runs]
    assert order == said["order"]
    ranks = {what: [third._asdict() for third in thirds] for what, thirds in standing.biases.items()}
    assert ranks[RANK] == said["bias"][RANK]


def test_the_list_is_walked_and_turned_over_by_keys(window, qtbot):
    page = window.judges.page
    apart = [f"d{at}" for at, (person, model) in enumerate(grades()) if abs(person - model) == 2]
    assert sorted(titles(window)) == sorted(apart)
    window.grab()
    last = page.view.visualRect(page.model.index(2)).bottom()
    assert page.section.y() - page.view.y() - last < 20, "what else can be listed follows the last document"
    qtbot.waitUntil(page.view.hasFocus)
    for _ in range(30):  # held
        QTest.keyClick(page.view, Qt.Key.Key_Down)
    assert page.delegate.current == titles(window)[-1]
    assert window.judges.right.heading.full_text == "This document · 3 of 3"
    QTest.mouseClick(page.section, Qt.MouseButton.LeftButton)
    assert len(titles(window)) == 10
    assert "One grade apart" in page.listed.full_text
    QTest.mouseClick(page.section, Qt.MouseButton.LeftButton)
    assert len(titles(window)) == 3


def test_a_cell_lists_its_documents_and_esc_lists_those_that_differ(window, qtbot):
    page, table = window.judges.page, window.judges.page.grades
    cell = table.cell_rect(1, 1).center().toPoint()
    QTest.mouseClick(table, Qt.MouseButton.LeftButton, pos=cell)
    assert len(titles(window)) == TABLE[1][1]
    assert page.listed.full_text == "Person 1, model 1  6 of 44 documents"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert len(titles(window)) == 3
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.mode is Mode.ASSESS
    assert window.book.room is Room.ASSESS
    assert window.article.isVisible()


def test_cells_and_figures_are_reached_by_keys_too(window, qtbot):
    table, left = window.judges.page.grades, window.judges.left
    table.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(table, key)
    window.grab()
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert window.judges.page.listed.full_text == "Person 2, model 1  1 of 44 documents"
    name = left.names["κ"]
    name.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(name, Qt.Key.Key_Space)
    assert left.derivation.text().startswith("κ: (same − same by chance)")


def test_a_click_on_a_figure_takes_it_apart_and_esc_closes_that(window, qtbot):
    left = window.judges.left
    QTest.mouseClick(left.names["weighted κ"], Qt.MouseButton.LeftButton)
    assert left.derivation.text().endswith(f"= {left.values['weighted κ'].text()}")
    table = window.judges.page.grades
    QTest.mouseClick(table, Qt.MouseButton.LeftButton, pos=table._below(0, 1).center().toPoint())
    assert "of 25 documents that the model grades 0, the person grades 20 so: 0.800" in left.derivation.text()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert left.derivation.isHidden()
    assert window.mode is Mode.JUDGES


def at_document(window, qtbot, document):
    """Walk to a document of the list."""
    view = window.judges.page.view
    row = titles(window).index(document)
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(row, 0)).center()
    )


def test_quotes_open_the_article_where_they_are(window, qtbot):
    judges = window.judges
    document = next(name for name in titles(window) if int(name[1:]) % 2 and int(name[1:]) % 3)
    judges._walk(document)
    said = [line.said.text() for line in judges.right.quotes[:2]]
    start = text_of(document).index("The second")
    assert said == [f"✓ found at {start}, to the letter", "✗ not found in the text"]
    first, second = judges.right.quotes[:2]
    assert first.ask.isHidden()
    qtbot.waitUntil(lambda: judges._text[0] == document and judges._text[1] is not None)
    QTest.mouseClick(second.ask, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "no 3 words of it in a row are in the text" in second.said.text())
    assert second.said.text().startswith("✗ not found in the text")
    QTest.keyClick(judges.page.view, Qt.Key.Key_1)
    qtbot.waitUntil(lambda: window.session.document_id == document and judges.looking)
    assert window.book.room is Room.QUOTES
    qtbot.waitUntil(
        lambda: [one.span for one in window.article.overlay.beside.suggested] == [(start, start + 29)]
    )
    before = window.session.project.journal.last
    QTest.keyClick(window, Qt.Key.Key_H)
    QTest.keyClick(window, Qt.Key.Key_F)
    assert window.session.project.state(TOPIC, document).finished
    QTest.keyClick(window, Qt.Key.Key_2)
    told(qtbot, window.messages, "Quote 2 is not in the text.")
    QTest.keyClick(window, Qt.Key.Key_Q, ALT)
    assert window.book.room is Room.JUDGES
    assert not window.article.overlay.beside.suggested
    assert window.session.project.journal.last == before  # looking changed no judgement
    assert titles(window)[judges.page.view.currentIndex().row()] == document


def test_the_persons_grade_holds_by_key_and_is_in_the_record(window, qtbot):
    first, second, _ = titles(window)
    QTest.keyClick(window.judges.page.view, Qt.Key.Key_Y)
    rows = {row.document: row for row in window.judges.page.model.rows}
    assert rows[first].stands
    assert window.judges.page.delegate.current == second
    window.judges._walk(first)
    QTest.keyClick(window.judges.page.view, Qt.Key.Key_Y)
    assert not {row.document: row for row in window.judges.page.model.rows}[first].stands


def test_another_model_and_its_removal_with_undo(window, qtbot):
    judges = window.judges
    view = judges.left.view
    row = next(at for at, one in enumerate(judges.left.model.rows) if one.name == "other")
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(row, 0)).center()
    )
    settled(window, qtbot)
    assert judges.page.of_model.full_text == "other"
    assert not judges.page.headings.shown["quotes"]  # it quotes nothing
    assert not judges.page.headings.shown["ranks"]  # and no run is open
    QTest.mouseClick(judges.left.remove, Qt.MouseButton.LeftButton)
    message = told(qtbot, window.messages, "other is removed from the project.")
    assert [*judges.models] == ["good"]
    message.offers[0].action()
    assert [*judges.models] == ["good", "other"]


def test_another_assessor_is_compared_by_a_click(window, qtbot, tmp_path):
    judges, other = window.judges, tmp_path / "ben.qrels"
    lines = (
        f"{TOPIC} Q0 d{at} {30 if at < 22 else 0} 80 20 {'20:30' if at < 22 else ''}" for at in range(44)
    )
    other.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")
    window.layers.open(other, enter=False)
    qtbot.waitUntil(lambda: len(judges.left.model.rows) == 4)
    settled(window, qtbot)
    before = judges.page.grades._agreement.matrix.tolist()
    view = judges.left.view
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(1, 0)).center()
    )
    settled(window, qtbot)
    qtbot.waitUntil(lambda: judges.page.of_person.full_text == "ben")
    assert judges.page.grades._agreement.grades == (0, 1)  # relevant or not
    assert judges.page.grades._agreement.matrix.sum() == 44
    assert judges.page.grades._agreement.matrix.tolist() != before
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.mode is Mode.ADJUDICATE  # there is a second layer to settle with


def test_the_required_values_are_settings_of_the_project(window, qtbot):
    judges = window.judges
    QTest.mouseClick(judges.page.kappa.threshold, Qt.MouseButton.LeftButton)
    dialog = window.findChild(AskedDialog)
    dialog.kappa.setValue(0.1)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    settled(window, qtbot)
    assert window.session.project.judges.asked.kappa == 0.1
    qtbot.waitUntil(lambda: judges.page.kappa.threshold.text() == "≥ 0.100")
    assert judges.page.kappa.sign.text() == "✓"
    assert judges.page.heading.text() == "May this model judge this topic? Yes."
    assert "based on κ alone" in judges.page.lead.text()


def test_f1_explains_judges(window, qtbot):
    QTest.keyClick(window, Qt.Key.Key_F1)
    guide = window.findChild(GuideWindow)
    assert "## Models as judges" in guide.page.toMarkdown()
    guide.close()


def test_esc_everywhere_leaves_one_thing_after_another(window, qtbot):
    for _ in range(8):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.mode is Mode.ASSESS
    enter(window, qtbot)
    window.session.open_topic("q2")  # without any label
    qtbot.waitUntil(lambda: "No model has judged this topic" in window.judges.page.nothing.text())
    assert window.judges.right.foot.isHidden()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.mode is Mode.ASSESS


@pytest.mark.parametrize("number", [1, 60])
def test_one_run_and_sixty(window, qtbot, tmp_path, number):
    window.files.open_runs(make_runs(tmp_path, number), lambda: None)
    qtbot.waitUntil(lambda: len(window.session.runs) == number)
    settled(window, qtbot)
    page = window.judges.page
    assert page.order.isVisible() is (number > 1)
    assert page.tau.isVisible() is (number > 1)
    assert ("open two or more runs" in page.order_empty.text()) is (number == 1)
    window.resize(900, 600)
    window.grab()  # names of those that moved, without any room for all


def test_names_of_runs_are_whole_in_a_small_window(window, qtbot, tmp_path, monkeypatch):
    window.files.open_runs(make_runs(tmp_path, 5, "BM25-sections-"), lambda: None)
    qtbot.waitUntil(lambda: len(window.session.runs) == 5)
    settled(window, qtbot)
    window.resize(960, 540)
    same = window.judges.left.values["same"]
    same.setText("2,400 of 3,200 (75 %)")  # as for many documents
    qtbot.waitUntil(lambda: same.width() >= same.sizeHint().width())
    for name in window.judges.left.names.values():
        assert name.width() >= name.sizeHint().width()
    window.resize(1280, 720)
    window.grab()
    written = {}

    def note(painter, room, text, font, *rest, **more):
        written[text] = QFontMetricsF(font).horizontalAdvance(text) <= room.width()

    monkeypatch.setattr("inexview.gui.adjudicate.judges_page.write", note)
    window.judges.page.order.grab()
    assert [written[run.id] for run in window.session.runs] == 5 * [True]


def test_ten_models_and_grades_without_a_scale(qapp, qtbot, tmp_path):
    models = [labels_of(f"m{at}", grades()) for at in range(10)]
    with shown_window(qapp, make_project(tmp_path, models, graded=False)) as window:
        enter(window, qtbot)
        assert len(window.judges.left.model.rows) == 11
        assert window.judges.page.grades._agreement.grades == (0, 1)


def test_before_anything_is_finished_and_with_hostile_texts(qapp, qtbot, tmp_path):
    wild = [ModelLabel(TOPIC, f"d{at}", 2, NASTY, (NASTY, "<i>"), NASTY) for at in range(40)]
    with shown_window(qapp, make_project(tmp_path, [wild], judge=False)) as window:
        enter(window, qtbot)
        assert "Nothing of this topic is finished yet" in window.judges.page.nothing.text()
        window.book["assess"].trigger()
        qtbot.waitUntil(lambda: window.session.document is not None)
        document = window.session.document_id
        assert window.session.not_relevant()
        QTest.keyClick(window, Qt.Key.Key_5, CONTROL)
        settled(window, qtbot)
        assert "Too few to say" in window.judges.page.heading.text()
        assert titles(window) == []  # relevant or not, without grades of the person: one grade apart
        QTest.mouseClick(window.judges.page.section, Qt.MouseButton.LeftButton)
        assert titles(window) == [document]
        reason = window.judges.right.model.said.text()
        assert reason.startswith("“<b>bold</b>")
        assert window.judges.right.model.said.textFormat() is Qt.TextFormat.PlainText
        assert all(letter.isprintable() or letter == "\u200b" for letter in reason)
        assert len(reason) < 1_000
        (row,) = window.judges.page.model.rows
        assert row.reason.isprintable()
        window.grab()


def test_a_model_without_grades_for_the_topic_and_documents_outside_the_pool(qapp, qtbot, tmp_path):
    silent = [ModelLabel(TOPIC, f"d{at}", None, "unsure", (), "silent") for at in range(3)]
    outside = [ModelLabel(TOPIC, f"x{at}", 2, "", ("gone",), "outside") for at in range(4)]
    with shown_window(qapp, make_project(tmp_path, [silent, outside])) as window:
        enter(window, qtbot)
        nothing = window.judges.page.nothing
        assert nothing.text().endswith("None of its 3 answers on this topic holds a grade.")
        view = window.judges.left.view
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(2, 0)).center()
        )
        qtbot.waitUntil(lambda: "The model judges 4 documents that you have not finished" in nothing.text())
        assert "Too few to say: 0 documents judged by both" in nothing.text()


def test_a_missing_text_is_reported(window, qtbot, tmp_path):
    document = titles(window)[1]
    (tmp_path / "texts" / f"{document}.txt").unlink()
    window.judges._walk(document)
    qtbot.waitUntil(lambda: document in window.judges.right.unseen.text())


FORM_TOPICS = [Topic("1", "oil"), Topic("2", "lamp")]


def project_of_forms(folder):
    (folder / "texts").mkdir()
    (folder / "texts" / "d1.txt").write_bytes(OIL.encode())
    (folder / "texts" / "d2.txt").write_text("Nothing here.", encoding="utf-8")
    path = folder / "forms.inexview"
    pool = Pool({"1": (PooledDocument("d1"), PooledDocument("d2"))})
    Project.create(path, collection=folder / "texts", topics=FORM_TOPICS, pool=pool).close()
    return path


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_brought_in_by_dropping_it(qapp, qtbot, tmp_path, form):
    text, expected = FORMS[form]
    source = tmp_path / "m"
    source.write_text(text, encoding="utf-8")
    with shown_window(qapp, project_of_forms(tmp_path)) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        assert drop(window, source)
        judges = window.session.project.judges
        qtbot.waitUntil(lambda: window.messages.current is not None)
        if not judges.models:
            offers = window.messages.current.offers
            if offers and offers[0].button == "Bring in as a model’s":
                offers[0].action()
        qtbot.waitUntil(lambda: bool(judges.models))
        told(qtbot, window.messages, "imported")
        model = judges.models[0]
        graded = [(one.document, one.grade) for one in judges.of_topic("1")[model].labels]
        assert [one for one in graded if one[1] is not None] == expected
        assert window.book["adjudicate"].isEnabled()
        QTest.keyClick(window, Qt.Key.Key_3, CONTROL)  # there is no second layer: the models are there
        assert window.mode is Mode.JUDGES


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["trecrag/umbrela.jsonl", "trecrag/umbrela.qrels", "quepid/ratings.csv", "ragas/eval.jsonl"]
)
def test_the_files_of_tools_are_brought_in_by_dropping_them(qapp, qtbot, tmp_path, shared, name):
    source = shared / "data" / "forms" / name
    if not source.is_file():
        pytest.skip("no forms of today among the shared data")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d1.txt").write_text("Oil. c", encoding="utf-8")
    path = tmp_path / "p.inexview"
    topics = [Topic("q1", "q" if "ragas" in name else "oil")]
    pool = Pool({"q1": (PooledDocument("d1"),)})
    Project.create(path, collection=tmp_path / "texts", topics=topics, pool=pool).close()
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        drop(window, source)
        judges = window.session.project.judges
        qtbot.waitUntil(lambda: window.messages.current is not None)
        if not judges.models:
            window.messages.current.offers[0].action()
        qtbot.waitUntil(lambda: bool(judges.of_topic("q1")))


@pytest.mark.parametrize(
    "text",
    [
        '{"qid": "1", "docid": "d1", "score": [1], "reason": "x"}',
        '{"qid": "1", "score": 1, "reason": "x", "passage": 3}',
    ],
)
def test_errors_in_a_file_are_reported_with_their_line(qapp, qtbot, tmp_path, text):
    source = tmp_path / "m.jsonl"
    source.write_text(text, encoding="utf-8")
    with shown_window(qapp, project_of_forms(tmp_path)) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        drop(window, source)
        told(qtbot, window.messages, "m.jsonl:1: field")
        assert not window.session.project.judges.models
        assert QApplication.activeModalWidget() is None


def test_a_project_that_is_only_read_keeps_nothing(qapp, qtbot, tmp_path):
    source = tmp_path / "m.jsonl"
    source.write_text('{"qid": "1", "docid": "d1", "score": 1, "reason": "x"}', encoding="utf-8")
    with shown_window(qapp, project_of_forms(tmp_path), read_only=True) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        drop(window, source)
        told(qtbot, window.messages, "Nothing was changed")
        shutil.rmtree(tmp_path / "texts")
        QTest.keyClick(window, Qt.Key.Key_5, CONTROL)
        assert "No model has judged this topic" in window.judges.page.nothing.text()


def test_quotes_of_a_model_are_suggested_only_on_request(qapp, qtbot, tmp_path):
    one = labels_of("good", grades())
    with shown_window(qapp, make_project(tmp_path, [one], judge=False), (1440, 900)) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        bar, article = window.suggestion_controller.bar, window.article
        assert bar.isHidden()  # blind until somebody asks
        assert not article.overlay.beside.suggested
        window.book["suggest-quotes"].trigger()
        told(qtbot, window.messages, "suggested by good (recorded in the project)")
        window.session.open_document("d1")
        start = text_of("d1").index("The second")
        qtbot.waitUntil(
            lambda: [ghost.span for ghost in article.overlay.beside.suggested] == [(start, start + 29)]
        )
        assert article.overlay.beside.suggested[0].quoted
        assert bar.status.full_text == f"good · 1 of 1 here · grade {grades()[1][1]}: “because 1”"
        window.grab()
        QTest.keyClick(window, Qt.Key.Key_Y)
        assert [(low, high) for low, high in window.session.state.marks] == [(start, start + 29)]
        window.session.open_document("d2")  # of which it quotes nothing
        qtbot.waitUntil(lambda: window.session.document_id == "d2")
        assert bar.status.full_text == "good · no quote left here · grade 0: “because 2”"
    with Project.open(tmp_path / "judges.inexview", read_only=True) as project:
        rows = [(row.document, row.values()) for row in project.journal.rows() if row.action == "suggested"]
        assert ("d1", {"source": "good", "passages": 1}) in rows
        assert ("d2", {"source": "good", "passages": 0}) in rows


def test_of_several_models_one_is_chosen(window, qtbot):
    window.book["assess"].trigger()
    window.book["suggest-quotes"].trigger()
    assert window.popup.isVisible()
    QTest.keyClicks(window.popup.field, "oth")
    QTest.keyClick(window.popup.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.suggestion_controller.shown is not None)
    assert window.suggestion_controller.shown.source == "other"
    document = window.session.document_id
    assert window.suggestion_controller.shown.said[TOPIC, document].startswith("grade 2")


def test_a_file_of_a_model_is_opened_as_suggestions_and_not_kept(qapp, qtbot, tmp_path):
    source = tmp_path / "umbrela.jsonl"
    values = [
        {
            "model": f"{model}\x07",
            "qid": TOPIC,
            "docid": "d1",
            "score": 2,
            "reason": "so",
            "quote": "quoted HERE",
        }
        for model in ("first", "second")
    ]
    source.write_text("\n".join(map(json.dumps, values)), encoding="utf-8")
    with shown_window(qapp, make_project(tmp_path, [], judge=False)) as window:
        qtbot.waitUntil(lambda: window.session.document is not None)
        with file_named(window, source):
            window.book["open-suggestions"].trigger()
        told(qtbot, window.messages, "also contains 1 other model: second")
        window.session.open_document("d1")
        start = text_of("d1").index("quoted here")
        qtbot.waitUntil(
            lambda: [one.span for one in window.article.overlay.beside.suggested] == [(start, start + 11)]
        )
        assert window.suggestion_controller.bar.status.full_text == "first · 1 of 1 here · grade 2: “so”"
        assert not window.session.project.judges.models
