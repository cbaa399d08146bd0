"""The Answer room, by mouse and keys: a day of judging support, undo, notes, and what is broken."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from fractions import Fraction

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from inexview.cli import main
from inexview.cli.tables import json_fields, json_value
from inexview.core.answers.answers import Answer, Reference, Sentence
from inexview.core.answers.figures import NUGGET_TITLES
from inexview.core.answers.nuggets import Importance
from inexview.core.answers.support import FIGURES, SupportJudgements
from inexview.core.judgements.topics import Topic
from inexview.core.project.answer_record import AnswerState, SupportAction
from inexview.core.project.nuggets import file_words, make_nugget
from inexview.core.project.project import Project
from inexview.core.project.reviews import add_answers, judge_answer
from inexview.core.text.spans import Spans
from inexview.gui.look.widgets import ElidedLabel
from inexview.gui.shell.main_window import Mode
from tests.core.answers.test_support import alce, trec
from tests.gui.driving import drop, shown_window, told

TEXTS = {
    "oil": "Oil is pressed from olives. It is kept dark and cool. Light turns it rancid in a few weeks.",
    "lamp": "The lamp burns oil with a round wick. Air rises within it. The flame is bright and steady.",
}
SENTENCES = {name: text.split(". ") for name, text in TEXTS.items()}
KEYS = {Fraction(1): Qt.Key.Key_1, Fraction(1, 2): Qt.Key.Key_2, Fraction(0): Qt.Key.Key_0}


def passage(document, at):
    quote = SENTENCES[document][at]
    start = TEXTS[document].index(quote)
    return Reference(f"{document}#{at}", document, start, start + len(quote), quote, document.title())


REFERENCES = (passage("oil", 0), passage("oil", 2), passage("lamp", 1))


def answer_of(run, *cited):
    sentences = tuple(Sentence(f"Sentence {at} of {run}.", tuple(own)) for at, own in enumerate(cited, 1))
    return Answer("q1", run, REFERENCES, sentences)


def make_project(folder, answers):
    (folder / "texts").mkdir()
    for name, text in TEXTS.items():
        (folder / "texts" / f"{name}.txt").write_text(text, encoding="utf-8")
    path = folder / "answers.inexview"
    topics = [Topic("q1", "what about oil"), Topic("q2", "nothing")]
    with Project.create(path, collection=folder / "texts", topics=topics) as project:
        project.mark("q1", "oil", 0, 26)
        project.set_bep("q1", "oil", 0)
        project.finish("q1", "oil")
        add_answers(project, answers)
    return path


@pytest.fixture
def room(qapp, qtbot, tmp_path, request):
    answers = getattr(request, "param", (answer_of("a", (0, 1), (), (2, 0)), answer_of("b", (1,))))
    with shown_window(qapp, make_project(tmp_path, answers)) as window:
        qtbot.waitUntil(lambda: window.session.document is not None and window.book["answer"].isEnabled())
        QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
        assert window.mode is Mode.ANSWER
        settled(window, qtbot)
        yield window


def settled(window, qtbot):
    """Wait until the passage that one is at is outlined."""
    controller = window.answer

    def there():
        reference = controller.reference
        if reference is None or reference.document not in TEXTS:
            return True
        return window.session.document is not None and window.session.document.id == reference.document

    qtbot.waitUntil(there)


def press(window, qtbot, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window, key, modifier)
    settled(window, qtbot)


def judged(window):
    return window.answer.state.judged


@pytest.mark.parametrize("room", [(Answer("q1", "empty", (), ()),)], indirect=True)
def test_an_answer_without_a_sentence_takes_every_key(room, qtbot):
    assert room.answer.right.question.text() == "This answer has no sentence."
    for key in (Qt.Key.Key_T, Qt.Key.Key_N, Qt.Key.Key_1, Qt.Key.Key_0, Qt.Key.Key_Down, Qt.Key.Key_Right):
        QTest.keyClick(room, key)
    assert room.answer.state == AnswerState()
    assert room.answer.right.question.text() == "This answer has no sentence."


def test_figures_are_folded_to_their_names_until_the_answer_is_finished(room, qtbot):
    panel = room.answer.right
    name, *others = panel.figures.rows["support_prec"]
    assert name.isVisible()
    assert not any(cell.isVisible() for cell in others)
    assert panel.so_far.full_text == "This answer so far · V shows it"
    QTest.mouseClick(name, Qt.MouseButton.LeftButton)
    assert all(cell.isVisible() for cell in others)
    assert panel.figures.derivation.isVisible()
    press(room, qtbot, Qt.Key.Key_V)
    assert not any(cell.isVisible() for cell in others)
    assert not panel.figures.derivation.isVisible()
    press(room, qtbot, Qt.Key.Key_J)
    press(room, qtbot, Qt.Key.Key_1)
    press(room, qtbot, Qt.Key.Key_F)
    press(room, qtbot, Qt.Key.Key_K)
    assert room.answer.state.finished
    assert all(cell.isVisible() for cell in others)
    press(room, qtbot, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)  # it is open again
    assert not any(cell.isVisible() for cell in others)


def test_buttons_keep_their_text_in_a_small_window(room, qtbot):
    room.resize(900, 600)
    labels = [one.findChild(ElidedLabel) for one in room.answer.right.support.values()]
    qtbot.waitUntil(lambda: not any("…" in one.text() for one in labels))
    assert [one.text() for one in labels] in (
        ["Full", "Partial, ½", "None"],
        ["Full", "Partial", "None"],
    )
    assert room.answer.right.finish.property("role") == ""
    for _ in range(4):
        press(room, qtbot, Qt.Key.Key_1)
    assert room.answer.right.finish.property("role") == "primary"


def test_sentences_begin_at_one_place(room):
    room.grab()
    assert len({row._text.x() for row in room.answer.left.rows}) == 1


def test_in_a_small_window_the_question_is_under_the_text(room, qtbot):
    foot, right, left = room.answer.right.foot, room.answer.right, room.answer.left
    room.resize(1199, 720)
    qtbot.waitUntil(lambda: not right.isVisible() and foot.isVisible())
    room.grab()
    assert foot.mapTo(room, foot.rect().topLeft()).y() >= room.article.geometry().bottom()
    assert left.isVisible()
    QTest.mouseClick(right.support["full"], Qt.MouseButton.LeftButton)
    assert len(room.answer.state.judged.support) == 1
    room.book["note-citation"].trigger()
    assert right.note.hasFocus()
    room.book["assess"].trigger()
    assert not foot.isVisible()
    room.book["answer"].trigger()
    assert foot.isVisible()
    room.resize(1200, 720)
    qtbot.waitUntil(lambda: right.isVisible() and right.isAncestorOf(foot))


def test_in_a_narrow_window_the_current_sentence_is_above_the_text(room, qtbot):
    room.resize(949, 640)
    qtbot.waitUntil(lambda: not room.answer.left.isVisible())
    sentence = room.answer.sentence
    assert sentence.isVisible()
    room.grab()
    assert sentence.geometry().bottom() < room.article.mapTo(room.pages, room.article.rect().topLeft()).y()
    assert sentence.row._text.text() == "Sentence 1 of a."
    press(room, qtbot, Qt.Key.Key_Down)
    assert sentence.row._text.text() == "Sentence 2 of a."
    press(room, qtbot, Qt.Key.Key_Up)
    QTest.mouseClick(sentence.row.chips[1], Qt.MouseButton.LeftButton)
    assert room.answer.chosen == (0, 1)
    press(room, qtbot, Qt.Key.Key_F6)  # the list, instead of the sentence
    qtbot.waitUntil(lambda: room.answer.left.isVisible() and not sentence.isVisible())
    room.resize(1280, 720)
    qtbot.waitUntil(lambda: room.answer.right.isVisible() and not sentence.isVisible())


def test_in_a_small_window_figures_and_their_names_are_whole(room, qtbot):
    press(room, qtbot, Qt.Key.Key_V)
    room.resize(1200, 600)
    panel = room.answer.right
    qtbot.waitUntil(lambda: panel.width() <= 330)
    room.grab()  # lays out
    for opened, whisker, value, left in panel.figures.rows.values():
        if opened.isVisible():
            assert opened.width() >= opened.minimumSizeHint().width()
            assert whisker.width() >= 20
            assert left.mapTo(panel, left.rect().topRight()).x() < panel.width()
            assert value.width() >= value.sizeHint().width()


def test_one_key_judges_and_continues(room, qtbot):
    assert room.answer.right.question.text() == "Does passage 1 support sentence 1?"
    assert room.article.flash.span == (0, 26)
    press(room, qtbot, Qt.Key.Key_1)
    assert judged(room).support == {(0, 0): 1}
    assert room.answer.right.question.text() == "Does passage 2 support sentence 1?"
    press(room, qtbot, Qt.Key.Key_0)
    assert room.answer.right.question.text() == "Does passage 3 support sentence 3?"
    assert room.session.document.id == "lamp"
    qtbot.waitUntil(lambda: room.article.flash.span == (38, 57))
    assert room.answer.right.figures.rows["support_prec"][2].text() == "0.500"
    assert room.answer.right.figures.rows["support_prec"][3].text() == "2"


def test_nuggets_show_what_was_lost_in_writing(room, qtbot, tmp_path):
    rows = room.answer.right.figures.rows
    assert not rows["lost_in_writing"][0].isVisible(), "without nuggets there is nothing to say"
    nuggets = [
        {"text": "it is pressed", "importance": "vital", "assignment": "not_support"},
        {"text": "lamps burn", "importance": "vital", "assignment": "support"},
    ]
    file = tmp_path / "assigned.jsonl"
    file.write_text(json.dumps({"query": "oil", "qid": "q1", "run_id": "a", "nuggets": nuggets}))
    project = room.session.project
    room.assess.nuggets.files.bring_in(file)
    qtbot.waitUntil(lambda: bool(project.nuggets.of("q1").nuggets))
    assert "assigned to 1 answer" in room.messages.current.text
    pressed = project.nuggets.of("q1").nuggets[0]
    file_words(project, "q1", pressed.key, "oil", Spans([(0, 26)]))
    press(room, qtbot, Qt.Key.Key_Right)
    assert [rows[name][2].text() for name in [*NUGGET_TITLES][:3]] == ["0.500", "0.500", "0.500"]
    assert not rows["lost_in_citing"][0].isVisible(), "without a ranking there is nothing to say"
    panel = room.answer.right
    for size in ((1440, 900), (1280, 720)):
        room.resize(*size)
        qtbot.waitUntil(lambda: panel.rect().contains(panel.figures.geometry()))
    QTest.mouseClick(rows["lost_in_writing"][0], Qt.MouseButton.LeftButton)
    said = panel.figures.derivation.text()
    assert said == "lost in writing = (1 × 1 + 1 × 0) / 2 = 1 / 2 = 0.500: it is pressed"
    press(room, qtbot, Qt.Key.Key_J)  # the other answer was assigned nothing, and cites no such words
    assert [rows[name][2].text() for name in NUGGET_TITLES][1] == "0.000"
    assert not rows["lost_in_writing"][0].isVisible()


def test_an_open_ranking_shows_what_was_lost_in_citing(room, qtbot, tmp_path, capsys):
    project, rows = room.session.project, room.answer.right.figures.rows
    for text, document, span in (("oil is dark", "oil", (27, 52)), ("lamps burn", "lamp", (0, 36))):
        project.mark("q1", document, *span)
        nugget = make_nugget(project, "q1", text, importance=Importance.VITAL)
        file_words(project, "q1", nugget.key, document, Spans([span]))
    room.assess.nuggets.refresh()
    ranking, cited = tmp_path / "found.run", tmp_path / "cited.run"
    ranking.write_text("q1 Q0 lamp 1 2.0 found\n", encoding="utf-8")
    cited.write_text("q1 Q0 oil 1 9.0 a\nq1 Q0 oil 2 8.0 a\nq1 Q0 lamp 3 7.0 a\n", encoding="utf-8")
    for path in (cited, ranking):  # the first is the answer itself, as a run
        with qtbot.waitSignal(room.session.runs_changed):
            drop(room, path)
    qtbot.waitUntil(lambda: rows["lost_in_citing"][0].isVisible())
    assert room.answer.ranking.id == "found"
    room.session.select_run(next(run for run in room.session.runs if run.id == "a"))
    assert room.answer.ranking is None
    assert not rows["lost_in_citing"][0].isVisible()
    room.session.select_run(next(run for run in room.session.runs if run.id == "found"))
    shown = {name: rows[name][2].text() for name in rows if rows[name][0].isVisible()}
    assert (shown["retrieved_nugget_vital_strict"], shown["lost_in_citing"]) == ("0.500", "0.500")
    QTest.mouseClick(rows["lost_in_citing"][0], Qt.MouseButton.LeftButton)
    assert room.answer.right.figures.derivation.text().endswith(": lamps burn")
    given = ["answers", str(project.path), "--ranking", str(ranking), "--per-topic", "--format", "json"]
    main(given)
    (a, _b) = json.loads(capsys.readouterr().out)["runs"]
    for name in {*NUGGET_TITLES} & {*shown}:
        assert f"{a['topics']['q1'][name]['value']:.3f}" == shown[name]
    room.resize(1280, 720)
    panel = room.answer.right
    qtbot.waitUntil(lambda: panel.rect().contains(panel.figures.geometry()))


def test_together_is_asked_where_it_decides(room, qtbot):
    press(room, qtbot, Qt.Key.Key_2)
    press(room, qtbot, Qt.Key.Key_2)
    assert room.answer.right.question.text() == "Do the passages support sentence 1 fully together?"
    press(room, qtbot, Qt.Key.Key_2)  # means nothing here
    assert not judged(room).together
    press(room, qtbot, Qt.Key.Key_1)
    assert judged(room).together == {0: True}
    assert room.answer.right.question.text() == "Does passage 3 support sentence 3?"
    room.answer.choose((0, 0))
    press(room, qtbot, Qt.Key.Key_T)
    press(room, qtbot, Qt.Key.Key_0)
    assert judged(room).together == {0: False}


def test_undo_goes_back_to_where_it_was_and_redo_again(room, qtbot):
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_0):
        press(room, qtbot, key)
    press(room, qtbot, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert judged(room).support == {(0, 0): 1, (0, 1): Fraction(1, 2)}
    assert room.answer.right.question.text() == "Does passage 3 support sentence 3?"
    press(room, qtbot, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert judged(room).support[2, 2] == 0
    for _ in range(9):
        press(room, qtbot, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not judged(room).support
    with Project.open(room.session.project.path, read_only=True) as again:
        assert not again.answers.state("q1", "a").judged.support


def test_arrows_walk_and_clicks_choose(room, qtbot):
    press(room, qtbot, Qt.Key.Key_Right)
    press(room, qtbot, Qt.Key.Key_Right)
    assert room.answer.right.question.text() == "Does passage 3 support sentence 3?"
    press(room, qtbot, Qt.Key.Key_Left)
    press(room, qtbot, Qt.Key.Key_Down)
    assert room.answer.right.question.text() == "Sentence 2 cites nothing."
    assert not room.answer.right.support["full"].isEnabled()
    press(room, qtbot, Qt.Key.Key_1)
    assert not judged(room).support
    press(room, qtbot, Qt.Key.Key_N)
    assert judged(room).no_need == {1}
    chip = room.answer.left.rows[2].chips[0]
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    settled(room, qtbot)
    assert room.answer.right.question.text() == "Does passage 1 support sentence 3?"
    QTest.mouseClick(room.answer.left.buttons[1], Qt.MouseButton.LeftButton)
    settled(room, qtbot)
    assert room.answer.answer.run == "b"
    press(room, qtbot, Qt.Key.Key_J)
    assert room.answer.answer.run == "a"


def test_finish_goes_to_open_judgements_and_then_on(room, qtbot):
    press(room, qtbot, Qt.Key.Key_F)
    told(qtbot, room.messages, "4 citations still to judge.")
    for key in (Qt.Key.Key_1, Qt.Key.Key_1, Qt.Key.Key_0, Qt.Key.Key_1):
        press(room, qtbot, key)
    press(room, qtbot, Qt.Key.Key_F)
    assert room.session.project.answers.state("q1", "a").finished
    assert room.answer.answer.run == "b"
    press(room, qtbot, Qt.Key.Key_1)
    press(room, qtbot, Qt.Key.Key_F)
    told(qtbot, room.messages, "Every answer to this topic is finished.")


def test_a_note_is_saved_when_the_next_answer_opens(room, qtbot):
    press(room, qtbot, Qt.Key.Key_N, Qt.KeyboardModifier.AltModifier)
    QTest.keyClicks(room.answer.right.note, "only the date")
    QTest.keyClick(room.answer.right.note, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: room.answer.state.notes == {(0, 0): "only the date"})
    press(room, qtbot, Qt.Key.Key_1)
    assert room.answer.right.note.text() == ""
    press(room, qtbot, Qt.Key.Key_Left)
    assert room.answer.right.note.text() == "only the date"


def test_a_figure_is_taken_apart_and_esc_closes_it(room, qtbot):
    press(room, qtbot, Qt.Key.Key_1)
    figures = room.answer.right.figures
    QTest.mouseClick(figures.rows["support_prec"][0], Qt.MouseButton.LeftButton)
    assert figures.derivation.text() == (
        "weighted precision = (1 × 1) / 1 = 1 / 1 = 1.000; the 3 not judged can make it 0.250 to 1.000"
    )
    QTest.keyClick(room, Qt.Key.Key_Escape)
    assert figures.derivation.isHidden()
    assert room.mode is Mode.ANSWER


def test_hits_are_of_the_documents_that_are_judged(room):
    figure = room.answer.figures(room.answer.answer)["citation_hits"]
    assert (figure.value, figure.unjudged) == (2 / 3, 1)  # the lamp is not judged; light is not relevant


def test_the_room_is_there_only_while_the_topic_has_answers(room, qtbot):
    room.session.open_topic("q2")
    qtbot.waitUntil(lambda: room.mode is Mode.ASSESS)
    assert not room.book["answer"].isEnabled()
    QTest.keyClick(room, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert room.mode is Mode.ASSESS


BROKEN = Answer(
    "q1",
    "broken",
    (Reference("gone#1", "gone"), Reference("oil", "oil", quote="never written there")),
    (Sentence("One.", (0,), ("9",)), Sentence("Two.", (1,))),
)


@pytest.mark.parametrize("room", [(BROKEN,)], indirect=True, ids=["broken"])
def test_missing_texts_are_reported_and_can_be_judged(room, qtbot):
    assert "cites 9, which is not listed" in room.answer.left.rows[0].note.text()
    assert room.answer.right.problem.text() == "gone: not in this collection"
    QTest.keyClick(room, Qt.Key.Key_0)
    assert judged(room).support == {(0, 0): 0}
    settled(room, qtbot)
    qtbot.waitUntil(lambda: "not in the text" in room.answer.right.problem.text())


def day(seed):
    """Sixty answers, and what a person says of each citation."""
    dice = random.Random(seed)
    answers, said = [], {}
    for number in range(60):
        cited = [dice.sample(range(3), dice.randint(0, 3)) for _ in range(dice.randint(1, 3))]
        answer = answer_of(f"run{number}", *cited)
        answers.append(answer)
        said[answer.run] = {place: dice.choice([*KEYS]) for place in answer.citations}
    return answers, said


ANSWERS, SAID = day(31)


@pytest.mark.parametrize("room", [ANSWERS], indirect=True, ids=["sixty"])
def test_a_day_of_judging_ends_in_the_figures_of_a_slow_program(room, qtbot, tmp_path, capsys):
    controller = room.answer
    together = random.Random(5)
    for answer in ANSWERS:
        assert controller.answer.run == answer.run
        while True:
            sentence, reference = controller.chosen
            if "together" in controller.right.question.text():
                QTest.keyClick(room, together.choice([Qt.Key.Key_1, Qt.Key.Key_0]))
            elif reference is not None and (sentence, reference) not in controller.state.judged.support:
                QTest.keyClick(room, KEYS[SAID[answer.run][sentence, reference]])
            else:
                break
        QTest.keyClick(room, Qt.Key.Key_F)
    project = room.session.project
    for answer in ANSWERS:
        state = project.answers.state("q1", answer.run)
        assert state.finished
        assert state.judged.support == SAID[answer.run]
        expected = dict(zip(FIGURES, (*trec(answer, state.judged), *alce(answer, state.judged)), strict=True))
        shown = controller.figures(answer)
        assert {name: shown[name].value for name in FIGURES} == pytest.approx(expected, abs=1e-12)
        assert not any(shown[name].unjudged for name in FIGURES)
    path = project.path
    room.close()
    qtbot.waitUntil(lambda: not room.isVisible())
    assert main(["answers", str(path), "--format", "json", "--per-topic"]) == 0
    printed = {run["id"]: run["topics"]["q1"] for run in json.loads(capsys.readouterr().out)["runs"]}
    for answer in ANSWERS:
        precision, _ = trec(answer, SupportJudgements(SAID[answer.run]))
        assert printed[answer.run]["support_prec"]["value"] == pytest.approx(precision, abs=1e-12)


def test_a_judged_answer_opens_at_its_first_passage(room, qtbot):
    for _ in range(4):
        press(room, qtbot, Qt.Key.Key_1)
    room.session.open_topic("q2")
    qtbot.waitUntil(lambda: room.mode is Mode.ASSESS)
    room.session.open_topic("q1")
    qtbot.waitUntil(lambda: room.book["answer"].isEnabled())
    QTest.keyClick(room, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert room.answer.chosen == (0, 0)
    qtbot.waitUntil(lambda: room.article.flash.span == (0, 26))


def test_sentence_and_passage_share_a_line_and_a_wire_joins_them(qapp, qtbot, tmp_path, monkeypatch):
    long = " ".join(f"Oil number {at} is kept." for at in range(400))
    monkeypatch.setitem(TEXTS, "long", long)
    start = long.index("Oil number 200")
    cited = Reference("long#200", "long", start, start + 25)
    last = Reference("long#399", "long", len(long) - 20, len(long))
    sentences = (*(Sentence(f"Sentence {at}.", (0,)) for at in range(6)), Sentence("The last.", (1,)))
    path = make_project(tmp_path, [Answer("q1", "a", (cited, last), sentences)])
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.document is not None and window.book["answer"].isEnabled())
        QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
        wire = window.answer.wire
        for at in range(6):
            if at:
                QTest.keyClick(window, Qt.Key.Key_Down)
            qtbot.waitUntil(lambda: wire.path() is not None)
            qtbot.waitUntil(lambda: len(wire.path()[0]) == 2)
            (begin, end), box = wire.path()
            assert begin.y() == end.y() == box.center().y()
            assert abs(begin.y() - wire.level) < 10
            assert box.right() <= window.article.line_of(start).left()
        QTest.keyClick(window, Qt.Key.Key_Down)  # at the end of the article both cannot share a line
        qtbot.waitUntil(lambda: wire.path() is not None and len(wire.path()[0]) == 4)
        assert wire.grab().toImage() is not None
        QTest.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
        assert not wire.isVisible()


def test_names_of_runs_are_hidden_until_shown_by_the_user(room, qtbot):
    assert [button.text() for button in room.answer.left.buttons] == ["1  0/4", "2  0/1"]
    assert "Names of runs hidden" in shown_labels(room.status)
    room.book["answer-names"].trigger()
    assert [button.text() for button in room.answer.left.buttons] == ["a  0/4", "b  0/1"]
    assert "Names of runs shown: not blind" in shown_labels(room.status)
    room.book["answer-names"].trigger()
    assert "Names of runs seen before: not blind" in shown_labels(room.status)
    press(room, qtbot, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)  # what was seen cannot be undone
    assert named(room) == [{"runs": ["a", "b"]}]
    QTest.keyClick(room, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not [text for text in shown_labels(room.status) if "Names" in text]


def named(window):
    """Return of whom the names were shown, as the project's record says it."""
    return [row.values() for row in window.session.project.journal.rows() if row.action == "inspected"]


