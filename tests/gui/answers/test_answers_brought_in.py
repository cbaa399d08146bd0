"""Answers of today's tracks, brought in by the menu and by the command line, judged and measured."""

from __future__ import annotations

import codecs
import gzip
import json
import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from inexview.cli import main
from inexview.core.judgements.topics import Topic
from inexview.core.project.project import Project
from inexview.gui.shell.main_window import Mode
from tests.gui.driving import answering, drop, file_named, shown_window, told

TOPICS = [Topic("q1", "oil"), Topic("1", "narrative about oil"), Topic("q3", "nothing")]
SEGMENTS = (
    ("doc_0#0_0", "Olive oil is pressed from olives."),
    ("doc_0#1_100", "It is kept dark. \N{PILE OF POO}"),
)


@pytest.fixture
def made(tmp_path):
    """Return how a project over segments is made; the window and the command line have one each."""

    def make(name, collection=None):
        if collection is None:
            collection = tmp_path / "segments.jsonl"
            listed = ({"docid": id, "segment": text, "start_char": 0} for id, text in SEGMENTS)
            collection.write_text("\n".join(map(json.dumps, listed)), encoding="utf-8")
        path = tmp_path / name
        Project.create(path, collection=collection, topics=TOPICS).close()
        return path

    return make


def bring_in(window, path):
    with file_named(window, path):
        window.book["open-answers"].trigger()


def answers_of(path):
    with Project.open(path, read_only=True) as project:
        return {topic.id: project.answers.of_topic(topic.id) for topic in TOPICS}


def means(path, capsys):
    capsys.readouterr()
    status = main(["answers", str(path), "--format", "json"])
    printed = capsys.readouterr()
    assert status <= 1, printed.err  # 1: an answer cites what it does not list
    return json.loads(printed.out)["runs"][0]["mean"]


def judge_all(window, qtbot, topic):
    """Judge every citation of the topic's answer as full, by key, and finish it."""
    window.session.open_topic(topic)
    qtbot.waitUntil(lambda: window.book["answer"].isEnabled())
    QTest.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert window.mode is Mode.ANSWER
    answer = window.answer.answer
    for place in answer.citations:
        qtbot.waitUntil(lambda place=place: window.answer.chosen == place)
        QTest.keyClick(window, Qt.Key.Key_1)
    QTest.keyClick(window, Qt.Key.Key_F)
    state = window.session.project.answers.state(topic, answer.run)
    assert state.finished
    assert state.judged.support == dict.fromkeys(answer.citations, 1)
    return answer


@pytest.mark.shared
@pytest.mark.parametrize(("name", "topic"), [("rag24", "q1"), ("rag25", "1"), ("ragtime", "q1")])
def test_answers_of_tracks_go_through_window_and_command_line(
    qapp, qtbot, shared, tmp_path, made, capsys, name, topic
):
    forms = shared / "data" / "forms"
    if not forms.is_dir():
        pytest.skip("no forms of today among the shared data")
    texts = tmp_path / "seg.json"
    shutil.copy(forms / "msmarco" / "seg.json", texts)
    path, beside = made("window.inexview", texts), made("line.inexview", texts)
    source = forms / "trecrag" / f"{name}.jsonl"
    assert main(["import", str(beside), str(source)]) == 0
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        bring_in(window, source)
        told(qtbot, window.messages, f"{source.name}: 1 answer imported.")
        judge_all(window, qtbot, topic)
        figures = window.answer.figures(window.answer.answer)  # it is the only one
        bring_in(window, source)
        told(qtbot, window.messages, f"{source.name}: 0 answers imported; 1 there already.")
    assert answers_of(path) == answers_of(beside)
    printed = means(path, capsys)
    assert printed["support_prec"] == 1.0
    assert printed == {key: figures[key].value for key in printed}


ANSWER = {
    "run_id": "r", "topic_id": 1.0, "topic": "oil", "references": ["doc_0#1_100", "doc_0#0_0"],
    "answer": [
        {"text": "Oil is kept dark.", "citations": [1.0, 0, 7], "answer": "not this"},
        {"text": " ", "citations": []},
        {"text": "So.", "citations": None},
    ],
}  # fmt: skip
BY_TEXT = ANSWER | {"run_id": "s", "topic_id": "Narrative  about OIL"}
UNKNOWN = ANSWER | {"run_id": "r", "topic_id": "q9"}


