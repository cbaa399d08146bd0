"""The formats in XML, one record each; their tags tell them apart, wherever the file's root comes from.

Of assessments, those whose elements have ``E`` are of 2005, and so are those of elements that nothing says
to be later (a version, passages, white-space nodes)."""

from __future__ import annotations

from inexview.core.formats.beginnings import Beginning
from inexview.core.formats.format import Feature, FileKind, Format, FormatFunction

_SURE, _LIKELY = 2.0, 1.0


def _submission(beginning: Beginning) -> float:
    if beginning.first("inex-submission", "efficiency-submission"):
        return _SURE
    topic = beginning.first("topic")
    return _LIKELY if topic is not None and "topic-id" in topic.attributes else 0


def _of_2007(beginning: Beginning) -> float:
    if not beginning.first("assessments") or _is_graded(beginning):
        return 0
    return _LIKELY if _is_of_2005(beginning) else _SURE


def _of_2005(beginning: Beginning) -> float:
    if not beginning.first("assessments") or _is_graded(beginning):
        return 0
    return _SURE if _is_of_2005(beginning) else _LIKELY


def _is_of_2005(beginning: Beginning) -> bool:
    element = beginning.first("element")
    if element is not None:
        return "E" in element.attributes
    said = beginning.first("assessments")
    later = said is not None and {"version", "whitespace-text-node"} & set(said.attributes)
    return not later and not beginning.first("passage", "best-entry-point")


def _of_2003(beginning: Beginning) -> float:
    return _SURE if beginning.first("assessments") and _is_graded(beginning) else 0


def _is_graded(beginning: Beginning) -> bool:
    """Tell whether the first judged element has the two grades of 2002–04."""
    judged = [tag for tag in beginning.tags if tag.name in ("path", "element")]
    return bool(judged) and not {"exhaustiveness", "specificity", "relevance", "coverage"}.isdisjoint(
        judged[0].attributes
    )


def _topics_of_2007(beginning: Beginning) -> float:
    return _SURE if not beginning.first("assessments") and beginning.first("inex_topic") else 0


def _topics_of_2009(beginning: Beginning) -> float:
    if beginning.first("assessments", "inex-submission"):
        return 0
    if beginning.first("inex-topic-file", "inex-topic"):
        return _SURE
    topic = beginning.first("topic")
    return _LIKELY if topic is not None and "topic-id" not in topic.attributes else 0


def _topics_of_others(beginning: Beginning) -> float:
    """Tell topics of TREC, and of those who name ids and queries otherwise than INEX."""
    if beginning.first("inex-submission", "efficiency-submission", "assessments", "inex_topic", "pool"):
        return 0
    if beginning.first("top"):
        return _SURE
    topic = beginning.first("topic")
    if topic is not None:
        return _SURE if {"number", "num", "qid"} & set(topic.attributes) else 0
    query = beginning.first("query")
    within = query is not None and beginning.root in ("queries", "parameters", "query")
    return _LIKELY if within or (query is not None and {"id", "qid", "number"} & set(query.attributes)) else 0


def _pool(beginning: Beginning) -> float:
    pool = beginning.first("pool")
    return _SURE if (pool is not None and "topic" in pool.attributes) or beginning.root == "pools" else 0


_ELEMENTS = frozenset(
    {Feature.ELEMENTS, Feature.NOT_RELEVANT, Feature.STATEMENTS, Feature.FRAMES, Feature.LENGTHS}
)
_TEXTS = frozenset({Feature.TEXTS, Feature.LONG_TEXTS, Feature.FURTHER_TEXTS})

SUBMISSION = Format(
    name="submission",
    title="submission XML (INEX 2003–2008)",
    kind=FileKind.SUBMISSION,
    carries=frozenset(
        {
            Feature.OFFSETS,
            Feature.REPEATS,
            Feature.SCORES,
            Feature.TASK,
            Feature.ELEMENT_RESULTS,
            Feature.POINT_RESULTS,
            Feature.FOL_RESULTS,
            Feature.EMPTY_TOPICS,
            Feature.ABOUT,
        }
    ),
    recognise=_submission,
    read=FormatFunction("submission_xml.named", "read_submission_content"),
    write=FormatFunction("submission_xml.write", "write_submission"),
    suffix=".xml",
)
ASSESSMENTS_2007 = Format(
    name="assessments-2007",
    title="assessment XML (INEX 2006–2007)",
    kind=FileKind.ASSESSMENTS,
    carries=_ELEMENTS | {Feature.PASSAGES, Feature.ENTRY_POINTS},
    recognise=_of_2007,
    read=FormatFunction("assessment_xml.parse", "read_assessed"),
    write=FormatFunction("assessment_xml.write", "write_assessments"),
    suffix=".xml",
    folder=True,
)
ASSESSMENTS_2005 = Format(
    name="assessments-2005",
    title="assessment XML of elements (INEX 2005, IEEE)",
    kind=FileKind.ASSESSMENTS,
    carries=_ELEMENTS,
    recognise=_of_2005,
    read=FormatFunction("assessment_xml.parse", "read_assessed"),
    write=FormatFunction("assessment_xml.write", "write_ieee_assessments"),
    suffix=".xml",
    folder=True,
)
ASSESSMENTS_2003 = Format(
    name="assessments-2003",
    title="assessment XML of elements with two grades (INEX 2002–2004)",
    kind=FileKind.ASSESSMENTS,
    carries=_ELEMENTS,
    recognise=_of_2003,
    read=FormatFunction("assessment_xml.parse", "read_assessed"),
    write=FormatFunction("assessment_xml.write", "write_graded_assessments"),
    suffix=".xml",
    folder=True,
)
TOPICS_2007 = Format(
    name="topics-2007",
    title="topics (INEX 2003–2007)",
    kind=FileKind.TOPICS,
    carries=_TEXTS,
    recognise=_topics_of_2007,
    read=FormatFunction("topic_files", "read_topics"),
    write=FormatFunction("topic_writers", "write_old_topics"),
    suffix=".xml",
    folder=True,
)
TOPICS_2009 = Format(
    name="topics-2009",
    title="topics (INEX 2008–2010)",
    kind=FileKind.TOPICS,
    carries=_TEXTS,
    recognise=_topics_of_2009,
    read=FormatFunction("topic_files", "read_topics"),
    write=FormatFunction("topic_writers", "write_topics"),
    suffix=".xml",
    folder=True,
)
TOPICS_TREC = Format(
    name="topics-trec",
    title="topics (TREC in SGML or XML, Indri)",
    kind=FileKind.TOPICS,
    carries=frozenset({Feature.TEXTS, Feature.LONG_TEXTS}),
    recognise=_topics_of_others,
    read=FormatFunction("topic_files", "read_topics"),
    write=FormatFunction("topic_writers", "write_trec_topics"),
    suffix=".sgml",
)
POOL = Format(
    name="pool",
    title="pool XML",
    kind=FileKind.POOL,
    carries=frozenset({Feature.DOCUMENTS, Feature.POOLED_PLACES}),
    recognise=_pool,
    read=FormatFunction("pool_files", "read_pool"),
    write=FormatFunction("pool_files", "write_pool_xml"),
    suffix=".xml",
    folder=True,
)
XML_FORMATS = (
    SUBMISSION, ASSESSMENTS_2007, ASSESSMENTS_2005, ASSESSMENTS_2003, TOPICS_2007, TOPICS_2009, TOPICS_TREC,
    POOL,
)  # fmt: skip
