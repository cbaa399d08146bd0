"""The role of each element of an article for a reader, from its tag, its parent, or its neighbours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, IntEnum, auto
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.elements import Elements

# The meaning of the tags of the three INEX collections for a reader.
#
# Wikipedia 2006 (article/name/body/section), Wikipedia 2009 (article/header/bdy/sec) and IEEE
# (article/fm/bdy/bm) share most tags, so that one table serves all; the parent decides between several
# meanings. A tag that is not listed is text within the block around it: nothing is dropped.

LONGEST_LABEL = 60


class Role(IntEnum):
    """The effect of an element on the page; a number, so that an array can hold those of all elements."""

    CONTAINER = auto()  # contains blocks, without a look of its own
    SECTION = auto()  # a container that moves headings one level down
    TITLE = auto()
    HEADING = auto()
    PARAGRAPH = auto()
    INDENTED = auto()  # an indented paragraph
    LIST = auto()
    NUMBERED_LIST = auto()
    ITEM = auto()
    TERM = auto()
    DEFINITION = auto()
    REFERENCES = auto()  # a list of references
    REFERENCE = auto()
    TABLE = auto()
    TABLE_HEAD = auto()  # its cells are heading cells
    TABLE_BODY = auto()
    COLUMN_NAME = auto()  # CALS: colspec
    SPAN_NAME = auto()  # CALS: spanspec
    ROW = auto()
    CELL = auto()
    HEADER_CELL = auto()
    BOX = auto()  # a panel of facts next to the text: an infobox, or metadata in the head of an article
    FIELD = auto()  # one fact of a box, named by its tag or an attribute
    TEMPLATE = auto()  # a box, a line of its own or text, depending on its content and its neighbours
    CAPTION = auto()
    LABEL = auto()  # "Figure 1.", before a caption
    PICTURE = auto()
    MATH = auto()  # a formula on a line of its own
    BYLINE = auto()  # authors
    AFFILIATION = auto()  # their institutions
    ABSTRACT = auto()
    NOTE = auto()  # footnotes, biographies of the authors
    META = auto()
    PREFORMATTED = auto()
    TEXT = auto()  # part of a block


class InlineStyle(Enum):
    """The look of a stretch of text within a block."""

    BOLD = auto()
    ITALIC = auto()
    UNDERLINE = auto()
    CODE = auto()
    LINK = auto()
    SUBSCRIPT = auto()
    SUPERSCRIPT = auto()
    SMALL_CAPITALS = auto()
    MATH = auto()
    REFERENCE = auto()  # a footnote within its sentence


def _table(words: dict[Role, str]) -> dict[str, Role]:
    return {tag: role for role, tags in words.items() for tag in tags.split()}


ROLES = _table(
    {
        Role.CONTAINER: (
            "article body bdy fm bm tig figure fig figw bib dialog footnotes gallery div parameters "
            "revision contributor categories definitionitem"
        ),
        Role.SECTION: "section sec ss1 ss2 ss3 ss4 ss5 ss6 app apt",
        Role.HEADING: "title st h h1 h2 h3 h4 h1a h2a h3a",
        Role.PARAGRAPH: (
            "p p1 p2 p3 ip1 ip2 ip3 ip4 ip5 ack lem the proof definition theorem center poem "
            "br hr edintro reviewers"
        ),
        Role.INDENTED: ("blockquote indent indentation1 indentation2 indentation3 indentation4 indentation5"),
        Role.LIST: (
            "list normallist definitionlist dl ul l1 l2 l3 l4 l5 l6 l7 l8 l9 la lb lc ld le "
            "index-entry indexlist"
        ),
        Role.NUMBERED_LIST: "numberlist ol numeric-list",
        Role.ITEM: "item entry li ltem",
        Role.TERM: "term dt",
        Role.DEFINITION: "dd",
        Role.REFERENCES: "bibl reflist references",
        Role.REFERENCE: "bb",
        Role.TABLE: "table tbl tgroup",
        Role.TABLE_HEAD: "thead",
        Role.TABLE_BODY: "tbody tfoot",
        Role.COLUMN_NAME: "colspec",
        Role.SPAN_NAME: "spanspec",
        Role.ROW: "row tr",
        Role.CELL: "cell col td",
        Role.HEADER_CELL: "th",
        Role.BOX: "header infobox taxobox navbox sidebar",
        Role.FIELD: (
            "id timestamp username category conversionwarning template_parameter parameter param field "
            "property fno doi"
        ),
        Role.TEMPLATE: "template",
        Role.CAPTION: "caption fgc tblcap figcap figcaption",
        Role.PICTURE: "image picture img",
        Role.MATH: "tf tfmath disp dispmath",
        Role.ABSTRACT: "abs abstract kwd keywords",
        Role.NOTE: "fn ftn footnote vt",
        Role.META: "languagelink hdr hdr1 hdr2 crt obi pdt pp cci issn pn",
        Role.PREFORMATTED: "pre source code-block programlisting",
    }
)

# The parent decides: (parent, tag).
ROLES_IN: dict[tuple[str, str], Role] = {
    ("article", "name"): Role.TITLE,
    ("article", "title"): Role.TITLE,
    ("header", "title"): Role.TITLE,
    ("fm", "title"): Role.TITLE,
    ("tig", "atl"): Role.TITLE,
    ("title-group", "article-title"): Role.TITLE,  # JATS, used by PubMed Central
    ("titleStmt", "title"): Role.TITLE,  # TEI
    ("info", "title"): Role.TITLE,  # DocBook
    ("articleinfo", "title"): Role.TITLE,
    ("head", "title"): Role.TITLE,  # XHTML
    ("table", "title"): Role.CAPTION,
    ("tbl", "title"): Role.CAPTION,
    ("tbl", "ti"): Role.CAPTION,
    ("tbl", "no"): Role.LABEL,
    ("figure", "title"): Role.CAPTION,
    ("fig", "no"): Role.LABEL,
    ("figw", "no"): Role.LABEL,
    ("fig", "art"): Role.PICTURE,
    ("figw", "art"): Role.PICTURE,
    ("tbl", "art"): Role.PICTURE,
    ("table", "header"): Role.HEADER_CELL,
    ("row", "header"): Role.HEADER_CELL,
    ("row", "entry"): Role.CELL,
    ("reflist", "entry"): Role.REFERENCE,
    ("references", "entry"): Role.REFERENCE,
    ("definitionitem", "definition"): Role.DEFINITION,
    ("definitionlist", "definition"): Role.DEFINITION,
    ("item", "definition"): Role.DEFINITION,
    ("definitionlist", "item"): Role.CONTAINER,
    ("template", "name"): Role.HEADING,
    ("template", "title"): Role.HEADING,
    ("fm", "au"): Role.BYLINE,
    ("fm", "aff"): Role.AFFILIATION,
    ("au", "aff"): Role.AFFILIATION,
    ("tig", "au"): Role.BYLINE,
}
for _parent in ("parameter", "param", "field", "property", "template_parameter"):
    ROLES_IN[_parent, "name"] = Role.HEADER_CELL
    ROLES_IN[_parent, "value"] = Role.CELL
# Tags with another meaning in a reference ("bb") than in an article's head.
for _word in ("obi", "pdt", "pp", "title", "issn", "aff"):
    for _parent in ("bb", "obi", "au", "crt"):
        ROLES_IN.setdefault((_parent, _word), Role.TEXT)

PARENT_DECIDES = frozenset(tag for _, tag in ROLES_IN)

# Names of panels of facts, in templates or classes of tables.
_BOX_NAMES = re.compile(r"infobox|taxobox|sidebar|navbox|vcard|biobox|[_ -]box$", re.IGNORECASE)
# Labels of facts whose tags are unclear.
_FIELD_LABELS = {
    "conversionwarning": "conversion warning",
    "fno": "file",
    "doi": "DOI",
    "username": "by",
    "category": "categories",
}
_FIELD_LABELS_IN = {("revision", "id"): "revision", ("contributor", "id"): "contributor"}


def roles_mask(*roles: Role) -> NDArray[np.bool_]:
    """Return an array that is True at the numbers of some roles: faster than ``numpy.isin``."""
    mask = np.zeros(len(Role) + 1, bool)
    mask[list(roles)] = True
    return mask


@lru_cache(maxsize=4096)
def plain_role(tag: str) -> Role:
    """Return the role of a tag in any context; a prefix is ignored."""
    local = tag.rpartition(":")[2]
    role = ROLES.get(local)
    if role is None:
        return Role.BOX if is_box(local) else Role.TEXT
    return role


def role_of(tag: str, parent: str) -> Role:
    """Return the role of an element; ``parent`` is its parent's tag, "" for the root."""
    if tag in PARENT_DECIDES and (role := ROLES_IN.get((parent, tag))) is not None:
        return role
    return plain_role(tag)


