"""How an article is set: sizes, weights and places of each kind of block, as Qt formats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextOption

from inexview.core.article.blocks import BlockKind
from inexview.core.article.element_roles import InlineStyle
from inexview.gui.article.pieces import DENSE, Cell, Piece
from inexview.gui.look.theme import INTERFACE_FAMILIES, READING_FAMILIES, Theme, mixed
from inexview.gui.services.settings import LINE_SPACING, LINE_WIDTH, TYPEFACE, Settings

# In which size, weight, family and place each kind of block is set; lengths in em of the reading size.

CODE_FAMILIES = ("Noto Sans Mono", "DejaVu Sans Mono", "monospace")

INDENT_EM = 1.5  # for each level of a list
ROW_PADDING_EM = 0.28
BOX_INSET_EM = 0.95  # between a panel's edge and what is in it
BOX_PADDING_EM = 0.7
BELOW_BOX_EM = 0.9
_IN_BOX = 0.84  # the size of running text in a panel
LABEL_EM = 8.2  # what a fact is called, left of it
LONE_LABEL_EM = 7.3  # the same where it is alone: room for "conversion warning" at every reading size
PICTURE_EM = (14.0, 7.5)  # width and height of the frame of a picture
SMALL_PICTURE_EM = (7.0, 4.0)  # in a table or panel
PICTURE_GAP_EM = 0.55


@dataclass(frozen=True, slots=True)
class BlockTypography:
    """How one kind of block is set."""

    size: float = 1.0
    bold: bool = False
    italic: bool = False
    muted: bool = False
    centred: bool = False
    families: tuple[str, ...] = READING_FAMILIES
    leading: float = 1.6
    above: float = 0.0  # of this and what the block before has below, the larger counts
    below: float = 0.82
    between: float | None = None  # below, where another of its kind follows
    indent: float = 0.0
    right: float = 0.0  # how far it ends before the column does


PARAGRAPH = BlockTypography()
_HEADINGS = (
    BlockTypography(size=1.24, bold=True, leading=1.35, above=1.5, below=0.5),
    BlockTypography(size=1.1, bold=True, leading=1.35, above=1.3, below=0.4),
    BlockTypography(bold=True, leading=1.4, above=1.1, below=0.3),
    BlockTypography(size=0.94, bold=True, italic=True, leading=1.4, above=1.0, below=0.2),
)
_SETTINGS = {
    # Below the title there is room for the subtitle.
    BlockKind.TITLE: BlockTypography(size=1.76, bold=True, leading=1.25, above=0.6, below=2.6),
    BlockKind.ITEM: BlockTypography(between=0.35),
    BlockKind.TERM: BlockTypography(bold=True, leading=1.5, above=0.2, below=0.05, between=0.0),
    BlockKind.DEFINITION: BlockTypography(between=0.35),
    BlockKind.REFERENCE: BlockTypography(size=0.88, leading=1.5, between=0.3, indent=2.6),
    BlockKind.CAPTION: BlockTypography(size=0.84, italic=True, muted=True, leading=1.5),
    BlockKind.CELL: BlockTypography(size=0.9, leading=1.45, below=0.9),
    BlockKind.FIELD: BlockTypography(
        size=0.76, families=INTERFACE_FAMILIES, leading=1.55, below=0.6, between=0.1, indent=LABEL_EM
    ),
    BlockKind.MATH: BlockTypography(centred=True, above=0.4),
    BlockKind.BYLINE: BlockTypography(leading=1.5, below=0.9, between=0.1),
    BlockKind.ABSTRACT: BlockTypography(size=0.92, leading=1.55, between=0.5, indent=1.6, right=1.6),
    BlockKind.NOTE: BlockTypography(size=0.84, leading=1.5, below=0.7, between=0.4, indent=1.2),
    BlockKind.META: BlockTypography(
        size=0.72, muted=True, families=INTERFACE_FAMILIES, leading=1.5, below=0.8, between=0.05
    ),
    BlockKind.PREFORMATTED: BlockTypography(size=0.82, families=CODE_FAMILIES, leading=1.5, indent=1.0),
}
_RUNNING_TEXT = (BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.TERM, BlockKind.DEFINITION, BlockKind.CAPTION)
# Kinds that are set in with the list they are in.
_LISTED = {
    BlockKind.PARAGRAPH: 1,
    BlockKind.DEFINITION: 1,
    BlockKind.TERM: 0,
    BlockKind.MATH: 1,
    BlockKind.PREFORMATTED: 1,
}


_AFFILIATION = BlockTypography(size=0.86, italic=True, muted=True, leading=1.5, below=0.9, between=0.1)
# A fact in no panel, as an article's number or its conversion warning, which hardly anybody reads.
_LONE_FACT = replace(
    _SETTINGS[BlockKind.FIELD], size=0.68, muted=True, leading=1.35, below=0.4, indent=LONE_LABEL_EM
)
_BOX_HEADING = BlockTypography(size=0.88, bold=True, leading=1.4, below=0.3)
_BOXED = {kind: replace(_SETTINGS.get(kind, PARAGRAPH), size=_IN_BOX, below=0.4) for kind in _RUNNING_TEXT}


def setting_of(kind: BlockKind, level: int, *, boxed: bool = False) -> BlockTypography:
    """Return how a block of a kind and level (heading depth from 1) is set, in a panel or out of one."""
    if kind is BlockKind.HEADING:
        return _BOX_HEADING if boxed else _HEADINGS[min(max(level, 1), len(_HEADINGS)) - 1]
    if kind is BlockKind.BYLINE and level:
        return _AFFILIATION
    if kind is BlockKind.FIELD and not boxed:
        return _LONE_FACT
    if boxed and kind in _BOXED:
        return _BOXED[kind]
    return _SETTINGS.get(kind, PARAGRAPH)


def depth_of(kind: BlockKind, level: int) -> int:
    """Return the nesting of lists that a block is set in by; a term is where its list's text would."""
    if kind is BlockKind.TERM:
        return max(level - 1, 0)
    return max(1, level) if kind is BlockKind.ITEM else _LISTED.get(kind, 0) * level


# How a reader likes the column of text: its width, its typeface, the distance of its lines.

LOOK_SETTINGS = (LINE_WIDTH, LINE_SPACING, TYPEFACE)


@dataclass(frozen=True, slots=True)
class ReadingLook:
    """Width and distance of lines as shares of the usual ones; ``sans`` sets text without serifs."""

    width: float = 1.0
    spacing: float = 1.0
    sans: bool = False

    @classmethod
    def of(cls, settings: Settings) -> ReadingLook:
        return cls(
            settings.get(LINE_WIDTH) / 100, settings.get(LINE_SPACING) / 100, settings.get(TYPEFACE) == "sans"
        )

    def families(self, families: tuple[str, ...]) -> tuple[str, ...]:
        """Return the typefaces that text is set in where it would be set in these."""
        return INTERFACE_FAMILIES if self.sans and families is READING_FAMILIES else families


# The Qt formats of an article: fonts, margins and colours as its typography and the theme want them.

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