@pytest.mark.parametrize("packed", [False, True], ids=["CRLF", "gz"])
def test_answers_with_traps_are_judged(qapp, qtbot, tmp_path, made, capsys, packed):
    text = "\r\n".join(map(json.dumps, (ANSWER, BY_TEXT, UNKNOWN)))
    source = tmp_path / ("answers.jsonl.gz" if packed else "answers.jsonl")
    source.write_bytes(gzip.compress(text.encode()) if packed else codecs.BOM_UTF8 + text.encode())
    path, beside = made("window.inexview"), made("line.inexview")
    assert main(["import", str(beside), str(source)]) == 1
    assert "1 topic not in the project: q9" in capsys.readouterr().err
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        bring_in(window, source)
        shown = told(qtbot, window.messages, "2 answers imported; 1 topic not in the project").text
        assert "3 citations of what the answer does not list" in shown
        assert "3 sentences without text left out" in shown
        answer = judge_all(window, qtbot, "1")
        qtbot.waitUntil(lambda: window.answer.answer.run == "s")  # the next one
        assert [sentence.broken for sentence in answer.sentences] == [("7",), ()]
        assert window.session.project.answers.state("1", "r").judged.support == {(0, 1): 1, (0, 0): 1}
    assert answers_of(path) == answers_of(beside)
    assert means(path, capsys)["support_prec"] == 1.0


def answered(window, monkeypatch, label):
    """Press *Replace* in the message, and answer the question; return what was asked."""
    asked = answering(monkeypatch, label)
    button = next(one for one in window.messages.findChildren(QPushButton) if one.text() == "Replace")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    return asked


def test_another_answer_of_a_run_stays_out_until_it_is_to_replace_the_first(
    qapp, qtbot, tmp_path, made, capsys, monkeypatch
):
    source, changed = tmp_path / "answers.jsonl", tmp_path / "changed.jsonl"
    source.write_text(json.dumps(ANSWER), encoding="utf-8")
    new = ANSWER["answer"][0] | {"citations": [1]}
    changed.write_text(
        json.dumps(ANSWER | {"answer": [new, {"text": "More.", "citations": [0]}]}), encoding="utf-8"
    )
    path = made("window.inexview")
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        bring_in(window, source)
        told(qtbot, window.messages, "1 answer imported")
        before = judge_all(window, qtbot, "1")
        bring_in(window, changed)
        message = told(qtbot, window.messages, "left out, as the run has another one")
        assert "changed.jsonl:1: 1, r: sentence 1 cites other passages" in message.text
        assert window.answer.answer is before
        assert answered(window, monkeypatch, "Cancel") == ["Replace 1 answer?"]
        assert window.answer.answer is before
        window.messages.clear()
        bring_in(window, changed)
        told(qtbot, window.messages, "left out, as the run has another one")
        answered(window, monkeypatch, "Replace")
        told(qtbot, window.messages, "changed.jsonl: 1 answer replaced")
        assert [one.text for one in window.answer.answer.sentences] == ["Oil is kept dark.", "More."]
        assert window.answer.state.judged.support == {(0, 1): 1}
        assert not window.answer.state.finished
        qtbot.waitUntil(lambda: window.answer.chosen == (1, 0))
    assert main(["import", str(path), str(source)]) == 1
    said = capsys.readouterr().err
    assert (
        f"{source}:1: topic 1, r: sentence 1 cites other passages; the project's answer was kept (1" in said
    )
    assert main(["import", str(path), str(source), "--replace"]) == 1  # it cites what it does not list
    assert "0 answers added, 1 replaced" in capsys.readouterr().out
    assert answers_of(path)["1"] == (before,)


def sentence(text):
    return {"text": text, "citations": [0]}


