"""Files of other tools that inexview does not read, called by their names, so that no reader guesses at them.

Each is told by what only its files have: the names of fields or columns, the root of XML, the form of lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from inexview.core.formats.beginnings import Beginning

_Test = Callable[[Beginning], bool]


class _Foreign(NamedTuple):
    """A form of files, what tells it, and what its user can do."""

    name: str
    fits: _Test
    advice: str = ""


def foreign_name(beginning: Beginning) -> str | None:
    """Return what a file of another tool is, and what to do with it; None for any other file."""
    if _is_table(beginning):
        return None
    found = next((form for form in _FOREIGN if form.fits(beginning)), None)
    return None if found is None else f"looks like {found.name}, which inexview does not read{found.advice}"


def _is_table(beginning: Beginning) -> bool:
    """Tell whether the first JSON object holds objects of numbers: a run or qrels, whatever the ids are."""
    inner = [value for value in beginning.first_object.values() if isinstance(value, dict)]
    numbers = all(isinstance(value, int | float) for values in inner for value in values.values())
    return bool(inner) and len(inner) == len(beginning.first_object) and numbers


def _objects(*names: str) -> _Test:
    """Tell JSON whose first object has all of these fields."""
    return lambda beginning: bool(beginning.first_object) and beginning.keys.issuperset(names)


def _fields(*names: str) -> _Test:
    """Tell JSON, or CSV with a header, whose first object has all of these fields."""
    return lambda beginning: not beginning.xml and beginning.keys.issuperset(names)


def _either(*tests: _Test) -> _Test:
    return lambda beginning: any(test(beginning) for test in tests)


def _spans(*names: str) -> _Test:
    """Tell a text with a list of spans in a field of one of these names."""

    def fits(beginning: Beginning) -> bool:
        first = beginning.first_object
        return isinstance(first.get("text"), str) and any(isinstance(first.get(name), list) for name in names)

    return fits


def _root(*names: str) -> _Test:
    return lambda beginning: beginning.root in names


def _lines(pattern: bytes, *, tabs: bool = False) -> _Test:
    """Tell a text whose first lines are all of a form, fields one blank apart unless ``tabs`` part them."""
    compiled = re.compile(pattern)

    def fits(beginning: Beginning) -> bool:
        if beginning.xml or not beginning.lines:
            return False
        if tabs:
            return all(compiled.fullmatch(line) is not None for line in beginning.lines)
        return beginning.all_match(compiled)

    return fits


_PROBABILITY = rb"(?:0?\.\d+(?:[eE]-?\d+)?|[01](?:\.0*)?|\d(?:\.\d+)?[eE]-\d+)"
_PRELS = _lines(rb"\S+ \S+ [0-3] -?\d " + _PROBABILITY)
_BRAT = _lines(rb"T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*(?:\t.*)?|[REAMN]\d+\t\S+[ \t].*|\*\t\S+ .*", tabs=True)


def _prels(beginning: Beginning) -> bool:
    """Tell prels, of which some probability is not whole, from other tables of five numbers."""
    return _PRELS(beginning) and any(not line.split()[4].isdigit() for line in beginning.lines)


def _brat(beginning: Beginning) -> bool:
    """Tell annotations of brat: at first a text-bound one."""
    return _BRAT(beginning) and any(line.startswith(b"T") for line in beginning.lines)


def _bioc(beginning: Beginning) -> bool:
    return beginning.root == "collection" and bool(beginning.first("infon", "offset"))


def _squad(beginning: Beginning) -> bool:
    """Tell SQuAD without a version by the paragraphs of its first article."""
    listed = beginning.first_object.get("data")
    return isinstance(listed, list) and bool(listed) and "paragraphs" in listed[0]


def _collection_of_beir(beginning: Beginning) -> bool:
    return _objects("_id", "text")(beginning) and bool(beginning.first_object.get("title"))


_SPANS = ": convert its spans to qrels, or to JSON lines of inexview"
_QRELS = ": write its judgements as TREC qrels"
_RUN = ": write its ranking as a TREC run"
_ANSWERS = ": answers are not scored here"
_FOREIGN = (
    _Foreign(
        "a snippet submission of INEX", _root("inex-snippet-submission"), ": snippets are not scored here"
    ),
    _Foreign("a submission of answers (INEX)", _root("inex-qa-submission", "qa-submission"), _ANSWERS),
    _Foreign("XMI of UIMA (INCEpTION, cTAKES)", _root("xmi"), _SPANS),
    _Foreign("annotations of GATE", _root("gatedocument"), _SPANS),
    _Foreign("BioC", _bioc, _SPANS),
    _Foreign(
        "prels of the Million Query track (topic, document, method, grade, probability)",
        _prels,
        ": its measures need the probabilities; plain qrels have neither method nor probability",
    ),
    _Foreign(
        "preference judgements (topic, judge, sub-judge, document, preference)",
        _lines(rb"\S+ \d+ \d+ \S+ -?\d+(?:\.\d+)?"),
        ": give qrels",
    ),
    _Foreign("annotations of brat", _brat, _SPANS),
    _Foreign(
        "WebAnno TSV (WebAnno, INCEpTION)", _lines(rb"#Text=.*|\d+-\d+\t\d+-\d+\t.*", tabs=True), _SPANS
    ),
    _Foreign("features for learning to rank (LETOR)", _lines(rb"\S+ qid:\S+(?: \d+:\S+)+(?: #.*)?"), _QRELS),
    _Foreign(
        "candidates of MS MARCO with their texts (query id, passage id, query, passage)",
        _lines(rb"[^\t ]+\t[^\t ]+\t[^\t]* [^\t]*\t[^\t]* [^\t]* [^\t]*", tabs=True),
        _RUN,
    ),
    _Foreign(
        "annotations of Label Studio",
        _either(
            _objects("data", "annotations"),
            _objects("data", "completions"),
            _objects("data", "predictions"),
            lambda beginning: _spans("label")(beginning) and "annotator" in beginning.keys,
        ),
        _SPANS,
    ),
    _Foreign(
        "annotations of Prodigy", _either(_spans("spans"), _objects("text", "answer", "_task_hash")), _SPANS
    ),
    _Foreign("annotations of doccano or spaCy", _spans("label", "labels", "entities"), _SPANS),
    _Foreign("CAS JSON of INCEpTION", _objects("%feature_structures"), _SPANS),
    _Foreign("annotations of Argilla", _objects("fields", "responses"), _SPANS),
    _Foreign(
        "web annotations (W3C, Hypothesis)",
        _either(*(_objects("target", name) for name in ("body", "uri", "@context", "motivation"))),
        _SPANS,
    ),
    _Foreign(
        "answers with citations (TREC RAG)",
        _either(
            _objects("answer", "references"),
            _objects("responses", "references"),
            _objects("answer", "citations"),
        ),
        _ANSWERS,
    ),
    _Foreign("answers of the iKAT track", _objects("turn_id", "responses"), _ANSWERS),
    _Foreign(
        "nuggets (AutoNuggetizer, NuggetBank)",
        _either(_objects("nuggets"), _objects("nugget_bank"), _objects("claim_bank")),
        ": nuggets are not scored here",
    ),
    _Foreign("candidates of a reranker (RankLLM)", _objects("query", "candidates"), _RUN),
    _Foreign("judgements of UMBRELA with their texts", _objects("query", "passage", "judgment"), _QRELS),
    _Foreign("a benchmark of LegalBench-RAG", _either(_objects("tests"), _objects("qa_result_list")), _SPANS),
    _Foreign("ContractNLI", _objects("documents", "labels"), _SPANS),
    _Foreign(
        "SQuAD or one of its kin",
        _either(_objects("data", "version"), _objects("context", "question"), _objects("paragraphs"), _squad),
        _SPANS,
    ),
    _Foreign(
        "questions of the Chroma chunking evaluation", _fields("question", "references", "corpus_id"), _SPANS
    ),
    _Foreign("chunks of Chroma", _objects("ids", "documents", "metadatas")),
    _Foreign("documents of LangChain", _objects("page_content", "metadata")),
    _Foreign("documents of Haystack", _objects("content", "meta")),
    _Foreign("chunks of Chonkie", _objects("text", "start_index", "end_index")),
    _Foreign(
        "a part of the MS MARCO 2.1 collection",
        _either(_objects("docid", "segment"), _objects("docid", "body")),
    ),
    _Foreign("a collection of BEIR", _collection_of_beir, ": give its queries or its qrels"),
    _Foreign("a collection of Anserini", _objects("id", "contents")),
    _Foreign(
        "samples of Ragas",
        _either(_fields("user_input", "retrieved_contexts"), _fields("question", "contexts")),
    ),
    _Foreign("test cases of DeepEval", _fields("input", "actual_output")),
    _Foreign("judgements of OpenSearch", _objects("judgmentratings"), _QRELS),
    _Foreign("a request of Elasticsearch's rank evaluation", _objects("requests"), _QRELS),
    _Foreign("hits of Elasticsearch or OpenSearch", _objects("hits"), _RUN),
    _Foreign("claims of FEVER or SciFact", _objects("claim", "evidence")),
    _Foreign("questions of HotpotQA", _objects("supporting_facts", "context")),
    _Foreign("HAGRID", _objects("query", "quotes", "answers"), _ANSWERS),
)
"""The first that fits is named: the special ones come before those that resemble them."""
