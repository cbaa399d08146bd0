"""The words of a topic that are worth looking for: its phrases, and the words of its title."""

from __future__ import annotations

import re

from inexview.core.judgements.topics import Topic

MOST = 12

_PIECE = re.compile(r'([-+]?)(?:"([^"]+)"|(\S+))')
_EDGES = "+.,;:!?()[]'\"“”"
# Words that say nothing of what a text is about; those of titles, which are no sentences.
_EMPTY_WORDS = """
a about after against all also an and any are around as at be been before between both but by can did do
does during each etc for from had has have how if in into is it its like many more most no nor not of off on
only or other over own same should so some such than that the their them then there these they this those
through to under until up use used using very via vs was were what when where which while who whom why will
with within without would you your
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def query_words(topic: Topic) -> tuple[str, ...]:
    """Return phrases first, then single words that no phrase holds; what a minus precedes is left out."""
    phrases: dict[str, str] = {}
    words: dict[str, str] = {}
    for text in (topic.phrasetitle, topic.title):
        for sign, phrase, word in _PIECE.findall(text):
            if sign == "-":
                continue
            tidy = " ".join((phrase or word).split()).strip(_EDGES)
            kept = phrases if " " in tidy else words
            if tidy and tidy.lower() not in _EMPTY:
                kept.setdefault(tidy.lower(), tidy)
    covered = {word for phrase in phrases for word in phrase.split()}
    chosen = [*phrases.values(), *(word for key, word in words.items() if key not in covered)]
    return tuple(chosen[:MOST])