def test_names_shown_over_finished_answers_are_recorded_only_after_reopening(room, qtbot):
    project = room.session.project
    for key in (
        Qt.Key.Key_1,
        Qt.Key.Key_1,
        Qt.Key.Key_1,
        Qt.Key.Key_1,
        Qt.Key.Key_F,
        Qt.Key.Key_1,
        Qt.Key.Key_F,
    ):
        press(room, qtbot, key)
    assert all(state.finished for _, state in project.answers.states())
    room.book["answer-names"].trigger()
    assert named(room) == []
    press(room, qtbot, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert named(room) == [{"runs": [room.answer.answer.run]}]
    press(room, qtbot, Qt.Key.Key_J)
    press(room, qtbot, Qt.Key.Key_K)
    assert len(named(room)) == 1


def shown_labels(widget):
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


@pytest.mark.parametrize("room", [[answer_of(f"run {at}", (0,)) for at in range(9)]], indirect=True)
def test_more_than_eight_answers_are_a_list(room, qtbot):
    chooser = room.answer.left.chooser
    assert not room.answer.left.buttons
    assert chooser.isVisible()
    assert [chooser.itemText(at) for at in range(chooser.count())] == [f"{at}  0/1" for at in range(1, 10)]
    QTest.mouseClick(chooser, Qt.MouseButton.LeftButton)
    QTest.keyClick(chooser.view(), Qt.Key.Key_Down)
    QTest.keyClick(chooser.view(), Qt.Key.Key_Return)
    assert room.answer.answer.run == "run 1"
    assert chooser.currentText() == "2  0/1"


def test_what_another_assessor_judged_is_compared_once_the_answer_is_finished(room, qtbot, tmp_path):
    (tmp_path / "bob").mkdir()
    other = tmp_path / "bob" / "bob.inexview"
    topics = [Topic("q1", "what about oil")]
    with Project.create(other, collection=tmp_path / "texts", topics=topics, assessor="bob") as project:
        add_answers(project, [answer_of("a", (0, 1), (), (2, 0))])
        given = {(0, 0): "full", (0, 1): "none", (2, 2): "partial"}
        actions = [SupportAction("support", *place, value) for place, value in given.items()]
        judge_answer(project, "q1", "a", *actions)
    room.layers.open(other)
    told(qtbot, room.messages, "bob is open: 1 answer judged; compare them in the Answer view.")
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_2):
        press(room, qtbot, key)
    left, right = room.answer.left, room.answer.right
    assert not left.agreement.isVisible()
    assert "bob" not in "".join(shown_labels(right))
    press(room, qtbot, Qt.Key.Key_1)
    press(room, qtbot, Qt.Key.Key_F)
    press(room, qtbot, Qt.Key.Key_K)
    assert room.answer.answer.run == "a"
    assert left.agreement.text() == "bob: 2 of 3 citations judged the same"
    assert left.rows[0].note.text() == "bob: 2 none"
    assert left.rows[2].note.text() == ""
    room.answer.choose((0, 1))
    assert "bob, sentence 1: none" in right.facts.text()
    room.book["close-layers"].trigger()
    assert not left.agreement.isVisible()
    assert left.rows[0].note.text() == ""


