"""The names of the fields of a collection's records; a module of its own because every command uses it."""

from __future__ import annotations

from dataclasses import dataclass

from inexview.core.errors import InexviewError


@dataclass(frozen=True, slots=True)
class RecordKeys:
    """The names of the fields that contain a record's id, text and title; in a table also numbers from 1.

    Empty names mean the usual ones.  A nested field is named with a dot, ``doc.text``.
    """

    id: str = ""
    text: str = ""
    title: str = ""

    @classmethod
    def parse(cls, written: str) -> RecordKeys:
        """Read ``id=…,text=…,title=…``, in any order; raises InexviewError."""
        named: dict[str, str] = {}
        for part in written.split(","):
            name, equals, key = (word.strip() for word in part.partition("="))
            if not equals or not key or name not in ("id", "text", "title") or name in named:
                raise InexviewError(f"{written!r} is not a list such as id=uuid,text=body,title=headline")
            named[name] = key
        return cls(**named)

    def __bool__(self) -> bool:
        return self != USUAL_KEYS

    def content(self) -> dict[str, str]:
        """Return the given names, as a project stores them."""
        given = {"id": self.id, "text": self.text, "title": self.title}
        return {name: key for name, key in given.items() if key}


USUAL_KEYS = RecordKeys()
