"""What a topic is: the information need that documents are judged against."""

from __future__ import annotations

from dataclasses import dataclass


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
