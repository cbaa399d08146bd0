"""What each element of an article does to the page: its tag decides, its parent, or what is beside it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.elements import Elements
from inexview.core.article.vocabulary import (
    INLINE_STYLES,
    PARENT_DECIDES,
    Role,
    is_box,
    plain_role,
    role_of,
    roles_mask,
)

Roles = NDArray[np.int8]

_UNSETTLED = roles_mask(Role.PICTURE, Role.TEMPLATE, Role.FIELD)
# As plain numbers: numpy asks a member of an enumeration what it is for longer than it compares.
_BOX, _FIELD, _CELL = int(Role.BOX), int(Role.FIELD), int(Role.CELL)
_TITLE, _HEADING = int(Role.TITLE), int(Role.HEADING)
# Traits of tags, above the number of the role.
_ROLE, _PARENT_DECIDES, _UNLISTED, _STYLED, _NAMES = 0xFF, 0x100, 0x200, 0x400, 0x800
_HOLDS_BLOCKS = roles_mask(Role.CONTAINER, Role.SECTION, Role.BOX)
_MATH_INLINE = frozenset(("math", "tmath", "formula"))
# What a formula may be shown in on a line of its own; elsewhere (in a cell, a caption) it is text.
_HOLDS_MATH = (Role.PARAGRAPH, Role.INDENTED, Role.CONTAINER, Role.SECTION, Role.ITEM, Role.DEFINITION)


def element_roles(text: str, elements: Elements) -> Roles:
    """Return the role of each element, of shape (n,)."""
    codes, vocabulary = elements.coded
    traits = np.array([_traits(tag) for tag in vocabulary], np.uint16)[codes]
    roles = (traits & _ROLE).astype(np.int8)
    _ask_parents(elements, (traits & _PARENT_DECIDES).nonzero()[0], roles)
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
    """Return in one number what is known of a tag: its role, and what is asked of all elements at once."""
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
    """Return the index of the element that names the article, or else of its first heading, if any."""
    for role in (_TITLE, _HEADING):
        for index in (roles == role).nonzero()[0].tolist():
            if elements.ends[index] > elements.starts[index]:
                return int(index)
    return None


def _ask_parents(elements: Elements, chosen: NDArray[np.intp], roles: Roles) -> None:
    """Give those elements their roles whose parent decides."""
    codes, vocabulary = elements.coded
    if len(chosen) and chosen[0] == 0:
        chosen = chosen[1:]  # the root has no parent
    pairs = zip(codes[chosen].tolist(), codes[elements.parents[chosen]].tolist(), strict=True)
    roles[chosen] = [_role_within(vocabulary[tag], vocabulary[parent]) for tag, parent in pairs]


@lru_cache(maxsize=4096)
def _role_within(tag: str, parent: str) -> int:
    return int(role_of(tag, parent))


def _decide_by_contents(text: str, elements: Elements, roles: Roles) -> None:
    """Decide what pictures, templates and facts are, which depends on what they hold and are in."""
    for index in np.flatnonzero(_UNSETTLED[roles]).tolist():
        start, end = int(elements.starts[index]), int(elements.ends[index])
        role = roles[index]
        if role == _FIELD:
            within = roles[index + 1 : elements.nexts[index]]
            if len(within) and (within == _CELL).any() and not elements.attributes.get(index, {}).get("name"):
                roles[index] = Role.ROW
        elif role == Role.PICTURE:
            if text[start:end].isspace() or start == end or amid_text(text, elements, index):
                roles[index] = Role.TEXT  # nothing of it is read, so that it parts nothing
        elif role == Role.TEMPLATE:
            roles[index] = _template_role(text, elements, index)
            if roles[index] != _BOX:  # what it is called heads nothing then
                inside = roles[index + 1 : elements.nexts[index]]
                inside[inside == _HEADING] = Role.TEXT


def _template_role(text: str, elements: Elements, index: int) -> Role:
    """Return what a template is: a panel of facts, text within a sentence, or a line of its own."""
    attributes = elements.attributes.get(index, {})
    children = _children(elements, index)
    parts = [child for child in children if elements.tags[child] not in INLINE_STYLES]
    if is_box(attributes.get("name", "")) or len(parts) > 1:
        return Role.BOX
    if amid_text(text, elements, index):
        return Role.TEXT
    return Role.FIELD if "name" in attributes else Role.META


def _children(elements: Elements, index: int) -> list[int]:
    found = []
    child, behind = index + 1, int(elements.nexts[index])
    while child < behind:
        found.append(child)
        child = int(elements.nexts[child])
    return found


def amid_text(text: str, elements: Elements, index: int) -> bool:
    """Say whether an element is within a line of its parent's text."""
    if index == 0:
        return False
    start, end = int(elements.starts[index]), int(elements.ends[index])
    if start == 0 or text[start - 1] == "\n" or text[end : end + 1] in ("\n", ""):
        return False  # what follows is slow when it is asked for the first time
    before, after = elements.gaps
    left, right = text[before[index] : start].rstrip(" \t"), text[end : after[index]].lstrip(" \t")
    return bool(left and right) and not left.endswith("\n") and not right.startswith("\n")


def _name_facts(elements: Elements, roles: Roles, found: list[int], names: NDArray[np.intp]) -> None:
    """Find what a box is called and its facts."""
    if found:
        _name_unknown(elements, roles, found)
    for index in names.tolist():
        if index and roles[elements.parents[index]] == _BOX and roles[index] != _TITLE:
            roles[index] = _HEADING


def _name_unknown(elements: Elements, roles: Roles, found: list[int]) -> None:
    """Let unknown tags within a box be its facts: their names say what they tell (<birth_date>)."""
    boxes = np.flatnonzero(roles == _BOX)
    change = np.bincount(boxes, minlength=len(elements) + 1)
    change -= np.bincount(elements.nexts[boxes], minlength=len(elements) + 1)
    within = change.cumsum() > 0
    for index in found:
        if within[index]:
            roles[index] = Role.FIELD


def _set_off_formulas(text: str, elements: Elements, roles: Roles) -> None:
    """Find the formulas that have a line of their paragraph to themselves."""
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
    """Find elements without a listed meaning that are among blocks and must be blocks themselves.

    Such an element has a container for its parent and no text beside it: an unknown tag (2009's semantic
    wrappers, other vocabularies), or a link or emphasis on a line of its own.
    """
    parents = elements.parents
    holds_blocks = _HOLDS_BLOCKS[roles]
    holds_blocks[0] = True
    unlisted = (traits & _UNLISTED) != 0
    unlisted[0] = False  # the root, whose parent there is not
    plain = (traits & (_UNLISTED | _STYLED)) == _UNLISTED
    # What is found holds blocks from then on, so that unknown tags within unknown tags may be found too.
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
