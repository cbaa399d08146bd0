"""The pictures of an article: the collections name their files, but do not hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np

from inexview.core.article.blocks import Picture
from inexview.core.article.element_roles import amid_text
from inexview.core.article.elements import Elements
from inexview.core.article.vocabulary import PARENT_DECIDES, ROLES, Role, role_of

_NAMED_BY = ("file", "src", "source", "href", "name", "entity", "alt")
LONGEST_NAME = 120


def pictures_of(text: str, elements: Elements) -> Iterator[Picture]:
    """Yield the pictures of an article, in document order."""
    if not any(map(_may_be_picture, elements.coded[1])):
        return
    tags, parents = elements.tags, elements.parents
    for index in np.flatnonzero(elements.having(_may_be_picture)).tolist():
        if role_of(tags[index], tags[parents[index]] if index else "") == Role.PICTURE:
            name = _file_name(elements.attributes.get(index, {}))
            small = amid_text(text, elements, index)
            yield Picture(name, int(elements.starts[index]), small, _row_around(elements, index))


def _row_around(elements: Elements, index: int) -> tuple[int, int] | None:
    """Return the span of the innermost row of a table that holds an element, None where none does."""
    while index >= 0:
        if ROLES.get(elements.tags[index]) == Role.ROW:
            return int(elements.starts[index]), int(elements.ends[index])
        index = int(elements.parents[index])
    return None


@lru_cache(maxsize=4096)
def _may_be_picture(tag: str) -> bool:
    return ROLES.get(tag.rpartition(":")[2]) == Role.PICTURE or (tag == "art" and tag in PARENT_DECIDES)


def _file_name(attributes: Mapping[str, str]) -> str:
    """Return the name of the file without its folder, "" where no attribute says it."""
    local = {name.rpartition(":")[2]: value for name, value in attributes.items()}
    for attribute in _NAMED_BY:
        if said := local.get(attribute, "").strip():
            return re.split(r"[/\\]", said.rstrip("/\\"))[-1][:LONGEST_NAME]
    return ""
