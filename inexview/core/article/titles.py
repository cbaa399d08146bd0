"""The title of an article from its first few kilobytes, for lists of thousands."""

from __future__ import annotations

from contextlib import suppress

from inexview.core.article.vocabulary import Role, role_of
from inexview.core.errors import DocumentError
from inexview.core.xml.parser import Scanner

BEGINNING = 8192  # bytes; the titles of all three markups come well before


class _Enough(Exception):  # noqa: N818  # not an error: how to leave expat
    """The title has been read."""


def peek_title(beginning: bytes, name: str) -> str:
    """Return the title that an article's beginning gives, else its first heading, else "".

    A beginning that is no XML gives "": opening the article says why.
    """
    try:
        scanner = Scanner(beginning, name, whole=False)
    except DocumentError:
        return ""
    tell, parser = scanner.tell, scanner.parser
    open_tags = [""]
    begun: list[tuple[Role, int]] = []  # roles of the open elements, and where their text begins
    headings: list[str] = []
    titles: list[str] = []

    def start(tag: str, _attributes: dict[str, str]) -> None:
        begun.append((role_of(tag, open_tags[-1]), tell()))
        open_tags.append(tag)

    def end(_tag: str) -> None:
        open_tags.pop()
        role, first = begun.pop()
        if role is Role.TITLE or (role is Role.HEADING and not headings):
            words = " ".join(scanner.text()[first:].split())
            if words and role is Role.TITLE:
                titles.append(words)
                raise _Enough
            headings.extend([words] if words else [])

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    with suppress(_Enough, DocumentError):
        scanner.run()
    return next(iter(titles + headings), "")
