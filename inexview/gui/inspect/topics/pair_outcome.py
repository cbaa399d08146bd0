"""On how many topics a run is better, tied and worse, each count beside the look of its bars."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from inexview.core.wording import counted
from inexview.gui.inspect.topics.topic_cells import fill_difference
from inexview.gui.look.widgets import LEFT, PaintedWidget, derived, write

SWATCH = 10  # pixels; that of a tie is lower
TIE = 4
BESIDE, GAP = 5, 18  # pixels right of a swatch, and between two counts
OutcomeParts = tuple[tuple[str, str, str], ...]
"""Of each count the number, its word, and what is said of it more quietly."""


def outcome_said(outcome: tuple[int, int, int]) -> str:
    """Say on how many topics a run wins, ties and loses."""
    wins, ties, losses = outcome
    topics = counted(sum(outcome), "topic")
    return f"{topics} that both runs have: {wins} better, {ties} tied, {losses} worse"


class PairOutcome(PaintedWidget):
    """One line, which says less where there is less room."""

    def __init__(self) -> None:
        super().__init__()
        self._outcome: tuple[int, int, int] | None = None
        self._of = ""
        self._styles = (0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_outcome(
        self, outcome: tuple[int, int, int] | None, topics: int = 0, styles: tuple[int, int] = (0, 0)
    ) -> None:
        """Show wins, ties and losses, and of how many topics where these are not all that are shown."""
        compared = sum(outcome or ())
        self._of = f"of {compared}" if outcome is not None and compared < topics else ""
        self._outcome, self._styles = outcome, styles
        said = "" if outcome is None else outcome_said(outcome)
        self.setToolTip(said)
        self.setAccessibleName(said)
        self.update()

    def text(self) -> str:
        """Return what is shown now."""
        return "  ·  ".join(" ".join(filter(None, part)) for part in self._fitting())

    def _fitting(self) -> OutcomeParts:
        """Return as much as there is room for."""
        if self._outcome is None:
            return ()
        wins, ties, losses = map(str, self._outcome)
        whole: OutcomeParts = (
            (wins, "better", ""),
            (ties, "tied", ""),
            (losses, "worse", self._of),
        )
        bare = tuple((number, "", "") for number, _, _ in whole)
        return whole if self._width(whole) <= self.width() else bare

    def _width(self, parts: OutcomeParts) -> float:
        return sum(wide for part in parts for _, wide in self._pieces(part)) + GAP * (len(parts) - 1)

    def _pieces(self, part: tuple[str, str, str]) -> list[tuple[str, float]]:
        """Return the texts of a count, each with the pixels up to the next; the first is a swatch's."""
        bold, plain = (derived(self.font(), bold=bold) for bold in (True, False))
        space = QFontMetricsF(plain).horizontalAdvance(" ")
        pieces = [("", float(SWATCH + BESIDE))]
        for text, font in zip(part, (bold, plain, plain), strict=True):
            if text:
                pieces.append((text, QFontMetricsF(font).horizontalAdvance(text) + space))
        return pieces

    def sizeHint(self) -> QSize:
        return QSize(280, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * self.fontMetrics().averageCharWidth(), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, x = QPainter(self), 0.0
        fonts = [derived(self.font(), bold=bold) for bold in (True, False, False)]
        colors = [self.theme.color(name) for name in ("text", "text", "muted")]
        for sign, part in zip((1, 0, -1), self._fitting(), strict=False):
            self._paint_swatch(painter, x, sign)
            looks = iter(zip(fonts, colors, strict=True))
            for text, wide in self._pieces(part):
                if text:
                    font, color = next(looks)
                    write(painter, QRectF(x, 0, wide, self.height()), text, font, color, LEFT)
                x += wide
            x += GAP

    def _paint_swatch(self, painter: QPainter, x: float, sign: int) -> None:
        """Paint what a bar of such topics looks like; of a tie the line of zero is all."""
        high = SWATCH if sign else TIE
        swatch = QRectF(x, round((self.height() - high) / 2), SWATCH, high)
        if sign:
            fill_difference(painter, swatch, sign, self.theme, *self._styles)
        else:
            painter.fillRect(swatch, self.theme.color("muted"))
