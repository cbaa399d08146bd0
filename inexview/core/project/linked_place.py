"""A place in a project, to be named in a link: ``inexview:///home/ada/olive.inexview?topic=7&doc=12&at=340``.

>>> place = LinkedPlace(Path("/a b.inexview"), topic="7", document="co/2000/r7", run="LM", at=340)
>>> place.link
'inexview:///a%20b.inexview?topic=7&doc=co%2F2000%2Fr7&run=LM&at=340'
>>> LinkedPlace.parse(place.link) == place
True
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from inexview.core.errors import InexviewError

SCHEME = "inexview"
LONGEST_LINK = 10_000  # characters of a link


@dataclass(frozen=True, slots=True)
class LinkedPlace:
    """A project, and what of it is to be open: what is None stays as it was left."""

    project: Path
    topic: str | None = None
    document: str | None = None
    run: str | None = None
    """The id of a run that is open, or the path of one."""
    at: int | None = None
    """An offset in the document, in code points."""

    @classmethod
    def parse(cls, link: str) -> LinkedPlace:
        """Read a link.  Raises InexviewError for one that is none, or names what is not known."""
        no_link = f"{link[:200]!r} is not a link to a project: {SCHEME}:///path?topic=…&doc=…"
        try:
            parts = urlsplit(link[:LONGEST_LINK])
        except ValueError as error:  # a bracket where a host would be
            raise InexviewError(no_link) from error
        path = unquote(parts.path)
        given = dict(parse_qsl(parts.query))
        crafted = "\0" in path or any("\0" in value for value in given.values())
        if parts.scheme != SCHEME or parts.netloc or not path.strip("/") or crafted:
            raise InexviewError(no_link)
        unknown = given.keys() - {"topic", "doc", "run", "at"}
        at = given.get("at")
        if unknown or (at is not None and not (at.isascii() and at.isdigit() and len(at) < 13)):
            wrong = f"{sorted(unknown)[0]} is not known" if unknown else f"at = {at!r} is no offset"
            raise InexviewError(f"{link[:200]!r}: {wrong}; a link names topic, doc, run and at")
        offset = None if at is None else int(at)
        return cls(Path(path), given.get("topic"), given.get("doc"), given.get("run"), offset)

    @property
    def link(self) -> str:
        at = None if self.at is None else str(self.at)
        named = {"topic": self.topic, "doc": self.document, "run": self.run, "at": at}
        query = urlencode(
            {name: value for name, value in named.items() if value is not None}, quote_via=quote, safe=""
        )
        path = quote(self.project.absolute().as_posix())
        return f"{SCHEME}://{'' if path.startswith('/') else '/'}{path}{'?' if query else ''}{query}"
