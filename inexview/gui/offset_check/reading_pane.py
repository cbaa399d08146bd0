"""The words of a passage as they read under each convention."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTextBrowser

from inexview.core.offset_check.previews import OffsetPreview
from inexview.core.text.counting import Convention
from inexview.gui.look.theme import LIGHT, Theme

_SEEN = str.maketrans({"\n": "↵", "\r": "↵", "\t": "⇥"})


class ReadingPane(QTextBrowser):
    """Shows readings below one another: what reads well is the right one."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("How the passage reads")
        self.setOpenLinks(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(14)
        self._theme = LIGHT
        self._shown: tuple[str, Sequence[OffsetPreview], Collection[Convention]] = ("", (), ())

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self.show_readings(*self._shown)

    def show_readings(
        self, heading: str, readings: Sequence[OffsetPreview], fitting: Collection[Convention] = ()
    ) -> None:
        """Show how a passage reads; ``fitting`` are the conventions under which its line fits."""
        self._shown = heading, readings, fitting
        parts = [f'<p style="color:{self._theme.muted}">{escape(heading)}</p>']
        parts += [self._as_html(reading) for reading in readings]
        self.setHtml("".join(parts))

    def _as_html(self, reading: OffsetPreview) -> str:
        names = "; ".join(convention.name for convention in reading.conventions)
        fits = any(convention in self._shown[2] for convention in reading.conventions)
        sign = f' <span style="color:{self._theme.finished}">✓&nbsp;fits</span>' if fits else ""
        where = f"{reading.start:,}" if reading.start == reading.end else f"{reading.start:,}–{reading.end:,}"
        return (
            f'<p style="margin-top:12px; margin-bottom:2px"><b>{escape(names)}</b>'
            f' <span style="color:{self._theme.muted}">&nbsp; {where}</span>{sign}</p>'
            f'<p style="margin-top:3px; line-height:140%">{self._words(reading)}</p>'
        )

    def _words(self, reading: OffsetPreview) -> str:
        muted = f'<span style="color:{self._theme.muted}">%s</span>'
        if reading.past_end and not reading.first:
            return muted % "past the end of the document"
        words = (
            f'<span style="background:{self._theme.mark}">{_visible(reading.first)}'
            + (muted % " … " + _visible(reading.last) if reading.last else "")
            + "</span>"
        )
        if reading.start == reading.end:
            words = f'<span style="color:{self._theme.bep}"><b>▸</b></span>'
        tail = " ¶ past the end of the document" if reading.past_end else reading.after
        return muted % _visible(reading.before) + words + muted % _visible(tail)


def _visible(text: str) -> str:
    """Return HTML in which white space can be seen where it matters."""
    return escape(text.translate(_SEEN)).replace("  ", "&nbsp; ")