def is_box(name: str) -> bool:
    """Return whether the name of a template, a tag or a class of a table is one of a panel of facts."""
    return _BOX_NAMES.search(name) is not None


def field_label(tag: str, parent: str, attributes: Mapping[str, str]) -> str:
    """Return the label of a fact of a box, from an attribute or its tag."""
    label = attributes.get("name") or attributes.get("label") or _FIELD_LABELS_IN.get((parent, tag))
    label = label or _FIELD_LABELS.get(tag, tag)
    return " ".join(label.replace("_", " ").split())[:LONGEST_LABEL]


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
    **dict.fromkeys(("math", "tmath", "formula"), (InlineStyle.MATH,)),
    "ref": (InlineStyle.REFERENCE,),
}  # fmt: skip


Roles = NDArray[np.int8]

_UNSETTLED = roles_mask(Role.PICTURE, Role.TEMPLATE, Role.FIELD)
# Plain numbers: numpy takes longer to convert a member of an enumeration than to compare.
_BOX, _FIELD, _CELL = int(Role.BOX), int(Role.FIELD), int(Role.CELL)
_TITLE, _HEADING = int(Role.TITLE), int(Role.HEADING)
# Traits of tags, above the number of the role.
_ROLE, _PARENT_DECIDES, _UNLISTED, _STYLED, _NAMES = 0xFF, 0x100, 0x200, 0x400, 0x800
_HOLDS_BLOCKS = roles_mask(Role.CONTAINER, Role.SECTION, Role.BOX)
_MATH_INLINE = frozenset(("math", "tmath", "formula"))
# Parents in which a formula may have its own line; elsewhere (in a cell, a caption) it is text.
_HOLDS_MATH = (Role.PARAGRAPH, Role.INDENTED, Role.CONTAINER, Role.SECTION, Role.ITEM, Role.DEFINITION)


