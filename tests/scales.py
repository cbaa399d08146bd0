"""Single texts counted and offsets turned, for tests that need no scale twice."""

from __future__ import annotations

from numpy.typing import ArrayLike

from inexview.core.text.counting import Convention, Scale
from inexview.core.text.spans import Offsets


def length_of(text: str, convention: Convention) -> int:
    return Scale(text, convention).length


def to_code_points(text: str, offsets: ArrayLike, convention: Convention, *, ends: bool = False) -> Offsets:
    return Scale(text, convention).to_code_points(offsets, ends=ends)


def from_code_points(text: str, offsets: ArrayLike, convention: Convention) -> Offsets:
    return Scale(text, convention).from_code_points(offsets)
