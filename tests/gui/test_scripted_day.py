"""A day of work with real keys: 300 documents, a restart, a crash, a second assessor, and the qrels of it.

What the qrels should be is said by a model of plain sets, which knows nothing of the program.
"""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inexview import cli
from inexview.core.project.project import Project
from inexview.gui.look.list_model import RowRole
from tests.gui.driving import key, shown_window

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
DISPUTED = 8
LOOKED_AT = 3  # of each 20 documents this one is judged with the topic's words in view


@dataclass
class Judged:
    """What one document should be: its characters, entry point, and the states before, for undo."""

    marks: set[int] = field(default_factory=set)
    bep: int | None = None
    before: list[set[int]] = field(default_factory=list)
    other: set[int] = field(default_factory=set)
    """What the second assessor marked."""

    def mark(self, start: int, end: int) -> None:
        """Mark a sentence; with nothing but a blank between, it joins the one before."""
        self.before.append(set(self.marks))
        self.marks |= set(range(start - 1 if start - 2 in self.marks else start, end))

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


def sentences(document: str) -> list[tuple[int, int]]:
    """Return where the sentences of a document are."""
    found, at = [], len(title(document))
    for number in range(SENTENCES):
        words = f"Sentence {number} of document {document} tells of oil."
        found.append((at, at + len(words)))
        at += len(words) + 1
    return found


