"""The CAS title of a topic: what it is about, and which elements it asks for.

NEXI (Trotman and Sigurbjörnsson, INEX 2004): ``//article[about(., olive oil)]//(sec|p)[about(., health)]``
asks for sections and paragraphs.
"""

from __future__ import annotations

import re

_ABOUT = re.compile(r"about\s*\([^,()]*,([^()]*)\)")
_FILTER = re.compile(r"\[[^\[\]]*\]")
_STEP = re.compile(r"//\s*(?:\(([^()]*)\)|([\w.:*-]+))\s*$")
_EXCLUDED = re.compile(r'(?<!\S)-(?:"[^"]*"|\S+)')


def cas_words(castitle: str) -> str:
    """Return what a CAS title is about: the texts of all its about(…), or all of it where it has none."""
    return " ".join(_ABOUT.findall(castitle)) or castitle


def cas_targets(castitle: str) -> tuple[str, ...]:
    """Return the tags of the elements that a CAS title asks for; none where any will do."""
    path = _FILTER.sub("", castitle)
    step = _STEP.search(path.strip())
    names = [] if step is None else [name.strip() for name in (step[1] or step[2]).split("|")]
    return () if "*" in names else tuple(name for name in names if name)


def without_excluded(text: str) -> str:
    """Return a topic's text without the words that a minus precedes."""
    return _EXCLUDED.sub(" ", text)
