"""Judgements of models in a project: imported, removed, and thresholds; computed from rows.

The labels of a model for a topic are one row per imported file. A later file of the same model replaces its
labels of the same documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inexview.core.answers.judges import KAPPA_ASKED, ORDERED_BY, TAU_ASKED, ModelLabel, ModelLabels
from inexview.core.project.journal_rows import Row, number, text, truth, whole

LABELS, KEPT, ASKED = "model-labels", "model-kept", "model-asked"
JUDGE_ROWS = frozenset((LABELS, KEPT, ASKED))
_LARGEST = 10**9  # grade


@dataclass(frozen=True, slots=True)
class AskedOfModels:
    """The thresholds of weighted κ and τ for models in a project, and the measure that orders the runs."""

    kappa: float = KAPPA_ASKED
    tau: float = TAU_ASKED
    measure: str = ORDERED_BY

    def content(self) -> dict[str, Any]:
        return {"kappa": self.kappa, "tau": self.tau, "measure": self.measure}

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> AskedOfModels:
        """Return the thresholds of a row's content; raises KeyError and ValueError."""
        kappa, tau = (number(content[name], name) for name in ("kappa", "tau"))
        for name, value in (("kappa", kappa), ("tau", tau)):
            if not -1 <= value <= 1:
                raise ValueError(f"{name} = {value}: it must lie between -1 and 1")
        return cls(kappa, tau, text(content["measure"], "measure"))


class JudgeRecord:
    """The labels of each model by topic and document, in order of import."""

    def __init__(self) -> None:
        self._labels: dict[tuple[str, str], dict[str, tuple[ModelLabel, ...]]] = {}
        self._out: set[str] = set()
        self.asked = AskedOfModels()

    def take(self, row: Row) -> None:
        """Apply a row; raises ProjectError if it is invalid."""
        content = row.values()
        try:
            if row.action == ASKED:
                self.asked = AskedOfModels.from_content(content)
                return
            model = text(content["model"], "model")
            if row.action == KEPT:
                (self._out.discard if truth(content["on"], "on") else self._out.add)(model)
                return
            if row.topic is None:
                raise ValueError("it is of no topic")
            read = _by_document(labels_from(row.topic, model, content["labels"]))
            self._out.discard(model)
            self._labels.setdefault((row.topic, model), {}).update(read)
        except (KeyError, TypeError, ValueError) as error:
            raise row.damaged(str(error)) from error

    @property
    def models(self) -> tuple[str, ...]:
        """The models with labels, without removed ones."""
        return tuple(dict.fromkeys(model for _, model in self._labels if model not in self._out))

    def of_topic(self, topic: str) -> Mapping[str, ModelLabels]:
        """Return the labels of each model for a topic."""
        return {
            model: ModelLabels(tuple(label for own in held.values() for label in own))
            for (of, model), held in self._labels.items()
            if of == topic and model not in self._out
        }

    def of_model(self, model: str) -> ModelLabels:
        """Return the labels of a model for all topics; empty if it was removed."""
        held = (own for (_, name), own in self._labels.items() if name == model and model not in self._out)
        return ModelLabels(tuple(label for own in held for listed in own.values() for label in listed))

    def has_topic(self, topic: str) -> bool:
        return any(of == topic and model not in self._out for of, model in self._labels)

    def of_document(self, topic: str, model: str, document: str) -> tuple[ModelLabel, ...]:
        """Return the labels of a model for a document, even if it was removed."""
        return self._labels.get((topic, model), {}).get(document, ())


def _by_document(labels: list[ModelLabel]) -> dict[str, tuple[ModelLabel, ...]]:
    found: dict[str, tuple[ModelLabel, ...]] = {}
    for label in labels:
        found[label.document] = (*found.get(label.document, ()), label)
    return found


def label_content(label: ModelLabel) -> list[Any]:
    """Return the row content of a label: document, grade, reason, quotes, characters shown."""
    shown = None if label.shown is None else list(label.shown)
    return [label.document, label.grade, label.reason, list(label.quotes), shown]


def labels_from(topic: str, model: str, listed: list[Any]) -> list[ModelLabel]:
    """Return the labels of a row; raises TypeError and ValueError."""
    read = []
    for document, grade, reason, quotes, shown in listed:
        if grade is not None and (type(grade) is not int or abs(grade) > _LARGEST):
            raise ValueError(f"grade is {grade!r}, and no whole number")
        label = ModelLabel(
            topic,
            text(document, "document"),
            grade,
            text(reason, "reason"),
            tuple(text(quote, "quote") for quote in quotes),
            model,
        )
        if shown is not None:
            start, end = (whole(at, "shown") for at in shown)
            label = label._replace(shown=(start, end))
        read.append(label)
    return read
