"""What the open document gives to a figure of its topic, and what topic and run would have without it."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from inexview.core.evaluation.derivations import Derivation
from inexview.core.evaluation.explain import share_of
from inexview.core.evaluation.scores import TopicScores
from inexview.core.wording import counted
from inexview.gui.inspect.derivation.derivation_model import DerivationModel
from inexview.gui.look.layouts import in_column
from inexview.gui.look.widgets import Caption, label


class DocumentGives(QWidget):
    """Two or three lines under a heading; hidden where the document went into no such figure."""

    def __init__(self) -> None:
        super().__init__()
        self.said = label(wrap=True)
        in_column(Caption("What this document gives"), self.said, on=self, margins=0, spacing=4)
        self.hide()

    def show_of(self, model: DerivationModel, document: str, scores: TopicScores | None) -> None:
        """Tell of a document among the rows of a topic's figure; ``scores`` are the run's."""
        derivation, at = model.derivation, model.place_of(document)
        lines = [] if derivation is None or at is None else _lines(model, derivation, at, scores)
        self.said.setText("\n".join(lines))
        self.setVisible(bool(lines))


def _lines(model: DerivationModel, derivation: Derivation, at: int, scores: TopicScores | None) -> list[str]:
    row = model.rows[at]
    share, change = share_of(derivation, row), model.left_out(row)
    lines = []
    if share is not None and share.filled:
        lines += [
            f"Its S(d) is part of {len(share.ranks):,} of {counted(share.terms, 'term')}:",
            share.filled,
        ]
    if row.start is None and not row.element and not math.isnan(change):
        name, without = derivation.measure, derivation.value + change
        lines.append(f"Left out, {name} would be {without:.4f}{_mean(derivation, without, scores)}.")
    return lines


def _mean(derivation: Derivation, value: float, scores: TopicScores | None) -> str:
    """Return what the mean would be with another value of the topic, in words."""
    if scores is None or derivation.measure not in scores.names or derivation.topic not in scores.topics:
        return ""
    place = scores.names.index(derivation.measure)
    name = scores.mean_names[place]
    mean = scores.mean_with(name, derivation.topic, value)
    return f", {'the mean' if name == derivation.measure else name} {mean:.4f}"
