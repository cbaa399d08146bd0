"""The undo histories of a project's documents, folded from journal rows when they are first asked for."""

from __future__ import annotations

from collections import deque

from inexview.core.errors import JudgementError
from inexview.core.journal import Row
from inexview.core.judging import UNTOUCHED, Action, DocumentState, History, Step, apply

UNDO = "undo"
REDO = "redo"


class States(dict[str, DocumentState]):
    """Document → state; documents nobody touched are not listed, and are ``UNTOUCHED`` when asked for."""

    def __missing__(self, document: str) -> DocumentState:
        return UNTOUCHED


class _Slot:
    """The history of a document, and the rows that are not yet folded into it."""

    __slots__ = ("_history", "rows")

    def __init__(self) -> None:
        self._history = History()
        self.rows: deque[Row] = deque()

    def folded(self) -> History:
        """Return the history with all rows in it; raises ProjectError where one makes no sense."""
        while self.rows:
            _fold(self._history, self.rows[0])
            self.rows.popleft()  # only now: a damaged row is met again at the next call
        return self._history


class Histories:
    """Takes the rows about documents in the order of the journal, and answers with undo histories."""

    def __init__(self) -> None:
        self._slots: dict[str, dict[str, _Slot]] = {}
        self._bulk: dict[str, list[str]] = {}

    def take(self, row: Row) -> None:
        """Add a row; it is folded when its document is next asked for."""
        if row.topic is None or row.document is None:
            raise row.damaged("it names no document")
        if row.step is not None and row.action not in (UNDO, REDO):
            self._bulk.setdefault(row.step, []).append(row.document)
        documents = self._slots.setdefault(row.topic, {})
        slot = documents.get(row.document)
        if slot is None:
            slot = documents[row.document] = _Slot()
        slot.rows.append(row)

    def of(self, topic: str, document: str) -> History:
        """Return the history of a document; an empty one where nothing was done."""
        slot = self._slots.get(topic, {}).get(document)
        return History() if slot is None else slot.folded()

    def touched(self, topic: str) -> tuple[str, ...]:
        """Return the documents of a topic that have a history, in the order of their first step."""
        return tuple(self._slots.get(topic, ()))

    def states(self, topic: str) -> States:
        """Return the states of a topic's documents."""
        return States((document, self.of(topic, document).state) for document in self.touched(topic))

    def undo_reaches(self, topic: str, document: str) -> tuple[str, ...]:
        """Return the documents that undo in this one changes: several where its last step was a bulk step.

        Documents in which something was done after the bulk step keep it.
        """
        step = self.of(topic, document).to_undo
        if step is None or step.documents == 1:
            return () if step is None else (document,)
        return tuple(
            other
            for other in self._bulk[step.id]
            if (last := self.of(topic, other).to_undo) is not None and last.id == step.id
        )

    def redo_reaches(self, topic: str, document: str) -> tuple[str, ...]:
        """Return the documents that redo in this one changes."""
        step = self.of(topic, document).to_redo
        if step is None or step.documents == 1:
            return () if step is None else (document,)
        return tuple(
            other
            for other in self._bulk[step.id]
            if (next_ := self.of(topic, other).to_redo) is not None and next_.id == step.id
        )


def _fold(history: History, row: Row) -> None:
    """Let a row happen to a history."""
    content = row.values()
    try:
        if row.action == UNDO:
            undone = history.undo().id
            if undone != content["of"]:
                raise row.damaged(f"it undoes {content['of']} where {undone} was the last step")
        elif row.action == REDO:
            redone = history.redo().id
            if redone != content["of"]:
                raise row.damaged(f"it redoes {content['of']} where {redone} was undone last")
        else:
            action = Action.from_content(row.action, content)
            state = apply(history.state, action)
            step = row.step or row.id
            history.do(Step(step, action, state, row.time, row.assessor, content.get("documents", 1)))
    except (JudgementError, KeyError, TypeError, ValueError) as error:
        raise row.damaged(str(error)) from error
