"""Whose marks were taken, where they are not the assessor's own: another's layer, or a suggestion.

They are in the journal's row beside what the action did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from inexview.core.judgements.records import DECISIONS, Origin, SuggestedPassage
from inexview.core.project.journal.row_values import number, spans_from, text, truth
from inexview.core.text.text_quotes import Span


class Ruling(StrEnum):
    """What of two or three layers was taken for a place; the values are in the journal."""

    A = "A"
    B = "B"
    C = "C"
    UNION = "union"
    INTERSECTION = "intersection"
    MAJORITY = "majority"  # what two of three marked
    PEN = "pen"  # drawn by who adjudicates
    AGREED = "agreed"  # the layers say the same
    ALONE = "alone"  # only one of them judged the document


class Settled(NamedTuple):
    """One decision between two or three layers, named by their assessors or files, "" for one not there.

    ``places`` are the passages ``[start, end)`` that it is about; none where it is the best entry point.
    """

    taken: Ruling
    a: str
    b: str
    c: str = ""
    places: tuple[Span, ...] = ()

    @classmethod
    def between(cls, names: Sequence[str], taken: Ruling, places: tuple[Span, ...] = ()) -> Settled:
        """Make a decision between layers of these names."""
        a, b, c, *_ = (*names, "")
        return cls(taken, a, b, c, places)

    @property
    def origin(self) -> str:
        """From whom the marks are: the layer's name, or how they came about."""
        alone = self.a or self.b or self.c
        names = {Ruling.A: self.a, Ruling.B: self.b, Ruling.C: self.c, Ruling.ALONE: alone}
        return names.get(self.taken, self.taken.value)

    def content(self) -> dict[str, Any]:
        places = {"places": [list(place) for place in self.places]} if self.places else {}
        third = {"c": self.c} if self.c else {}
        return {"taken": self.taken.value, "a": self.a, "b": self.b, **third, **places}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Settled:
        """Read back what ``content`` gave; raises KeyError, ValueError or TypeError."""
        a, b, c = text(content["a"], "a"), text(content["b"], "b"), text(content.get("c", ""), "c")
        return cls(Ruling(content["taken"]), a, b, c, spans_from(content.get("places", ())))


@dataclass(frozen=True, slots=True, order=True)
class Suggestion:
    """A passage ``[start, end)`` that ``source`` suggests; ``score`` is None where its file gives none."""

    start: int
    end: int
    source: str
    score: float | None = None

    @property
    def span(self) -> Span:
        return self.start, self.end

    def content(self) -> dict[str, Any]:
        score = {} if self.score is None else {"score": self.score}
        return {"span": [self.start, self.end], "source": self.source, **score}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Suggestion:
        """Read back what ``content`` gave; raises KeyError, ValueError or TypeError."""
        (start, end), score = spans_from([content["span"]])[0], content.get("score")
        scored = None if score is None else float(number(score, "score"))
        return cls(start, end, text(content["source"], "source"), scored)


class Brought(NamedTuple):
    """What a file that is imported says of decisions made elsewhere, as its records do."""

    origins: tuple[tuple[Span, Origin], ...] = ()
    suggestions: tuple[SuggestedPassage, ...] = ()

    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = {}
        if self.origins:
            content["origins"] = [[*span, *origin] for span, origin in self.origins]
        if self.suggestions:
            content["suggestions"] = [
                {**one._asdict(), "taken": one.taken and list(one.taken)} for one in self.suggestions
            ]
        return content

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> Brought | None:
        """Read back what ``content`` gave, None where that was nothing; raises what is raised above."""
        origins = tuple(
            (spans_from([(start, end)])[0], Origin(text(name, "origin"), truth(suggested, "suggested")))
            for start, end, name, suggested in content.get("origins", ())
        )
        suggestions = tuple(map(_suggested, content.get("suggestions", ())))
        return cls(origins, suggestions) if origins or suggestions else None


def _suggested(content: Mapping[str, Any]) -> SuggestedPassage:
    one = Suggestion.from_content({**content, "span": (content["start"], content["end"])})
    taken = content["taken"]
    if content["decision"] not in DECISIONS:
        raise ValueError(f"{content['decision']!r:.40} is no decision about a suggestion")
    span = None if taken is None else spans_from([taken])[0]
    return SuggestedPassage(one.source, one.start, one.end, one.score, content["decision"], span)
