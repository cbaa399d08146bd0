"""From a topic to a query: the terms of the fields that are chosen, and the elements that are asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from inexview.core.judgements.topics import Topic, cas_targets, cas_words, without_excluded
from inexview.core.retrieval.retrieval_settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class TopicQuery:
    """A topic's terms, each with how often the topic has it, and the tags that are asked for (none: all)."""

    topic: str
    terms: dict[str, int]
    targets: tuple[str, ...] = ()


def topic_text(topic: Topic, settings: RetrievalSettings) -> str:
    """Return the words of the chosen fields, without those that a topic excludes."""
    said = ((field, str(getattr(topic, field))) for field in settings.fields)
    return " ".join(
        without_excluded(cas_words(text) if field == "castitle" else text) for field, text in said
    )


def topic_query(topic: Topic, settings: RetrievalSettings) -> TopicQuery:
    """Return the query of a topic; it has no term where the fields have none that is no stop word."""
    terms = Counter(settings.forms.terms(topic_text(topic, settings)))
    return TopicQuery(topic.id, dict(terms), cas_targets(topic.castitle) if settings.structure else ())
