"""How numbers of things are told to a person, in the window, on the command line and in messages."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Return a number of things: "1 document", "1,200 documents"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
