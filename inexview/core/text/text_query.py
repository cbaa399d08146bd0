"""What is sought in a text."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.errors import InexviewError


class SearchError(InexviewError):
    """What is sought is no regular expression, or takes too long to be found."""


@dataclass(frozen=True, slots=True)
class TextQuery:
    """What is sought: words, or a regular expression.

    A star ends a word of which only the beginning is given.  ``stem`` finds whole words only.
    """

    text: str
    case: bool = False
    whole: bool = False
    expression: bool = False
    stem: bool = False
