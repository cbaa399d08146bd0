"""What a topic is: the information need that documents are judged against; and the topics of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic, its texts with white space tidied for display.

    ``narrative`` says what is relevant and why and takes precedence over ``description``, and that over
    ``title``; ``castitle`` is the NEXI query, ``phrasetitle`` (2009–10) the title's phrases in quotes.
    A blank line parts paragraphs.  ``others`` keeps elements outside both grammars as (name, text).
    """

    id: str
    title: str = ""
    castitle: str = ""
    phrasetitle: str = ""
    description: str = ""
    narrative: str = ""
    keywords: str = ""
    query_type: str = ""
    ct_no: str = ""
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Topics(Sequence[Topic]):
    """The topics of a file, or of a folder of files, in their order, and what looks wrong about them."""

    listed: tuple[Topic, ...]
    path: Path | None = field(default=None, compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        return len(self.listed)

    @overload
    def __getitem__(self, index: int) -> Topic: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Topic, ...]: ...
    def __getitem__(self, index: int | slice) -> Topic | tuple[Topic, ...]:
        return self.listed[index]


def tidied(text: str) -> str:
    """Join white space as a reader would, keeping blank lines as the ends of paragraphs."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH_BREAK.split(text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
