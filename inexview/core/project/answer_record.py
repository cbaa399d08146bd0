"""Answers in a project, and judgements of their citations, with undo; computed from rows.

An answer is one row; so is each judgement and each undo. They belong to a topic, not to a document. The names
of runs that were shown are a row too, but not a step of undo.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from inexview.core.answers.answers import Answer, Answers, Reference, Sentence
from inexview.core.answers.support import SUPPORT, SupportJudgements
from inexview.core.errors import JudgementError
from inexview.core.judgements.runs import UNKNOWN
from inexview.core.project.journal_rows import INSPECTED, Row, text, text_or_none, truth, whole

GIVEN, JUDGED, UNDONE, REDONE = "answer-given", "support", "support-undo", "support-redo"
ANSWER_ROWS = frozenset((GIVEN, JUDGED, UNDONE, REDONE, INSPECTED))


class SupportAction(NamedTuple):
    """One judgement of an answer: of a citation, of a sentence, or that the answer is finished.

    Sentences and references are numbered from 0; ``value`` None removes a judgement.
    """

    what: str
    """support, together, needs-citation, finished, or note."""
    sentence: int = -1
    reference: int = -1
    value: str | bool | None = None

    def content(self) -> dict[str, Any]:
        return self._asdict()

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> SupportAction:
        """Return the action of a row's content; raises KeyError, TypeError, ValueError."""
        what, value = text(content["what"], "what"), content["value"]
        if what not in _KINDS:
            raise ValueError(f"what = {what!r}: it is not one of {', '.join(_KINDS)}")
        if value is not None:
            value = (text if what in ("support", "note") else truth)(value, "value")
        if what == "support" and value is not None and value not in SUPPORT:
            raise ValueError(f"value = {value!r}: it is not one of {', '.join(SUPPORT)}")
        return cls(what, _place(content, "sentence"), _place(content, "reference"), value)

    @property
    def label(self) -> str:
        """The action in words, for undo and the status bar: ``sentence 4, passage 9: partial``."""
        where = f"sentence {self.sentence + 1}"
        if self.what == "support":
            return f"{where}, passage {self.reference + 1}: {self.value or 'not judged'}"
        if self.what == "note":
            return f"{where}, passage {self.reference + 1}: note"
        if self.what == "together":
            said = "not judged" if self.value is None else "full" if self.value else "not full"
            return f"{where} together: {said}"
        if self.what == "needs-citation":
            return f"{where}: {'needs a citation' if self.value else 'needs no citation'}"
        return "answer finished" if self.value else "answer open again"


def _place(content: Mapping[str, Any], name: str) -> int:
    return -1 if content[name] == -1 else whole(content[name], name)


_KINDS = ("support", "together", "needs-citation", "finished", "note")


@dataclass(frozen=True)
class AnswerState:
    """The judgements of an answer."""

    judged: SupportJudgements = field(default_factory=SupportJudgements)
    finished: bool = False
    notes: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def after(self, action: SupportAction) -> AnswerState:
        """Return the state after an action."""
        support, together = {**self.judged.support}, {**self.judged.together}
        no_need, notes, finished = {*self.judged.no_need}, {**self.notes}, self.finished
        place = action.sentence, action.reference
        if action.what == "support":
            support.pop(place, None)
            if isinstance(action.value, str):
                support[place] = SUPPORT[action.value]
        elif action.what == "together":
            together.pop(action.sentence, None)
            if isinstance(action.value, bool):
                together[action.sentence] = action.value
        elif action.what == "needs-citation":
            (no_need.discard if action.value is not False else no_need.add)(action.sentence)
        elif action.what == "note":
            notes.pop(place, None)
            if isinstance(action.value, str) and action.value.strip():
                notes[place] = action.value
        else:
            finished = action.value is True
        return AnswerState(SupportJudgements(support, together, frozenset(no_need)), finished, notes)


UNJUDGED = AnswerState()


class AnswerHistory:
    """The actions on one answer, and which of them are undone."""

    def __init__(self) -> None:
        self._states = [UNJUDGED]
        self._done: list[SupportAction] = []
        self._undone: list[SupportAction] = []

    @property
    def state(self) -> AnswerState:
        return self._states[-1]

    @property
    def to_undo(self) -> SupportAction | None:
        return self._done[-1] if self._done else None

    @property
    def to_redo(self) -> SupportAction | None:
        return self._undone[-1] if self._undone else None

    def do(self, action: SupportAction) -> None:
        self._undone.clear()
        self._add(action)

    def undo(self) -> None:
        """Undo the last action; raises JudgementError if there is none."""
        if not self._done:
            raise JudgementError("there is nothing to undo in this answer")
        self._undone.append(self._done.pop())
        self._states.pop()

    def redo(self) -> None:
        """Redo the action that was undone last; raises JudgementError if there is none."""
        if not self._undone:
            raise JudgementError("there is nothing to redo in this answer")
        self._add(self._undone.pop())

    def _add(self, action: SupportAction) -> None:
        self._states.append(self.state.after(action))
        self._done.append(action)