def length(document: str) -> int:
    return sentences(document)[-1][1]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    articles = tmp_path / "articles"
    articles.mkdir()
    documents = [f"{1000 + number}" for number in range(POOLED + ADDED)]
    for document in documents:
        body = " ".join(f"Sentence {n} of document {document} tells of oil." for n in range(SENTENCES))
        (articles / f"{document}.xml").write_text(
            f"<article><name>{title(document)}</name><body><p>{body}</p></body></article>"
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

    def suggestion(self, document: str, judged: Judged) -> bool:
        """Take what is suggested, its second sentence, or refuse it."""
        if self.random.random() < 0.5:
            self.press(Qt.Key.Key_Y, SHIFT)
            self.press(Qt.Key.Key_N)
            return True
        judged.mark(*sentences(document)[1])
        judged.bep = min(judged.marks)
        self.press(Qt.Key.Key_Y)
        self.press(Qt.Key.Key_B, ALT)
        self.press(Qt.Key.Key_F)
        return True

    def look_at_words(self, document: str) -> None:
        """Go to the topic's word in the title and in the first sentences, and back to the beginning."""
        chips = self.window.assess.panel.words.chips
        self.qtbot.waitUntil(lambda: bool(self.window.word_help.words._places))  # those of this document
        assert [chip._count for chip in chips()] == [f"{SENTENCES + 1}"]
        for _, end in [(0, 0), *sentences(document)[:2]]:
            self.press(Qt.Key.Key_W)
            assert self.window.article.caret == max(end - len("oil."), 0)
        self.press(Qt.Key.Key_Home, CTRL)

    def find_elsewhere(self, document: str) -> None:
        """Find a document by a word that only it has, and open it: no pool has it."""
        page = self.window.stage.search.page
        self.press(Qt.Key.Key_F, CTRL | SHIFT)
        self.qtbot.waitUntil(lambda: page.isVisible() and not page.told.startswith("Looking"))
        if page.make_index.isVisible():  # the first time
            QTest.mouseClick(page.make_index, Qt.MouseButton.LeftButton)
            self.qtbot.waitUntil(page.field.isEnabled)
        page.field.clear()
        QTest.keyClicks(page.field, document)
        self.qtbot.waitUntil(lambda: page.told == "1 document" and self.first_found() == document)
        QTest.keyClick(page.field, Qt.Key.Key_Down)
        QTest.keyClick(page.field, Qt.Key.Key_Return)

    def first_found(self) -> str:
        row = self.window.stage.search.page.model.index(0).data(RowRole)
        return "" if row is None else row.found.id

    def note(self, document: str) -> None:
        self.press(Qt.Key.Key_N, ALT)
        field_ = self.window.assess.panel.note.field
        QTest.keyClicks(field_, "Look")
        QTest.keyClick(field_, Qt.Key.Key_Return, CTRL)
        assert self.window.session.record.remarks.notes or self.window.session.record.remarks.note


def suggestions(folder: Path) -> Path:
    lines = []
    for number in SUGGESTED:
        start, end = sentences(f"{1000 + number}")[1]
        line = {"topic": "7", "document": f"{1000 + number}", "start": start, "end": end, "score": 0.5}
        lines.append(json.dumps(line))
    (folder / "model.jsonl").write_text("\n".join(lines) + "\n")
    return folder / "model.jsonl"


def second_assessor(folder: Path, model: dict[str, Judged]) -> tuple[Path, list[str]]:
    """Write what another judged: of some documents also the sentence before or after, the rest alike."""
    disputed = [name for name, judged in model.items() if judged.marks][:DISPUTED]
    lines = []
    for name, judged in model.items():
        other = Judged(set(judged.marks), judged.bep)
        if name in disputed:
            for span in sentences(name)[1:]:
                other.marks |= set(range(*span))
            if other.marks == judged.marks:
                other.marks -= set(range(*sentences(name)[-1]))
        lines.append(other.line(name, length(name)))
        model[name].other = other.marks
    (folder / "bob.txt").write_text("\n".join(lines) + "\n")
    return folder / "bob.txt", [name for name in disputed if model[name].other != model[name].marks]


def test_a_day_of_300_documents_ends_in_the_qrels_it_should(qapp, qtbot, path, tmp_path):
    day = Day(qtbot)
    pooled = [f"{1000 + number}" for number in range(POOLED)]
    with shown_window(qapp, path) as window:
        day.begin(window)
        day.judge_at_once(pooled[:AT_ONCE])
        for document in pooled[AT_ONCE : SUGGESTED.start]:
            day.judge(document)
        window.suggestions.open(suggestions(tmp_path))
        qtbot.waitUntil(lambda: window.suggesting.bar.isVisible())
        for document in pooled[SUGGESTED.start : SUGGESTED.stop]:
            day.judge(document)
        window.suggesting.bar.off.click()
        for document in pooled[SUGGESTED.stop : RESTART]:
            day.judge(document)
        day.at(pooled[RESTART])
    crashed = path.with_name("crashed.inexview")
    with shown_window(qapp, path) as window:  # the next morning
        day.begin(window)
        for document in pooled[RESTART:CRASH]:
            day.judge(document)
        day.at(pooled[CRASH])
        day.press(Qt.Key.Key_Down, CTRL)
        day.press(Qt.Key.Key_S)  # what was done last before the machine went down
        for beside in path.parent.glob(f"{path.name}*"):  # the file, and what SQLite has beside it
            if not beside.name.endswith("lock"):
                shutil.copy(beside, crashed.with_name(beside.name.replace(path.name, crashed.name)))
    with shown_window(qapp, crashed) as window:
        day.begin(window)
        day.at(pooled[CRASH])
        assert window.session.state.relevant
        day.press(Qt.Key.Key_Z, CTRL)
        assert window.session.state.untouched
        for document in pooled[CRASH:]:
            day.judge(document)
        for number in range(POOLED, POOLED + ADDED):
            day.find_elsewhere(f"{1000 + number}")
            day.judge(f"{1000 + number}")
        layer, disputed = second_assessor(tmp_path, day.model)
        window.layers.open(layer)
        qtbot.waitUntil(lambda: window.adjudicate.active)
        rows = [row.document for row in window.adjudicate.left.model.rows]
        assert sorted(rows) == sorted(disputed)
        for _ in disputed:
            here = window.session.document_id
            day.at(here)
            judged = day.model[here]
            judged.marks |= judged.other
            day.press(Qt.Key.Key_3, SHIFT)
            day.press(Qt.Key.Key_F)
            qtbot.waitUntil(lambda here=here: window.adjudicate.comparison.settled(here))
            if here != disputed[-1]:
                qtbot.waitUntil(
                    lambda here=here: (
                        window.session.document_id != here or not window.adjudicate.left.model.rows
                    )
                )
    out = tmp_path / "qrels.txt"
    assert cli.main(["export", str(crashed), "-o", str(out)]) == 0
    expected = [judged.line(name, length(name)) for name, judged in day.model.items()]
    assert sorted(out.read_text().splitlines()) == sorted(expected)
    assert len(expected) == POOLED + ADDED
