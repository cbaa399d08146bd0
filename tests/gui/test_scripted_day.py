"""A day of work with real events: 300 documents, a restart, a crash, two more assessors, and the qrels.

Files are opened and written through the dialogs, and the crash is a process that is killed.  What the qrels
should be is said by a model of plain sets, which knows nothing of the program.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview import cli
from inexview.core.project.project import Project
from inexview.gui.look.panels import RowRole
from tests.gui.driving import LEFT, click, drag, file_named, key, shown_window

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
POOLED, ADDED = 294, 6
SENTENCES = 4
AT_ONCE = 220  # documents of which the list is enough to see that they are not relevant
SUGGESTED = range(226, 240)  # documents that are judged while suggestions are on
RESTART, CRASH = 252, 272  # after so many documents
BY_MOUSE = 7  # and this one with the mouse
RULINGS = (1, 2, 3, 4, 5, 6, 2)  # of disputed documents, by their keys; what comes last is drawn anew
LOOKED_AT = 3  # of each 20 documents this one is judged with the topic's words in view
Marks = Callable[[str, "Judged"], set[int]]


@dataclass
class Judged:
    """What one document should be: its characters, entry point, and the states before, for undo."""

    marks: set[int] = field(default_factory=set)
    bep: int | None = None
    before: list[set[int]] = field(default_factory=list)
    others: list[Judged] = field(default_factory=list)
    """What the second assessor judged, and the third."""

    def mark(self, start: int, end: int) -> None:
        """Mark a sentence; with nothing but a blank between, it joins the one before and the one behind."""
        self.before.append(set(self.marks))
        low, high = start - (start - 2 in self.marks), end + (end + 1 in self.marks)
        self.marks |= set(range(low, high))

    def undo(self) -> None:
        self.marks = self.before.pop()

    def passages(self) -> list[tuple[int, int]]:
        edges = [at for at in sorted(self.marks) if at - 1 not in self.marks]
        return [(start, next(at for at in range(start, 10_000) if at not in self.marks)) for start in edges]

    def line(self, document: str, length: int) -> str:
        """Return the line of FOL qrels."""
        size = len(self.marks)
        if not size:
            return f"7 Q0 {document} 0 {length}"
        passages = " ".join(f"{start}:{end - start}" for start, end in self.passages())
        return f"7 Q0 {document} {size} {length} {self.bep} {passages}"


def title(document: str) -> str:
    return f"Oil {document}"


def body(document: str) -> str:
    return " ".join(f"Sentence {number} of document {document} tells of oil." for number in range(SENTENCES))


def text(document: str) -> str:
    return title(document) + body(document)


def sentences(document: str) -> list[tuple[int, int]]:
    """Return where the sentences of a document are."""
    return [found.span() for found in re.finditer(r"Sentence [^.]*\.", text(document))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    articles = tmp_path / "articles"
    articles.mkdir()
    documents = [f"{1000 + number}" for number in range(POOLED + ADDED)]
    for document in documents:
        (articles / f"{document}.xml").write_text(
            f"<article><name>{title(document)}</name><body><p>{body(document)}</p></body></article>"
        )
    (tmp_path / "topics.xml").write_text(
        '<inex-topic-file><topic id="7"><title>oils</title></topic></inex-topic-file>'
    )
    (tmp_path / "pool.txt").write_text("".join(f"7 {document}\n" for document in documents[:POOLED]))
    made = tmp_path / "oils.inexview"
    Project.create(
        made, collection=articles, topics=tmp_path / "topics.xml", pool=tmp_path / "pool.txt"
    ).close()
    return made


class Day:
    """Works through the documents in whichever window is open, and keeps the model."""

    def __init__(self, qtbot) -> None:
        self.qtbot = qtbot
        self.random = random.Random(7)
        self.model: dict[str, Judged] = {}
        self.settled: list[str] = []
        self.words = ["oil"]  # of the topic
        self.window = None

    def begin(self, window) -> None:
        """Go on in a window; a small one, for there is little to read."""
        self.window = window
        window.resize(900, 640)

    def at(self, document: str) -> None:
        window = self.window
        self.qtbot.waitUntil(
            lambda: (
                window.session.document_id == document
                and window.article.document is not None
                and window.article.document.id == document
            )
        )

    def press(self, name, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
        key(self.window.article, name, modifiers)

    def judge_at_once(self, documents: list[str]) -> None:
        """Select documents in the list, and say of all that they are not relevant."""
        self.at(documents[0])
        view = self.window.assess.pool.view
        view.setFocus()
        for _ in documents[1:]:
            QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
        assert view.selected() == tuple(documents)
        QTest.keyClick(view, Qt.Key.Key_N)
        self.model.update((document, Judged()) for document in documents)

    def judge(self, document: str) -> None:
        """Judge one document, and finish it."""
        self.at(document)
        judged = self.model[document] = Judged()
        if int(document) % 20 == LOOKED_AT:
            self.look_at_words(document)
        if int(document) - 1000 in SUGGESTED and self.suggestion(document, judged):
            return
        if self.random.random() < 0.6:
            self.press(Qt.Key.Key_N)
            return
        if int(document) % 20 == BY_MOUSE:
            self.judge_by_mouse(document, judged)
            return
        self.press(Qt.Key.Key_Down, CTRL)
        wanted = [self.random.random() < 0.5 for _ in range(SENTENCES)]
        wanted[self.random.randrange(SENTENCES)] = True
        for take, span in zip(wanted, sentences(document), strict=True):
            if take:
                judged.mark(*span)
                self.press(Qt.Key.Key_S)
            else:
                self.press(Qt.Key.Key_Right, CTRL)
        if sum(wanted) > 1 and self.random.random() < 0.4:
            judged.undo()
            self.press(Qt.Key.Key_Z, CTRL)
        if self.random.random() < 0.2:
            self.note(document)
        judged.bep = min(judged.marks)
        self.press(Qt.Key.Key_B, ALT)
        self.press(Qt.Key.Key_F)

    def judge_by_mouse(self, document: str, judged: Judged) -> None:
        """Drag over two sentences, and set the entry point in the second."""
        _, second, third, _ = sentences(document)
        judged.mark(second[0], third[1])
        drag(self.window.article, second[0], third[1])
        judged.bep = third[0]
        self.press(Qt.Key.Key_B)
        click(self.window.article, third[0])
        self.press(Qt.Key.Key_F)

    def suggestion(self, document: str, judged: Judged) -> bool:
        """Take what is suggested, its second sentence, or one more with it, or refuse it."""
        _, suggested, third, _ = sentences(document)
        decision = self.random.random()
        if decision < 0.4:
            self.press(Qt.Key.Key_Y, SHIFT)
            self.press(Qt.Key.Key_N)
            return True
        judged.mark(*suggested)
        if decision < 0.7:
            self.press(Qt.Key.Key_Y, ALT)
            self.press(Qt.Key.Key_Right, CTRL | SHIFT)
            judged.mark(suggested[0], third[1])
        judged.bep = min(judged.marks)
        self.press(Qt.Key.Key_Y)
        self.press(Qt.Key.Key_B, ALT)
        self.press(Qt.Key.Key_F)
        return True

    def add_word(self, word: str) -> None:
        """Look for a word of one's own, too."""
        self.press(Qt.Key.Key_W, ALT)
        field_ = self.window.assess.panel.words.field
        QTest.keyClicks(field_, word)
        QTest.keyClick(field_, Qt.Key.Key_Return)
        self.words.append(word)

    def look_at_words(self, document: str) -> None:
        """Go to the words that are looked for in the title and in the first sentences, and back."""
        found = [[at.start() for at in re.finditer(word, text(document), re.I)] for word in self.words]
        counts = [f"{len(places)}" for places in found]
        words, chips = self.window.word_help.words, self.window.assess.panel.words.chips
        self.qtbot.waitUntil(lambda: bool(words._places) and [chip._count for chip in chips()] == counts)
        for place in sorted(start for one in found for start in one)[:4]:
            self.press(Qt.Key.Key_W)
            assert self.window.article.caret == place
        self.press(Qt.Key.Key_Home, CTRL)

    def settle(self, document: str, ruling: int) -> None:
        """Settle all that three assessors differ in by one key, and the entry point by another."""
        judged = self.model[document]
        a, b, c = judged.marks, *(other.marks for other in judged.others)
        self.settled.append(document)
        entries = {judged.bep, *(other.bep for other in judged.others)}
        judged.marks = {1: a, 2: b, 3: a | b | c, 4: a & b & c, 5: c, 6: a & b | b & c | a & c}[ruling]
        self.press(Qt.Key(Qt.Key.Key_0 + ruling), SHIFT)
        if judged.marks and len(entries) > 1:
            self.press(Qt.Key.Key_5)
            judged.bep = judged.others[1].bep
        if len(self.settled) == len(RULINGS):  # the last one is drawn upon
            judged.mark(*sentences(document)[0])
            drag(self.window.article, *sentences(document)[0])
        self.press(Qt.Key.Key_F)

    def find_elsewhere(self, document: str) -> None:
        """Find a document by a word that only it has, and open it: no pool has it."""
        page = self.window.stage.search.page
        self.press(Qt.Key.Key_F, CTRL | SHIFT)
        self.qtbot.waitUntil(lambda: page.isVisible() and not page.status.text().startswith("Looking"))
        if page.make_index.isVisible():  # the first time
            QTest.mouseClick(page.make_index, LEFT)
            self.qtbot.waitUntil(page.field.isEnabled)
        page.field.clear()
        QTest.keyClicks(page.field, document)
        self.qtbot.waitUntil(lambda: page.status.text() == "1 document" and self.first_found() == document)
        QTest.keyClick(page.field, Qt.Key.Key_Down)
        QTest.keyClick(page.field, Qt.Key.Key_Return)

    def command(self, typed: str, path: Path) -> None:
        """Choose a command by typing what it is called, and the file that it asks for."""
        self.press(Qt.Key.Key_K, CTRL)
        QTest.keyClicks(self.window.popup.field, typed)
        with file_named(self.window, path):
            QTest.keyClick(self.window.popup.field, Qt.Key.Key_Return)

    def export(self, path: Path) -> None:
        """Write qrels, as the dialog offers them first."""
        self.press(Qt.Key.Key_E, CTRL)
        dialog = self.window.exporter.dialog
        self.qtbot.waitUntil(dialog._export.isEnabled)  # all judgements are looked through
        with file_named(self.window, path):
            QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
        self.qtbot.waitUntil(path.exists)

    def first_found(self) -> str:
        row = self.window.stage.search.page.model.index(0).data(RowRole)
        return "" if row is None else row.found.id

    def note(self, document: str) -> None:
        self.press(Qt.Key.Key_N, ALT)
        field_ = self.window.assess.panel.note.field
        QTest.keyClicks(field_, "Look")
        QTest.keyClick(field_, Qt.Key.Key_Return, CTRL)
        assert self.window.session.record.remarks.notes or self.window.session.record.remarks.note