def test_another_answer_of_a_run_is_taken_as_a_second_one(qapp, qtbot, tmp_path, made, capsys, monkeypatch):
    source, changed = tmp_path / "answers.jsonl", tmp_path / "changed.jsonl"
    source.write_text(json.dumps(ANSWER), encoding="utf-8")
    changed.write_text(json.dumps(ANSWER | {"answer": [sentence("More.")]}), encoding="utf-8")
    path = made("window.inexview")
    with shown_window(qapp, path) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        bring_in(window, source)
        told(qtbot, window.messages, "1 answer imported")
        before = judge_all(window, qtbot, "1")
        judged = window.answer.state.judged
        bring_in(window, changed)
        replaces, takes = told(qtbot, window.messages, "left out, as the run has another one").offers
        assert (replaces.button, takes.button) == ("Replace", "Take as second answers")
        takes.action()
        told(qtbot, window.messages, "changed.jsonl: 1 answer imported")
        assert [answer.run for answer in window.answer.answers] == ["r", "r (2)"]
        assert window.session.project.answers.state("1", "r").judged == judged
        bring_in(window, changed)  # it is still not the first one
        told(qtbot, window.messages, "left out, as the run has another one").offers[1].action()
        told(qtbot, window.messages, "1 there already")
        assert len(window.answer.answers) == 2
    assert main(["import", str(path), str(changed), str(source), "--second"]) == 1
    assert capsys.readouterr().out.count("0 answers added, 1 known already") == 2
    third = tmp_path / "third.jsonl"
    third.write_text(json.dumps(ANSWER | {"answer": [sentence("Third.")]}), encoding="utf-8")
    main(["import", str(path), str(third), "--second"])
    assert [answer.run for answer in answers_of(path)["1"]] == ["r", "r (2)", "r (3)"]
    assert answers_of(path)["1"][0] == before


@pytest.mark.parametrize("text", ["", "no JSON", '{"run_id": "r", "answer": "prose"}', '{"answer": ['])
def test_a_file_without_answers_is_reported(qapp, qtbot, tmp_path, made, text):
    source = tmp_path / "answers.jsonl"
    source.write_text(text, encoding="utf-8")
    with shown_window(qapp, made("window.inexview")) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        bring_in(window, source)
        qtbot.waitUntil(lambda: window.messages.current is not None)
        assert "answers.jsonl" in window.messages.current.text
        assert not window.book["answer"].isEnabled()
        assert QApplication.activeModalWidget() is None


def test_dropped_answers_open_as_a_run_and_are_offered_for_judging(qapp, qtbot, tmp_path, made):
    source = tmp_path / "answers.jsonl"
    given = {
        "run_id": "r",
        "topic_id": "q1",
        "references": ["doc_0#0_0"],
        "answer": [{"text": "A.", "citations": [0]}],
    }
    source.write_text(json.dumps(given), encoding="utf-8")
    with shown_window(qapp, made("p.inexview")) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        assert drop(window, source)
        offer = told(qtbot, window.messages, "answers.jsonl is open as a run").offers[0]
        assert [run.id for run in window.session.runs] == ["r"]
        offer.action()
        told(qtbot, window.messages, "answers.jsonl: 1 answer imported.")
        assert [answer.run for answer in window.session.project.answers.of_topic("q1")] == ["r"]
        with qtbot.waitSignal(window.session.runs_changed):
            drop(window, source)  # its answers are there
        assert "is open as a run" not in window.messages.current.text


def test_dropped_support_is_another_layer_and_needs_the_answers(qapp, qtbot, tmp_path, made):
    source = tmp_path / "support.jsonl"
    said = {"run_id": "r", "topic_id": "q1", "sentence": 1, "citation": "doc_0#0_0", "support": 1}
    source.write_text(json.dumps(said), encoding="utf-8")
    given = {
        "run_id": "r",
        "topic_id": "q1",
        "references": ["doc_0#0_0"],
        "answer": [{"text": "A.", "citations": [0]}],
    }
    (tmp_path / "answers.jsonl").write_text(json.dumps(given), encoding="utf-8")
    with shown_window(qapp, made("p.inexview")) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        drop(window, source)
        told(qtbot, window.messages, "judges no answer of this project")
        window.answer.bring_in(tmp_path / "answers.jsonl")
        told(qtbot, window.messages, "1 answer imported")
        drop(window, source)
        told(qtbot, window.messages, "support is open: 1 answer judged")


@pytest.mark.shared
def test_dropped_nuggets_are_brought_in(qapp, qtbot, shared, made):
    source = shared / "data" / "forms" / "trecrag" / "nuggets.jsonl"
    if not source.is_file():
        pytest.skip("no forms of today among the shared data")
    with shown_window(qapp, made("p.inexview")) as window:
        qtbot.waitUntil(lambda: window.session.topic is not None)
        assert drop(window, source)
        told(qtbot, window.messages, "nuggets.jsonl: 1 nugget with 0 places imported")
        assert [one.text for one in window.session.project.nuggets.of("q1").nuggets] == ["oil is pressed"]
