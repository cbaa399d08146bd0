"""The typography of an article: which fonts, sizes, margins and colours each kind of block is set in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextOption

from inexview.core.document import BlockKind, InlineStyle
from inexview.gui.article.pieces import Piece
from inexview.gui.article.tables import Cell
from inexview.gui.theme import INTERFACE_FAMILIES, READING_FAMILIES, Theme

CODE_FAMILIES = ("Noto Sans Mono", "DejaVu Sans Mono", "monospace")

COLUMN_EM = 35.5  # about 70 characters of running text to a line
PADDING = 14  # pixels of page on both sides of the text that still take the mouse
INDENT_EM = 1.5
ROW_PADDING_EM = 0.28
MUTED_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Setting:
    """How one kind of block is set; lengths in em of the reading size."""

    size: float = 1.0
    bold: bool = False
    italic: bool = False
    muted: bool = False
    families: tuple[str, ...] = READING_FAMILIES
    leading: float = 1.6
    above: float = 0.0  # of this and what the block before has below, the larger counts
    below: float = 0.82
    between: float | None = None  # below, where another of its kind follows
    indent: float = 0.0


_PARAGRAPH = Setting()
_HEADINGS = (
    Setting(size=1.24, bold=True, leading=1.35, above=1.5, below=0.5),
    Setting(size=1.1, bold=True, leading=1.35, above=1.3, below=0.4),
    Setting(bold=True, leading=1.4, above=1.1, below=0.3),
    Setting(size=0.94, bold=True, italic=True, leading=1.4, above=1.0, below=0.2),
)
_SETTINGS = {
    # Below the title there is room for the subtitle.
    BlockKind.TITLE: Setting(size=1.76, bold=True, leading=1.25, above=0.6, below=2.6),
    BlockKind.ITEM: Setting(between=0.35),
    BlockKind.TERM: Setting(bold=True, below=0.1),
    BlockKind.CAPTION: Setting(size=0.84, italic=True, muted=True, leading=1.5),
    BlockKind.CELL: Setting(size=0.9, leading=1.45, below=0.9),
    BlockKind.META: Setting(
        size=0.72, muted=True, families=INTERFACE_FAMILIES, leading=1.5, below=0.5, between=0.05
    ),
    BlockKind.PREFORMATTED: Setting(size=0.82, families=CODE_FAMILIES, leading=1.5, indent=1.0),
}
# Kinds that are set in with the list they stand in.
_LISTED = {BlockKind.PARAGRAPH: 1, BlockKind.TERM: 0, BlockKind.PREFORMATTED: 1}


def setting_of(kind: BlockKind, level: int) -> Setting:
    """Return how a block of a kind and level (heading depth from 1) is set."""
    if kind is BlockKind.HEADING:
        return _HEADINGS[min(max(level, 1), len(_HEADINGS)) - 1]
    return _SETTINGS.get(kind, _PARAGRAPH)


class Styles:
    """The Qt formats of one theme at one reading size in pixels; made once, then looked up."""

    def __init__(self, theme: Theme, reading_size: float) -> None:
        self.theme = theme
        self.size = reading_size
        self._blocks: dict[tuple[object, ...], QTextBlockFormat] = {}
        self._characters: dict[tuple[object, ...], QTextCharFormat] = {}

    @property
    def column(self) -> int:
        """The width in pixels of the reading column, its padding included."""
        return round(COLUMN_EM * self.size) + 2 * PADDING

    def font(self, setting: Setting = _PARAGRAPH, *, size: float | None = None) -> QFont:
        """Return the font of a setting."""
        font = QFont()
        font.setFamilies(list(setting.families))
        font.setPixelSize(max(6, round(self.size * (setting.size if size is None else size))))
        font.setBold(setting.bold)
        font.setItalic(setting.italic)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return font

    def interface_font(self, pixels: float, *, bold: bool = False) -> QFont:
        """Return the font of labels that are painted, not text: markers, flags, the subtitle."""
        font = self.font(Setting(families=INTERFACE_FAMILIES, bold=bold))
        font.setPixelSize(max(6, round(pixels * self.size / 17)))
        return font

    def block_format(self, piece: Piece) -> QTextBlockFormat:
        """Return the paragraph format of a piece."""
        key = (piece.kind, piece.level, piece.tight, piece.followed_tightly, piece.in_series, piece.cell)
        cached = self._blocks.get(key)
        if cached is None:
            cached = self._blocks[key] = self._make_block_format(piece)
        return cached

    def char_format(self, piece: Piece, styles: frozenset[InlineStyle] = frozenset()) -> QTextCharFormat:
        """Return the character format of a piece with the inline styles that hold there."""
        key = (piece.kind, piece.level if piece.kind is BlockKind.HEADING else 0, piece.header, styles)
        cached = self._characters.get(key)
        if cached is None:
            cached = self._characters[key] = self._make_char_format(piece, styles)
        return cached

    def indent(self, piece: Piece) -> float:
        """Return how far in pixels a piece is set in from the column's left edge."""
        return (setting_of(piece.kind, piece.level).indent + _depth(piece) * INDENT_EM) * self.size

    def measure_cell(self, text: str, bold: bool) -> float:
        """Return the width in pixels of the text of a table's cell."""
        return self._cell_metrics[bold].horizontalAdvance(text)

    @cached_property
    def _cell_metrics(self) -> tuple[QFontMetricsF, QFontMetricsF]:
        setting = setting_of(BlockKind.CELL, 0)
        return QFontMetricsF(self.font(setting)), QFontMetricsF(self.font(replace(setting, bold=True)))

    @cached_property
    def _muted(self) -> QColor:
        """A muted colour that can be read on the background of marks, too (contrast of at least 4.5)."""
        text, muted = self.theme.color("text"), self.theme.color("muted")
        red, green, blue = (
            round(MUTED_SHARE * one + (1 - MUTED_SHARE) * other)
            for one, other in zip(muted.getRgb()[:3], text.getRgb()[:3], strict=True)  # type: ignore[index]
        )
        return QColor(red, green, blue)

    def _make_block_format(self, piece: Piece) -> QTextBlockFormat:
        setting = setting_of(piece.kind, piece.level)
        made = QTextBlockFormat()
        height = round(self.size * setting.size * setting.leading)
        made.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        made.setTopMargin(0 if piece.tight else round(setting.above * self.size))
        between = setting.below if setting.between is None else setting.between
        below = 0.0 if piece.followed_tightly else between if piece.in_series else setting.below
        made.setBottomMargin(round(below * self.size))
        made.setLeftMargin(round(self.indent(piece)))
        if piece.kind is BlockKind.TITLE:
            made.setHeadingLevel(1)  # read out by screen readers
        elif piece.kind is BlockKind.HEADING:
            made.setHeadingLevel(min(max(piece.level, 1) + 1, 6))
        elif piece.cell is not None:
            self._set_row(made, piece.cell)
        return made

    def _set_row(self, made: QTextBlockFormat, cell: Cell) -> None:
        """Let a row begin at its first column and go on, where it wraps, under its last."""
        made.setTopMargin(round(ROW_PADDING_EM * self.size))
        made.setBottomMargin(made.bottomMargin() + round(ROW_PADDING_EM * self.size))
        made.setLeftMargin(cell.hanging)
        made.setTextIndent(cell.left - cell.hanging)
        made.setTabPositions([QTextOption.Tab(stop, QTextOption.TabType.LeftTab) for stop in cell.tabs])

    def _make_char_format(self, piece: Piece, styles: frozenset[InlineStyle]) -> QTextCharFormat:
        setting = setting_of(piece.kind, piece.level)
        font = self.font(setting)
        if InlineStyle.BOLD in styles or piece.header:
            font.setBold(True)
        if InlineStyle.ITALIC in styles or InlineStyle.UNDERLINE in styles:  # lines under text belong to runs
            font.setItalic(not setting.italic)
        if InlineStyle.CODE in styles:
            font.setFamilies(list(CODE_FAMILIES))
            font.setPixelSize(max(6, round(font.pixelSize() * 0.88)))
        if InlineStyle.SMALL_CAPITALS in styles:
            font.setCapitalization(QFont.Capitalization.SmallCaps)
        made = QTextCharFormat()
        made.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        if InlineStyle.SUBSCRIPT in styles:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
        elif InlineStyle.SUPERSCRIPT in styles:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        if setting.muted:
            made.setForeground(self._muted)
        return made


def _depth(piece: Piece) -> int:
    """Return the nesting of lists that a piece is set in by."""
    return max(1, piece.level) if piece.kind is BlockKind.ITEM else _LISTED.get(piece.kind, 0) * piece.level
