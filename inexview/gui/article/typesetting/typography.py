"""In which size, weight, family and place each kind of block is set; lengths in em of the reading size."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inexview.core.article.blocks import BlockKind
from inexview.gui.look.theme import INTERFACE_FAMILIES, READING_FAMILIES

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