class AnswerRecord:
    """The answers of a project by topic and run, with the history of each."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], Answer] = {}
        self._histories: dict[tuple[str, str], AnswerHistory] = {}
        self._named = set[tuple[str, str]]()

    def take(self, row: Row) -> None:
        """Apply a row; raises ProjectError if it is invalid."""
        content = row.values()
        try:
            if row.topic is None:
                raise ValueError("it is of no topic")
            if row.action == INSPECTED:
                self._named.update((row.topic, text(run, "runs")) for run in content["runs"])
                return
            run = text(content["run"], "run")
            if row.action == GIVEN:  # an answer that replaces another starts without judgements
                self._answers[row.topic, run] = answer_from(row.topic, content)
                self._histories.pop((row.topic, run), None)
                return
            history = self._histories.setdefault((row.topic, run), AnswerHistory())
            if row.action == JUDGED:
                history.do(SupportAction.from_content(content))
            elif row.action == UNDONE:
                history.undo()
            else:
                history.redo()
        except (KeyError, TypeError, ValueError, JudgementError) as error:
            raise row.damaged(str(error)) from error

    def __bool__(self) -> bool:
        return bool(self._answers)

    def of_topic(self, topic: str) -> tuple[Answer, ...]:
        """Return the answers to a topic in the order of import."""
        return tuple(answer for (own, _), answer in self._answers.items() if own == topic)

    def every(self) -> Answers:
        return Answers(tuple(self._answers.values()))

    def find(self, topic: str, run: str) -> Answer | None:
        return self._answers.get((topic, run))

    def history(self, topic: str, run: str) -> AnswerHistory:
        return self._histories.get((topic, run), AnswerHistory())

    def state(self, topic: str, run: str) -> AnswerState:
        return self.history(topic, run).state

    def named(self, topic: str, run: str) -> bool:
        """Return whether the name of the run was shown before its answer was finished."""
        return (topic, run) in self._named

    def states(self) -> Iterator[tuple[Answer, AnswerState]]:
        """Yield every answer with its judgements."""
        for place, answer in self._answers.items():
            yield answer, self.state(*place)

    def judged(self) -> dict[tuple[str, str], SupportJudgements]:
        """Return the judgements by run and topic, as figures need them."""
        return {(run, topic): own.state.judged for (topic, run), own in self._histories.items()}


def carried(kept: Answer, state: AnswerState, given: Answer) -> tuple[SupportAction, ...]:
    """Return the judgements of an answer that apply to its replacement.

    They apply to sentences with the same text, and there to citations of the same passage. The judgement on
    all passages of a sentence applies if it cites the same ones. A finished answer becomes unfinished.
    """
    names = {value: name for name, value in SUPPORT.items()}
    places: dict[str, list[int]] = {}
    for at, sentence in enumerate(given.sentences):
        places.setdefault(sentence.text, []).append(at)
    judged, actions = state.judged, list[SupportAction]()
    for at, sentence in enumerate(kept.sentences):
        if not places.get(sentence.text):
            continue
        now = places[sentence.text].pop(0)
        cited = {given.references[one].passage: one for one in reversed(given.sentences[now].citations)}
        for reference in sentence.citations:
            again = cited.get(kept.references[reference].passage)
            if again is None:
                continue
            if (support := judged.support.get((at, reference))) is not None:
                actions.append(SupportAction("support", now, again, names[support]))
            if note := state.notes.get((at, reference)):
                actions.append(SupportAction("note", now, again, note))
        if at in judged.no_need:
            actions.append(SupportAction("needs-citation", now, value=False))
        same = {kept.references[one].passage for one in sentence.citations} == cited.keys()
        if at in judged.together and same:
            actions.append(SupportAction("together", now, value=judged.together[at]))
    return tuple(actions)


def answer_content(answer: Answer) -> dict[str, Any]:
    """Return the row content of an answer."""
    return {
        "run": answer.run,
        "question": answer.question,
        "references": [list(reference) for reference in answer.references],
        "sentences": [[one.text, list(one.citations), list(one.broken)] for one in answer.sentences],
    }


def answer_from(topic: str, content: Mapping[str, Any]) -> Answer:
    """Return the answer of a row's content; raises KeyError, TypeError, ValueError."""
    references = []
    for id, document, start, end, quote, title in content["references"]:
        references.append(
            Reference(
                text(id, "id"),
                text(document, "document"),
                start if start == UNKNOWN else whole(start, "start"),
                end if end == UNKNOWN else whole(end, "end"),
                text_or_none(quote, "quote"),
                text(title, "title"),
            )
        )
    sentences = []
    for said, citations, broken in content["sentences"]:
        cited = tuple(whole(at, "citations") for at in citations)
        if any(at >= len(references) for at in cited):
            raise ValueError(f"citations = {citations}: there are {len(references)} references")
        others = tuple(text(one, "broken") for one in broken)
        sentences.append(Sentence(text(said, "sentence"), cited, others))
    question, run = text(content.get("question", ""), "question"), text(content["run"], "run")
    return Answer(topic, run, tuple(references), tuple(sentences), question)