def element_roles(text: str, elements: Elements) -> Roles:
    """Return the role of each element, of shape (n,)."""
    codes, vocabulary = elements.coded
    traits = np.array([_traits(tag) for tag in vocabulary], np.uint16)[codes]
    roles = (traits & _ROLE).astype(np.int8)
    chosen = (traits & _PARENT_DECIDES).nonzero()[0]  # the parent decides
    chosen = chosen[chosen > 0]  # the root has no parent
    pairs = zip(codes[chosen].tolist(), codes[elements.parents[chosen]].tolist(), strict=True)
    roles[chosen] = [_role_within(vocabulary[tag], vocabulary[parent]) for tag, parent in pairs]
    _decide_by_contents(text, elements, roles)
    found = _standing_alone(text, elements, roles, traits)
    if found:
        roles[found] = Role.PARAGRAPH
    if (roles == _BOX).any():
        _name_facts(elements, roles, found, (traits & _NAMES).nonzero()[0])
    if not _MATH_INLINE.isdisjoint(vocabulary):
        _set_off_formulas(text, elements, roles)
    return roles


@lru_cache(maxsize=4096)
def _traits(tag: str) -> int:
    """Return all facts about a tag in one number: its role, and the properties tested for all elements."""
    role = plain_role(tag)
    parent_decides = tag in PARENT_DECIDES
    return (
        int(role)
        | parent_decides * _PARENT_DECIDES
        | (role is Role.TEXT and not parent_decides) * _UNLISTED
        | (tag in INLINE_STYLES) * _STYLED
        | (tag in ("name", "title")) * _NAMES
    )


def title_element(elements: Elements, roles: Roles) -> int | None:
    """Return the index of the element with the article's title, or else of its first heading, if any."""
    for role in (_TITLE, _HEADING):
        for index in (roles == role).nonzero()[0].tolist():
            if elements.ends[index] > elements.starts[index]:
                return int(index)
    return None


@lru_cache(maxsize=4096)
def _role_within(tag: str, parent: str) -> int:
    return int(role_of(tag, parent))