OUTSIDE = Answer("q1", "b", REFERENCES[2:], (Sentence("What it cites is not judged.", (0,)),))
ONE_OUTSIDE = answer_of("a", (0, 1), (), (2, 0)), OUTSIDE, answer_of("c", (), (0,))


@pytest.mark.parametrize("room", [ONE_OUTSIDE], indirect=True, ids=["one-outside"])
def test_every_figure_at_every_step_equals_the_command_line(room, qtbot, tmp_path, capsys):
    project = room.session.project

    def printed():
        copy = tmp_path / f"{project.path.stem}-copy.inexview"
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(project.path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        assert main(["answers", str(copy), "--format", "json", "--per-topic"]) == 0
        runs = json.loads(capsys.readouterr().out)["runs"]
        return {run["id"]: run["topics"]["q1"] for run in runs}

    def shown():
        return {
            answer.run: {
                name: {key: json_value(value) for key, value in json_fields(figure).items()}
                for name, figure in room.answer.figures(answer).items()
            }
            for answer in ONE_OUTSIDE
        }

    assert shown() == printed()
    for judging in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_N, Qt.Key.Key_0):
        press(room, qtbot, judging)
        assert shown() == printed()
    assigned = [
        {"text": "it is pressed", "importance": "vital", "assignment": "not_support"},
        {"text": "lamps burn", "importance": "okay", "assignment": "partial_support"},
    ]
    file = tmp_path / "assigned.jsonl"
    file.write_text(json.dumps({"query": "oil", "qid": "q1", "run_id": "a", "nuggets": assigned}))
    room.assess.nuggets.files.bring_in(file)
    qtbot.waitUntil(lambda: bool(project.nuggets.of("q1").nuggets))
    assert shown() == printed()
    pressed, burn = project.nuggets.of("q1").nuggets
    file_words(project, "q1", pressed.key, "oil", Spans([(0, 26)]))
    file_words(project, "q1", burn.key, "oil", Spans([(5, 9)]))
    assert shown() == printed()
    assert {"lost_in_writing", "citation_hits"} <= set(shown()["a"])