def killed_after_a_mark(path: Path, document: str, checkout: Path) -> list[list[int]]:
    """Mark a sentence in a process of its own, kill that, and return what its screen had shown."""
    arguments = [sys.executable, "-m", "tests.gui.killed_window", str(path), document]
    with subprocess.Popen(arguments, cwd=checkout, stdout=subprocess.PIPE) as window:
        told = window.stdout.readline()
        window.kill()
    return json.loads(told)


def suggestions(folder: Path) -> Path:
    lines = []
    for number in SUGGESTED:
        start, end = sentences(f"{1000 + number}")[1]
        line = {"topic": "7", "document": f"{1000 + number}", "start": start, "end": end, "score": 0.5}
        lines.append(json.dumps(line))
    (folder / "model.jsonl").write_text("\n".join(lines) + "\n")
    return folder / "model.jsonl"


def another_assessor(
    folder: Path, name: str, model: dict[str, Judged], disputed: list[str], marks: Marks
) -> Path:
    """Write what another judged: the disputed documents in another way, the rest alike."""
    lines = []
    for document, judged in model.items():
        other = Judged(set(judged.marks), judged.bep)
        if document in disputed:
            other.marks = marks(document, judged)
            other.bep = min(other.marks)
            judged.others.append(other)
        lines.append(other.line(document, len(text(document))))
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return folder / f"{name}.txt"


