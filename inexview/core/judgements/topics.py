"""Topics: the information needs for which documents are judged, and their words.

A castitle is a NEXI query: the subject of a topic, and the elements to retrieve.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic, with normalised white space for display.

    ``narrative`` defines what is relevant and why; it takes precedence over ``description``, and that over
    ``title``; ``castitle`` is the NEXI query, ``phrasetitle`` (2009–10) the title's phrases in quotes. A
    blank line separates paragraphs.  ``others`` contains further elements of the file as (name, text).
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
    """The topics of a file, or of a folder of files, in their order, with warnings."""

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
    """Normalise white space, keeping blank lines as the ends of paragraphs."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH_BREAK.split(text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


# A topic's castitle, a NEXI query: its subject, and the elements to retrieve.
#
# NEXI (Trotman and Sigurbjörnsson, INEX 2004): `//article[about(., olive oil)]//(sec|p)[about(., health)]`
# asks for sections and paragraphs.  If the target is strict (SSCAS and SVCAS of INEX 2005) only these count,
# or others that the track treated as equal: all kinds of sections, of paragraphs, and of lists. Elements that
# support a target (the second letter of SSCAS, SVCAS, VSCAS and VVCAS) do not filter results.

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
LONGEST = 2_000  # characters of a castitle that is put into words; those of INEX have 40 to 200
_STEP = re.compile(r"//?\s*([\w*|() .-]+?)\s*(?:\[([^\[\]]*)\])?\s*(?=/|$)")
_TOLD = re.compile(r"about\s*\(\s*\.?([^,()]*(?:\([^()]*\))?[^,()]*),([^()]*)\)")
_PARENTHESIS = re.compile(r"(?<=\() | (?=\))")
_CONNECTIVE = re.compile(r"\b(?:AND|OR)\b(?= (?:about|with|\())")
_REQUIRED = re.compile(r"(?<!\S)\+")
# Common names of tags that are not words.
_NAMES = {
    tag: name for tags, name in zip(_ALIKE, ("section", "paragraph", "list"), strict=True) for tag in tags
}
_NAMES |= {"st": "heading", "bdy": "body", "abs": "abstract", "fig": "figure", "*": "any element"}
_EXCLUDED = re.compile(r'(?<!\S)-(?:"[^"]*"|\S+)')


def cas_words(castitle: str) -> str:
    """Return the subject of a castitle: the texts of all its about(…), or all of it if it has none."""
    return " ".join(_ABOUT.findall(castitle)) or castitle


def without_excluded(text: str) -> str:
    """Return a topic's text without the words after a minus."""
    return _EXCLUDED.sub(" ", text)


def castitle_in_words(castitle: str) -> str:
    """Return a castitle in words; "" if it is not valid NEXI.

    >>> castitle_in_words("//article[about(.//p, olive oil)]//(sec|abs)[about(., health)]")
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
        asked = _TOLD.sub(_about_in_words, filtered or "")
        told = _PARENTHESIS.sub("", " ".join(f"{_names_in_words(names)} {asked}".split()))
        steps.append(_CONNECTIVE.sub(lambda found: found[0].lower(), told))
        at = step.end()
    return ", in ".join(reversed(steps))


def _about_in_words(found: re.Match[str]) -> str:
    path, words = found.groups()
    inside = path.replace("/", " ").split()
    excluded = [f"not {word.removeprefix('-')}" for word in _EXCLUDED.findall(words)]
    about = ", ".join([_REQUIRED.sub("", without_excluded(words)).strip(), *excluded])
    return f"{f'with {_names_in_words(inside[-1])} ' if inside else ''}about {about}"


def _names_in_words(names: str) -> str:
    tags = [tag.strip() for tag in names.strip().strip("()").split("|")]
    return " or ".join(dict.fromkeys(_NAMES.get(tag, tag.replace("_", " ")) for tag in tags))


def cas_targets(castitle: str) -> tuple[str, ...]:
    """Return the tags of the elements that a castitle asks for; empty if it accepts any.

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
    """Return the tags of the elements that a castitle asks for, and those treated as equal.

    >>> sorted(target_tags("//article[about(.//p, XML)]//sec[about(., query)]"))
    ['sec', 'ss1', 'ss2', 'ss3', 'ss4', 'ss5']
    """
    named = frozenset(cas_targets(castitle))
    return named.union(*(alike for alike in _ALIKE if alike & named))


def asks_strictly(task: str) -> bool:
    """Return whether a task, by its name in a run's file, counts only target elements: SSCAS, CAS.SVCAS."""
    return task.rpartition(".")[2].strip().lower() in _STRICT_TASKS


def targets_of(topics: Iterable[Topic]) -> Mapping[str, frozenset[str]]:
    """Return the tags of each topic's target elements; a topic without a castitle has none."""
    return {topic.id: target_tags(topic.castitle) for topic in topics}


# The search words of a topic: its phrases, and the words of its title.

MOST = 12

# No space follows the commas and full stops of Chinese and Japanese.
_PIECE = re.compile(r'([-+]?)(?:"([^"]+)"|([^\s、，；。]+))')
_EDGES = "+.,;:!?()[]'\"“”‘’«»：！？（）「」『』【】؟،؛।"
# Words without a subject; those of titles, which are not sentences.
_EMPTY_WORDS = """
a about after against all also an and any are around as at be been before between both but by can did do
does during each etc for from had has have how if in into is it its like many more most no nor not of off on
only or other over own same should so some such than that the their them then there these they this those
through to under until up use used using very via vs was were what when where which while who whom why will
with within without would you your
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def query_words(topic: Topic) -> tuple[str, ...]:
    """Return phrases first, then single words, without words after a minus.

    A word is left out if it is in a phrase that is a term of the title ("olive oil"), but not if the phrase
    consists of words that are separate in most texts ("alchemy in Asia", or a phrase not in the title).
    """
    return _words_and_left(topic)[0]


def words_left_to_phrases(topic: Topic) -> tuple[str, ...]:
    """Return the title words that ``query_words`` leaves to phrases, for texts without the phrases."""
    return _words_and_left(topic)[1]


def _words_and_left(topic: Topic) -> tuple[tuple[str, ...], tuple[str, ...]]:
    asked, titled = _pieces(topic.phrasetitle), _pieces(topic.title)
    phrases = _by_letters(" ".join(piece) for piece in asked + titled if len(piece) > 1)
    single = [piece for piece in asked if len(piece) == 1] + titled
    words = {
        key: word
        for key, word in _by_letters(word for piece in single for word in piece).items()
        if key not in _EMPTY
    }
    title = f" {' '.join(word for piece in titled for word in piece)} ".lower()
    terms = [phrase.split() for phrase in phrases if f" {phrase} " in title]
    left = {word for term in terms if _EMPTY.isdisjoint(term) for word in term}
    shown = [*phrases.values(), *(word for key, word in words.items() if key not in left)]
    kept = [word for key, word in words.items() if key in left]
    return tuple(shown[:MOST]), tuple(kept[:MOST])


def _pieces(text: str) -> list[list[str]]:
    """Return the words of each phrase, and each word by itself."""
    found = [(phrase or word).split() for sign, phrase, word in _PIECE.findall(text) if sign != "-"]
    tidy = [[word for one in piece if (word := one.strip(_EDGES))] for piece in found]
    return [piece for piece in tidy if piece]


def _by_letters(names: Iterable[str]) -> dict[str, str]:
    """Return names in their first spelling, by their lower-case letters."""
    kept: dict[str, str] = {}
    for name in names:
        kept.setdefault(name.lower(), name)
    return kept