def _decide_by_contents(text: str, elements: Elements, roles: Roles) -> None:
    """Assign the roles of pictures, templates and facts, which depend on their content and context."""
    for index in np.flatnonzero(_UNSETTLED[roles]).tolist():
        start, end = int(elements.starts[index]), int(elements.ends[index])
        role = roles[index]
        if role == _FIELD:
            within = roles[index + 1 : elements.nexts[index]]
            if len(within) and (within == _CELL).any() and not elements.attributes.get(index, {}).get("name"):
                roles[index] = Role.ROW
        elif role == Role.PICTURE:
            if text[start:end].isspace() or start == end or amid_text(text, elements, index):
                roles[index] = Role.TEXT  # it has no readable text, and therefore separates nothing
        elif role == Role.TEMPLATE:
            attributes = elements.attributes.get(index, {})
            parts = [one for one in _children(elements, index) if elements.tags[one] not in INLINE_STYLES]
            if is_box(attributes.get("name", "")) or len(parts) > 1:
                roles[index] = Role.BOX
            elif amid_text(text, elements, index):
                roles[index] = Role.TEXT
            else:
                roles[index] = Role.FIELD if "name" in attributes else Role.META
            if roles[index] != _BOX:  # then its name is not a heading
                inside = roles[index + 1 : elements.nexts[index]]
                inside[inside == _HEADING] = Role.TEXT


def _children(elements: Elements, index: int) -> list[int]:
    found = []
    child, behind = index + 1, int(elements.nexts[index])
    while child < behind:
        found.append(child)
        child = int(elements.nexts[child])
    return found


def amid_text(text: str, elements: Elements, index: int) -> bool:
    """Return whether an element is within a line of its parent's text."""
    if index == 0:
        return False
    start, end = int(elements.starts[index]), int(elements.ends[index])
    if start == 0 or text[start - 1] == "\n" or text[end : end + 1] in ("\n", ""):
        return False  # the rest is slow on first use
    before, after = elements.gaps
    left, right = text[before[index] : start].rstrip(" \t"), text[end : after[index]].lstrip(" \t")
    return bool(left and right) and not left.endswith("\n") and not right.startswith("\n")


def _name_facts(elements: Elements, roles: Roles, found: list[int], names: NDArray[np.intp]) -> None:
    """Find the name of a box and its facts: unknown tags within it are labels (<birth_date>)."""
    boxes = np.flatnonzero(roles == _BOX)
    change = np.bincount(boxes, minlength=len(elements) + 1)
    change -= np.bincount(elements.nexts[boxes], minlength=len(elements) + 1)
    within = change.cumsum() > 0
    roles[[index for index in found if within[index]]] = Role.FIELD
    for index in names.tolist():
        if index and roles[elements.parents[index]] == _BOX and roles[index] != _TITLE:
            roles[index] = _HEADING


def _set_off_formulas(text: str, elements: Elements, roles: Roles) -> None:
    """Find the formulas with a line of their paragraph to themselves."""
    for index in np.flatnonzero(elements.having(_MATH_INLINE.__contains__)).tolist():
        parent = int(elements.parents[index])
        if parent < 0 or roles[parent] not in _HOLDS_MATH:
            continue
        start, end = int(elements.starts[index]), int(elements.ends[index])
        opens, closes = int(elements.starts[parent]), int(elements.ends[parent])
        line = max(text.rfind("\n", opens, start), opens)
        rest = text.find("\n", end, closes)
        if not text[line:start].strip() and not text[end : closes if rest < 0 else rest].strip():
            roles[index] = Role.MATH


def _standing_alone(text: str, elements: Elements, roles: Roles, traits: NDArray[np.uint16]) -> list[int]:
    """Find unlisted elements among blocks that must be blocks themselves.

    The parent of such an element is a container, and there is no text next to it: an unknown tag (2009's
    semantic wrappers, other vocabularies), or a link or emphasis on a line of its own.
    """
    parents = elements.parents
    holds_blocks = _HOLDS_BLOCKS[roles]
    holds_blocks[0] = True
    unlisted = (traits & _UNLISTED) != 0
    unlisted[0] = False  # the root has no parent
    plain = (traits & (_UNLISTED | _STYLED)) == _UNLISTED
    # From then on they contain blocks, so that unknown tags within unknown tags are found too.
    candidates = (unlisted & (holds_blocks[parents] | (plain & unlisted[parents]))).nonzero()[0]
    if not len(candidates):
        return []
    before, after = elements.gaps
    rows = zip(
        candidates.tolist(),
        elements.parents[candidates].tolist(),
        before[candidates].tolist(),
        elements.starts[candidates].tolist(),
        elements.ends[candidates].tolist(),
        after[candidates].tolist(),
        (traits[candidates] & _STYLED).tolist(),
        strict=True,
    )
    found = []
    for index, parent, gap_start, start, end, gap_end, is_styled in rows:
        if not holds_blocks[parent]:
            continue
        left, right = text[gap_start:start], text[end:gap_end]
        if left.strip() or right.strip() or (is_styled and not ("\n" in left and "\n" in right)):
            continue
        holds_blocks[index] = True
        found.append(index)
    return found
