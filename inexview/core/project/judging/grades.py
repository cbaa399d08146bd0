"""The grades that a project declares, lowest first, as people write them and as numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inexview.core.errors import JudgementError

MOST = 20  # grades; no one tells more of them apart
_FROM_TO = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")


def read_grades(written: str) -> tuple[str, ...]:
    """Return the grades of ``okay, vital`` or ``0–3``, lowest first; none of a blank text.

    Raises JudgementError where one has no name, or the name of another.
    """
    span = _FROM_TO.fullmatch(written.strip())
    if span is not None:
        grades = tuple(map(str, range(int(span[1]), int(span[2]) + 1)))
        if not grades:
            raise JudgementError(f"{span[0]}: the lowest grade comes first")
    else:
        grades = tuple(name.strip() for name in written.split(",")) if written.strip() else ()
    check_grades(grades)
    return grades


def check_grades(grades: Sequence[str]) -> None:
    """Raise JudgementError for grades of which one has no name, or the name of another, or too many."""
    if len(set(grades)) < len(grades) or not all(grade.strip() for grade in grades):
        raise JudgementError("grades need names, each of them another")
    if len(grades) > MOST:
        raise JudgementError(f"{len(grades)} grades; a project has at most {MOST}")


def grade_numbers(grades: Sequence[str]) -> dict[str, int]:
    """Return each grade as a number: what it says where all are whole numbers, else 1, 2, 3 …"""
    if all(grade.isdecimal() for grade in grades):
        return {grade: int(grade) for grade in grades}
    return {grade: number for number, grade in enumerate(grades, 1)}


def stepped(grades: Sequence[str], grade: str, step: int) -> str:
    """Return the grade one higher (1) or lower (-1); beyond the ends lies none, ""."""
    ring = ["", *grades]
    at = ring.index(grade) if grade in ring else 0
    return ring[(at + step) % len(ring)]