def bobs(document: str, judged: Judged) -> set[int]:
    """Return what Bob marked: all but the first sentence too, or not the last one."""
    wider = judged.marks | characters(document, 1, 2, 3)
    return wider if wider != judged.marks else judged.marks - characters(document, 3)


def eves(document: str, judged: Judged) -> set[int]:
    """Return what Eve marked, whatever others did."""
    return characters(document, 0, 3)


def characters(document: str, *numbers: int) -> set[int]:
    """Return the characters of some sentences."""
    spans = sentences(document)
    return {at for number in numbers for at in range(*spans[number])}


def test_a_day_of_300_documents_ends_in_the_qrels_it_should(qapp, qtbot, path, tmp_path, checkout):
    day = Day(qtbot)
    pooled = [f"{1000 + number}" for number in range(POOLED)]
    with shown_window(qapp, path) as window:
        day.begin(window)
        day.judge_at_once(pooled[:AT_ONCE])
        day.at(pooled[AT_ONCE])
        day.add_word("tells")
        for document in pooled[AT_ONCE : SUGGESTED.start]:
            day.judge(document)
        day.command("open suggestions", suggestions(tmp_path))
        qtbot.waitUntil(lambda: window.suggestion_controller.bar.isVisible())
        for document in pooled[SUGGESTED.start : SUGGESTED.stop]:
            day.judge(document)
        QTest.mouseClick(window.suggestion_controller.bar.off, LEFT)
        for document in pooled[SUGGESTED.stop : RESTART]:
            day.judge(document)
        day.at(pooled[RESTART])
    with shown_window(qapp, path) as window:  # the next morning
        day.begin(window)
        for document in pooled[RESTART:CRASH]:
            day.judge(document)
        day.at(pooled[CRASH])
    shown = killed_after_a_mark(path, pooled[CRASH], checkout)
    assert shown == [list(sentences(pooled[CRASH])[0])]
    with shown_window(qapp, path) as window:
        day.begin(window)
        day.at(pooled[CRASH])
        assert [list(span) for span in window.session.state.marks] == shown
        day.press(Qt.Key.Key_Z, CTRL)
        assert window.session.state.untouched
        for document in pooled[CRASH:]:
            day.judge(document)
        for number in range(POOLED, POOLED + ADDED):
            day.find_elsewhere(f"{1000 + number}")
            day.judge(f"{1000 + number}")
        disputed = [name for name, judged in day.model.items() if judged.marks][: len(RULINGS)]
        for layers, (name, marks) in enumerate((("bob", bobs), ("eve", eves)), 2):
            other = another_assessor(tmp_path, name, day.model, disputed, marks)
            day.command("another assessor", other)
            qtbot.waitUntil(lambda layers=layers: len(window.adjudicate.comparison.compared) == layers)
        qtbot.waitUntil(lambda: window.session.document_id in disputed)
        rows = [row.document for row in window.adjudicate.left.model.rows]
        assert sorted(rows) == sorted(disputed)
        for ruling in RULINGS:
            here = window.session.document_id
            day.at(here)
            day.settle(here, ruling)
            qtbot.waitUntil(lambda here=here: window.adjudicate.comparison.settled(here))
            if len(day.settled) < len(RULINGS):
                qtbot.waitUntil(lambda here=here: window.session.document_id != here)
        day.export(tmp_path / "written.txt")
    out = tmp_path / "qrels.txt"
    assert cli.main(["export", str(path), "-o", str(out)]) == 0
    expected = [judged.line(name, len(text(name))) for name, judged in day.model.items()]
    assert sorted(out.read_text().splitlines()) == sorted(expected)
    assert out.read_bytes() == (tmp_path / "written.txt").read_bytes()
    assert len(expected) == POOLED + ADDED
