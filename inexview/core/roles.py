"""What each element of an article does to the page: its tag decides, its parent, or what stands beside it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from inexview.core.elements import Elements
from inexview.core.markup import INLINE_STYLES, PARENT_DECIDES, ROLES, Role, role_of

Roles = NDArray[np.int8]


def element_roles(text: str, elements: Elements) -> Roles:
    """Return the role of each element, of shape (n,)."""
    codes, vocabulary = elements.coded
    tags, parents = elements.tags, elements.parents
    roles = np.array([ROLES.get(tag, Role.TEXT) for tag in vocabulary], np.int8)[codes]
    for index in np.flatnonzero(elements.having(PARENT_DECIDES.__contains__)).tolist():
        roles[index] = role_of(tags[index], tags[parents[index]] if index else "")
    roles[_standing_alone(text, elements, roles)] = Role.PARAGRAPH
    return roles


def title_element(elements: Elements, roles: Roles) -> int | None:
    """Return the index of the element that names the article, or else of its first heading, if any."""
    filled = elements.ends > elements.starts
    for role in (Role.TITLE, Role.HEADING):
        found = np.flatnonzero(filled & (roles == role))
        if len(found):
            return int(found[0])
    return None


def _standing_alone(text: str, elements: Elements, roles: Roles) -> list[int]:
    """Find elements without a listed meaning that stand among blocks and must be blocks themselves.

    Such an element has a container for its parent and no text beside it: an unknown tag (2009's semantic
    wrappers, other vocabularies), or a link or emphasis on a line of its own.
    """
    holds_blocks = (roles == Role.CONTAINER) | (roles == Role.SECTION)
    holds_blocks[0] = True
    unlisted = elements.having(lambda tag: tag not in ROLES and tag not in PARENT_DECIDES)
    unlisted[0] = False
    styled = elements.having(INLINE_STYLES.__contains__)
    inner = np.maximum(elements.parents, 0)
    # What is found holds blocks from then on, so that unknown tags within unknown tags may be found too.
    candidates = np.flatnonzero(unlisted & (holds_blocks[inner] | (unlisted[inner] & ~styled)))
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
        styled[candidates].tolist(),
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
