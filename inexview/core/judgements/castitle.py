"""A topic's castitle, a NEXI query: what it is about, and which elements it asks for.

NEXI (Trotman and Sigurbjörnsson, INEX 2004): ``//article[about(., olive oil)]//(sec|p)[about(., health)]``
asks for sections and paragraphs.  Where the target is strict (SSCAS and SVCAS of INEX 2005) only these count,
or others that the track took for the same: all kinds of sections, of paragraphs, and of lists.  Elements that
support a target (the second letter of SSCAS, SVCAS, VSCAS and VVCAS) filter nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from inexview.core.judgements.topics import Topic

_ALIKE = (
    frozenset({"sec", "ss1", "ss2", "ss3", "ss4", "ss5"}),
    frozenset({"p", "p1", "p2", "p3", "ip1", "ip2", "ip3", "ip4", "ip5", "ilrj", "item-none"}),
    frozenset(
        {"dl", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "la", "lb", "lc", "ld", "le", "list"}
    ),
)
_ABOUT = re.compile(r"about\s*\([^,()]*,([^()]*)\)")
_FILTER = re.compile(r"\[[^\[\]]*\]")
_STRICT_TASKS = ("sscas", "svcas")
LONGEST = 2_000  # characters of a castitle that is told in words; those of INEX have 40 to 200
_STEP = re.compile(r"//?\s*([\w*|() .-]+?)\s*(?:\[([^\[\]]*)\])?\s*(?=/|$)")
_TOLD = re.compile(r"about\s*\(\s*\.?([^,()]*(?:\([^()]*\))?[^,()]*),([^()]*)\)")
_PARENTHESIS = re.compile(r"(?<=\() | (?=\))")
_CONNECTIVE = re.compile(r"\b(?:AND|OR)\b(?= (?:about|with|\())")
_REQUIRED = re.compile(r"(?<!\S)\+")
# Tags that are no words, as people call what they are for.
_NAMES = {
    tag: name for tags, name in zip(_ALIKE, ("section", "paragraph", "list"), strict=True) for tag in tags
}
_NAMES |= {"st": "heading", "bdy": "body", "abs": "abstract", "fig": "figure", "*": "any element"}
_EXCLUDED = re.compile(r'(?<!\S)-(?:"[^"]*"|\S+)')


def cas_words(castitle: str) -> str:
    """Return what a castitle is about: the texts of all its about(…), or all of it where it has none."""
    return " ".join(_ABOUT.findall(castitle)) or castitle


def without_excluded(text: str) -> str:
    """Return a topic's text without the words that a minus precedes."""
    return _EXCLUDED.sub(" ", text)


def told_castitle(castitle: str) -> str:
    """Return in words what a castitle asks for; "" where it is not written as NEXI is.

    >>> told_castitle("//article[about(.//p, olive oil)]//(sec|abs)[about(., health)]")
    'section or abstract about health, in article with paragraph about olive oil'
    """
    query = castitle.strip()
    if len(query) > LONGEST:
        return ""
    steps, at = [], 0
    while at < len(query):
        step = _STEP.match(query, at)
        if step is None:
            return ""
        names, filtered = step.groups()
        asked = _TOLD.sub(_told_about, filtered or "")
        told = _PARENTHESIS.sub("", " ".join(f"{_told_names(names)} {asked}".split()))
        steps.append(_CONNECTIVE.sub(lambda found: found[0].lower(), told))
        at = step.end()
    return ", in ".join(reversed(steps))


def _told_about(found: re.Match[str]) -> str:
    path, words = found.groups()
    inside = path.replace("/", " ").split()
    excluded = [f"not {word.removeprefix('-')}" for word in _EXCLUDED.findall(words)]
    about = ", ".join([_REQUIRED.sub("", without_excluded(words)).strip(), *excluded])
    return f"{f'with {_told_names(inside[-1])} ' if inside else ''}about {about}"


def _told_names(names: str) -> str:
    tags = [tag.strip() for tag in names.strip().strip("()").split("|")]
    return " or ".join(dict.fromkeys(_NAMES.get(tag, tag.replace("_", " ")) for tag in tags))


def cas_targets(castitle: str) -> tuple[str, ...]:
    """Return the tags of the elements that a castitle names; none where any will do.

    >>> cas_targets("//article[about(.//p, XML)]//(sec|abs)[about(., x)]"), cas_targets("//*[about(., x)]")
    (('sec', 'abs'), ())
    """
    query = castitle
    while query != (shorter := _FILTER.sub("", query)):
        query = shorter
    _, step, last = query.strip().rpartition("/")
    last = last.strip().strip("()") if step else ""
    named = tuple(tag.strip() for tag in last.split("|") if tag.strip())
    return () if "*" in named else named


def target_tags(castitle: str) -> frozenset[str]:
    """Return the tags of the elements that a castitle asks for, and those that are taken for the same.

    >>> sorted(target_tags("//article[about(.//p, XML)]//sec[about(., query)]"))
    ['sec', 'ss1', 'ss2', 'ss3', 'ss4', 'ss5']
    """
    named = frozenset(cas_targets(castitle))
    return named.union(*(alike for alike in _ALIKE if alike & named))


def asks_strictly(task: str) -> bool:
    """Tell whether a task, as a run's file calls it, counts only target elements: SSCAS, CAS.SVCAS."""
    return task.rpartition(".")[2].strip().lower() in _STRICT_TASKS


def targets_of(topics: Iterable[Topic]) -> Mapping[str, frozenset[str]]:
    """Return the tags of each topic's target elements; a topic without a castitle has none."""
    return {topic.id: target_tags(topic.castitle) for topic in topics}
