"""The Qt formats of an article: fonts, margins and colours as its typography and the theme want them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextOption

from inexview.core.article.blocks import BlockKind
from inexview.core.article.element_roles import InlineStyle
from inexview.gui.article.typesetting.pieces import Piece
from inexview.gui.article.typesetting.reading_look import ReadingLook
from inexview.gui.article.typesetting.table_layout import DENSE, Cell
from inexview.gui.article.typesetting.typography import (
    BELOW_BOX_EM,
    BOX_INSET_EM,
    BOX_PADDING_EM,
    CODE_FAMILIES,
    INDENT_EM,
    PARAGRAPH,
    PICTURE_EM,
    PICTURE_GAP_EM,
    ROW_PADDING_EM,
    SMALL_PICTURE_EM,
    BlockTypography,
    depth_of,
    setting_of,
)
from inexview.gui.look.theme import INTERFACE_FAMILIES, Theme, mixed

COLUMN_EM = 35.5  # about 70 characters of running text to a line
PADDING = 14  # pixels of page on both sides of the text that still take the mouse
MUTED_SHARE = 0.6
NOTE_GAP_EM = 0.28  # between a word and the note that follows it
_OF_LEVELS = (BlockKind.HEADING, BlockKind.BYLINE)
_MONOSPACED = {InlineStyle.CODE, InlineStyle.MATH}


USUAL = ReadingLook()


class Styles:
    """The Qt formats of one theme at one reading size in pixels; made once, then looked up."""

    def __init__(self, theme: Theme, reading_size: float, look: ReadingLook = USUAL) -> None:
        self.theme = theme
        self.look = look
        self.size = reading_size
        self._blocks: dict[tuple[object, ...], QTextBlockFormat] = {}
        self._characters: dict[tuple[object, ...], QTextCharFormat] = {}

    @property
    def column(self) -> int:
        """The width in pixels of the reading column, its padding included."""
        return round(COLUMN_EM * self.look.width * self.size) + 2 * PADDING

    @property
    def box_inset(self) -> int:
        """How far in pixels what is in a panel keeps from its edges."""
        return round(BOX_INSET_EM * self.size)

    def font(self, setting: BlockTypography = PARAGRAPH, *, size: float | None = None) -> QFont:
        font = QFont()
        font.setFamilies(list(self.look.families(setting.families)))
        font.setPixelSize(max(6, round(self.size * (setting.size if size is None else size))))
        font.setBold(setting.bold)
        font.setItalic(setting.italic)
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        return font

    def interface_font(self, pixels: float, *, bold: bool = False) -> QFont:
        """Return the font of labels that are painted, not text: markers, flags, the subtitle."""
        font = self.font(BlockTypography(families=INTERFACE_FAMILIES, bold=bold))
        font.setPixelSize(max(6, round(pixels * self.size / 17)))
        return font

    def block_format(self, piece: Piece, *, leftward: bool = False) -> QTextBlockFormat:
        """Return a piece's format; what is written from right to left is set in from the right."""
        cell = piece.cell
        key = (
            piece.kind, piece.level, piece.tight, piece.followed_tightly, piece.in_series,
            piece.box >= 0, piece.opens_box, piece.closes_box, len(piece.pictures), len(piece.pictures_after),
            piece.has_icons,
            piece.behind, piece.behind_box,
            None if cell is None else (cell.left, cell.hanging, cell.tabs, cell.dense),
            leftward,
        )  # fmt: skip
        cached = self._blocks.get(key)
        if cached is None:
            cached = self._blocks[key] = self._make_block_format(piece)
            if leftward and cell is None and piece.kind is not BlockKind.FIELD:
                left = cached.leftMargin()
                cached.setLeftMargin(cached.rightMargin())
                cached.setRightMargin(left)
            if cell is not None and cell.tabs:  # in whatever direction its first cell is written
                cached.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        return cached

    def char_format(self, piece: Piece, styles: frozenset[InlineStyle] = frozenset()) -> QTextCharFormat:
        dense = piece.cell is not None and piece.cell.dense
        level = piece.level if piece.kind in _OF_LEVELS else 0
        key = (piece.kind, level, piece.header, piece.box >= 0, dense, styles)
        cached = self._characters.get(key)
        if cached is None:
            cached = self._characters[key] = self._make_char_format(piece, styles, DENSE if dense else 1.0)
        return cached

    def spaced(self, form: QTextCharFormat) -> QTextCharFormat:
        """Return a format that keeps some room behind its letters."""
        made = QTextCharFormat(form)
        made.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
        made.setFontLetterSpacing(NOTE_GAP_EM * self.size)
        return made

    def indent(self, piece: Piece) -> float:
        """Return how far in pixels a piece is set in from the column's left edge."""
        depth = depth_of(piece.kind, piece.level)
        within = self.box_inset if piece.box >= 0 else 0
        setting = setting_of(piece.kind, piece.level, boxed=piece.box >= 0)
        return within + (setting.indent + depth * INDENT_EM) * self.size

    def measure_cell(self, text: str, bold: bool) -> float:
        """Return the width in pixels of the text of a table's cell."""
        return self._cell_metrics[bold].horizontalAdvance(text)

    # -- pictures ------------------------------------------------------------------------------------

    def picture_size(self, piece: Piece) -> tuple[float, float]:
        """Return width and height in pixels of the frame of a picture at a piece."""
        small = piece.cell is not None or piece.box >= 0 or piece.has_icons
        wide, high = SMALL_PICTURE_EM if small else PICTURE_EM
        return wide * self.size, high * self.size

    def pictures_in_row(self, piece: Piece) -> int:
        """Return how many pictures are side by side."""
        room = self.column - 2 * PADDING - (2 * self.box_inset if piece.box >= 0 else 0)
        gap = PICTURE_GAP_EM * self.size
        return max(1, int((room + gap) / (self.picture_size(piece)[0] + gap)))

    def picture_room(self, piece: Piece, count: int) -> float:
        """Return the height in pixels that so many pictures take at a piece, with the gap to its text."""
        rows = -(-count // self.pictures_in_row(piece))
        high, gap = self.picture_size(piece)[1], PICTURE_GAP_EM * self.size
        return rows * (high + gap) - gap + self._picture_gap(piece)

    def _picture_gap(self, piece: Piece) -> float:
        """Return what is free between pictures and the text beneath them: captions keep close."""
        if piece.kind in (BlockKind.CAPTION, BlockKind.FIELD, BlockKind.CELL):
            return PICTURE_GAP_EM * self.size
        return max(PARAGRAPH.below, setting_of(piece.kind, piece.level).above) * self.size

    # -- making --------------------------------------------------------------------------------------

    @cached_property
    def _cell_metrics(self) -> tuple[QFontMetricsF, QFontMetricsF]:
        setting = setting_of(BlockKind.CELL, 0)
        return QFontMetricsF(self.font(setting)), QFontMetricsF(self.font(replace(setting, bold=True)))

    @cached_property
    def muted(self) -> QColor:
        """A muted colour that can be read on the background of marks, too (contrast of at least 4.5)."""
        return mixed(self.theme.muted, self.theme.text, MUTED_SHARE)

    def _make_block_format(self, piece: Piece) -> QTextBlockFormat:
        setting = setting_of(piece.kind, piece.level, boxed=piece.box >= 0)
        made = QTextBlockFormat()
        size = setting.size * (DENSE if piece.cell is not None and piece.cell.dense else 1.0)
        height = round(self.size * size * setting.leading * self.look.spacing)
        made.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        between = setting.below if setting.between is None else setting.between
        below = 0.0 if piece.followed_tightly else between if piece.in_series else setting.below
        if piece.closes_box:
            below = max(below, BELOW_BOX_EM)
        above = 0.0 if piece.tight or piece.pictures else setting.above
        made.setLeftMargin(round(self.indent(piece)))
        made.setRightMargin(round(setting.right * self.size) + (self.box_inset if piece.box >= 0 else 0))
        if setting.centred:
            made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        if piece.kind is BlockKind.TITLE:
            made.setHeadingLevel(1)  # read out by screen readers
        elif piece.kind is BlockKind.HEADING:
            made.setHeadingLevel(min(max(piece.level, 1) + 1, 6))
        elif piece.cell is not None:
            above, below = above + ROW_PADDING_EM, below + ROW_PADDING_EM
            _set_row(made, piece.cell)
        made.setTopMargin(round(above * self.size + self._room_above(piece)))
        made.setBottomMargin(round(below * self.size + self._room_below(piece)))
        return made

    def _room_above(self, piece: Piece) -> float:
        """Return what a panel or pictures need above a piece, in pixels."""
        room = 0.0
        if piece.opens_box:
            room += BOX_PADDING_EM * self.size * (2 if piece.behind_box else 1)
        if piece.pictures:
            room += self.picture_room(piece, len(piece.pictures))
        if room and piece.behind is not None:  # what the piece before asks for below does not count then
            below = setting_of(piece.behind, 2).below
            room += max(below, BELOW_BOX_EM if piece.behind_box else 0.0) * self.size
        return room

    def _room_below(self, piece: Piece) -> float:
        room = BOX_PADDING_EM * self.size if piece.closes_box else 0.0
        return room + (self.picture_room(piece, len(piece.pictures_after)) if piece.pictures_after else 0.0)

    def _make_char_format(
        self, piece: Piece, styles: frozenset[InlineStyle], scale: float
    ) -> QTextCharFormat:
        setting = setting_of(piece.kind, piece.level, boxed=piece.box >= 0)
        reference = InlineStyle.REFERENCE in styles
        font = self.font(setting, size=setting.size * scale * (0.84 if reference else 1.0))
        if InlineStyle.BOLD in styles or piece.header:
            font.setBold(True)
        if InlineStyle.ITALIC in styles or InlineStyle.UNDERLINE in styles:  # lines under text belong to runs
            font.setItalic(not setting.italic)
        if not _MONOSPACED.isdisjoint(styles):
            font.setFamilies(list(CODE_FAMILIES))
            font.setItalic(False)
            font.setPixelSize(max(6, round(font.pixelSize() * 0.88)))
        if InlineStyle.SMALL_CAPITALS in styles:
            font.setCapitalization(QFont.Capitalization.SmallCaps)
        made = QTextCharFormat()
        made.setFont(font, QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesAll)
        if InlineStyle.SUBSCRIPT in styles:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
        elif InlineStyle.SUPERSCRIPT in styles:
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        if setting.muted or reference:
            made.setForeground(self.muted)
        return made


def _set_row(made: QTextBlockFormat, cell: Cell) -> None:
    """Let a row begin at its first column and go on, where it wraps, under its last."""
    stops = [stop - cell.left for stop in cell.tabs]  # Qt counts from where the line begins
    made.setLeftMargin(cell.hanging)
    made.setTextIndent(cell.left - cell.hanging)
    made.setTabPositions([QTextOption.Tab(stop, QTextOption.TabType.LeftTab) for stop in stops])
