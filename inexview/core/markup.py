"""What the tags of the three INEX collections mean to a reader.

Wikipedia 2006 (article/name/body/section), Wikipedia 2009 (article/header/bdy/sec) and IEEE
(article/fm/bdy/bm) share most of their words, so that one table serves all; where a word means several things
its parent decides.
A tag that is not listed is text within the block around it: nothing is ever dropped.
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto


class Role(IntEnum):
    """What an element does to the page; a number, so that an array can hold those of all elements."""

    CONTAINER = auto()  # holds blocks, and has no look of its own
    SECTION = auto()  # a container that makes headings one level deeper
    TITLE = auto()
    HEADING = auto()
    PARAGRAPH = auto()
    LIST = auto()
    NUMBERED_LIST = auto()
    ITEM = auto()
    TERM = auto()
    TABLE = auto()
    TABLE_HEAD = auto()  # whose cells are heading cells
    TABLE_BODY = auto()
    ROW = auto()
    CELL = auto()
    HEADER_CELL = auto()
    CAPTION = auto()
    META = auto()
    PREFORMATTED = auto()
    TEXT = auto()  # stands within a block


class InlineStyle(Enum):
    """How a stretch of text within a block looks."""

    BOLD = auto()
    ITALIC = auto()
    UNDERLINE = auto()
    CODE = auto()
    LINK = auto()
    SUBSCRIPT = auto()
    SUPERSCRIPT = auto()
    SMALL_CAPITALS = auto()


def _table(words: dict[Role, str]) -> dict[str, Role]:
    return {tag: role for role, tags in words.items() for tag in tags.split()}


ROLES = _table(
    {
        Role.CONTAINER: "article body bdy fm bm tig figure image fig figw bib dialog footnotes gallery div",
        Role.SECTION: "section sec ss1 ss2 ss3 ss4 ss5 ss6 app apt",
        Role.HEADING: "title st h h1 h2 h3 h4 h1a h2a h3a",
        Role.PARAGRAPH: (
            "p p1 p2 p3 ip1 ip2 ip3 ip4 ip5 abs kwd ack vt tf tfmath tmath lem the proof definition theorem "
            "blockquote indentation1 indentation2 indentation3 indentation4 indentation5 center poem fn "
            "br hr edintro reviewers"
        ),
        Role.LIST: (
            "list normallist definitionlist dl ul l1 l2 l3 l4 l5 l6 l7 l8 l9 la lb lc ld le bibl "
            "index-entry indexlist"
        ),
        Role.NUMBERED_LIST: "numberlist ol numeric-list",
        Role.ITEM: "item entry li bb definitionitem dd ltem",
        Role.TERM: "term dt",
        Role.TABLE: "table tbl tgroup",
        Role.TABLE_HEAD: "thead",
        Role.TABLE_BODY: "tbody tfoot",
        Role.ROW: "row tr",
        Role.CELL: "cell col td",
        Role.HEADER_CELL: "th",
        Role.CAPTION: "caption fgc tblcap figcap figcaption",
        Role.META: (
            "header id revision timestamp contributor username categories category conversionwarning "
            "languagelink template fno doi hdr hdr1 hdr2 crt obi pdt pp cci issn pn"
        ),
        Role.PREFORMATTED: "pre source code-block programlisting",
    }
)

# Where the parent decides: (parent, tag).
ROLES_IN: dict[tuple[str, str], Role] = {
    ("article", "name"): Role.TITLE,
    ("article", "title"): Role.TITLE,
    ("header", "title"): Role.TITLE,
    ("fm", "title"): Role.TITLE,
    ("tig", "atl"): Role.TITLE,
    ("table", "title"): Role.CAPTION,
    ("tbl", "title"): Role.CAPTION,
    ("tbl", "ti"): Role.CAPTION,
    ("figure", "title"): Role.CAPTION,
    ("fig", "art"): Role.TEXT,
    ("table", "header"): Role.HEADER_CELL,
    ("row", "header"): Role.HEADER_CELL,
    ("row", "entry"): Role.CELL,
    ("fm", "au"): Role.META,
    ("fm", "aff"): Role.META,
}
# Words that mean something else in a reference ("bb") than in an article's head.
for _word in ("obi", "pdt", "pp", "title", "issn"):
    ROLES_IN["bb", _word] = Role.TEXT
    ROLES_IN["obi", _word] = Role.TEXT

PARENT_DECIDES = frozenset(tag for _, tag in ROLES_IN)


def role_of(tag: str, parent: str) -> Role:
    """Return what an element does to the page; ``parent`` is its parent's tag, "" for the root."""
    if tag in PARENT_DECIDES and (role := ROLES_IN.get((parent, tag))) is not None:
        return role
    return ROLES.get(tag, Role.TEXT)


_BOLD, _ITALIC, _LINK = (InlineStyle.BOLD,), (InlineStyle.ITALIC,), (InlineStyle.LINK,)
INLINE_STYLES: dict[str, tuple[InlineStyle, ...]] = {
    **dict.fromkeys(("b", "bold", "strong", "emph3", "bi", "term", "dt"), _BOLD),
    **dict.fromkeys(("it", "i", "em", "emph2", "cite", "var"), _ITALIC),
    **dict.fromkeys(("emph4", "emph5", "bu"), _BOLD + _ITALIC),
    **dict.fromkeys(
        (
            "link", "weblink", "url", "web", "email", "collectionlink", "unknownlink", "outsidelink",
            "wikipedialink", "languagelink", "a",
        ),
        _LINK,
    ),
    **dict.fromkeys(("tt", "code", "kbd", "samp"), (InlineStyle.CODE,)),
    **dict.fromkeys(("u", "ins", "un"), (InlineStyle.UNDERLINE,)),
    **dict.fromkeys(("sub", "inf"), (InlineStyle.SUBSCRIPT,)),
    **dict.fromkeys(("sup", "super"), (InlineStyle.SUPERSCRIPT,)),
    "scp": (InlineStyle.SMALL_CAPITALS,),
}  # fmt: skip
