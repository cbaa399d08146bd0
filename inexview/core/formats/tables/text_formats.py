"""The formats that are tables of text, one record each.

Lines tell them apart: the format that most of a file's first lines fit is taken.  Where several fit as well:

- four fields are TREC qrels where the second is an iteration (0, 1, Q0) on every line, else HARD passages;
- six fields are a TREC run unless the last three are numbers that differ from line to line: then they are FOL
  qrels with best entry points and no passages;
- HARD runs look like FOL runs, and are taken for such unless they are named; runs of TREC Genomics look like
  FOL qrels, and must be named too.
"""

from __future__ import annotations

import re

from inexview.core.formats.beginnings import Beginning, plain_key
from inexview.core.formats.format import Feature, FileKind, Format, FormatFunction
from inexview.core.formats.tables.named_fields import fits_qrels, fits_run

_NUMBER = rb"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|nan|NaN|[-+]?inf"
_RESULT = rb"\S+ \S+ \S+ \d\S* (?:" + _NUMBER + rb") \S+"
_FOL_QRELS = re.compile(rb"\S+ \S+ \S+ \d+ \d+(?: (?:-1|\d+)(?: \d+:\d+)*)?")
_FOL_RUN = re.compile(_RESULT + rb" (?:\d+|X|-1)(?: (?:\d+|X|-1))?")
_FOL_ELEMENTS = re.compile(_RESULT + rb" /\S+")
_TREC_RUN = re.compile(rb"\S+ \S+ \S+ \S+ (?:" + _NUMBER + rb") \S+")
_TREC_RUN_AND_MORE = re.compile(_TREC_RUN.pattern + rb" [^\dX/-]\S*(?: \S+)*")
_TREC_QRELS = re.compile(rb"\S+ \S+ \S+ -?\d+")
_TREC_QRELS_AND_MORE = re.compile(
    rb"\S+ (?:\S+ \S+ -?\d+ (?!\d+(?: |$))\S+|[^Qq]\S* \S+ -?\d+ (?!\d+(?: |$))\S+(?: \S+)+)"
)
_TREC_QRELS_AND_NUMBER = re.compile(rb"\S+ 0 \S+ (?:[0-4]|-\d) \d+")
_MSMARCO = re.compile(rb"(\S+) \S+ (\d+)")
_BEIR_HEADER = re.compile(rb"query-id\s+corpus-id\s+score")
_BEIR_QRELS = re.compile(rb"\S+ \S+ -?\d+")
_HARD = re.compile(rb"\S+ \S+ \d+ \d+")
_ITERATION = re.compile(rb"\S+ (?:0|1|Q0|q0) \S+ \S+")
_POOL = re.compile(rb"[^\x00-\x20]+ [^\x00-\x20]+")
_GOLD = re.compile(rb"[^\t]+\t[^\t]+\t\d+\t\d+\t[^\t]*[^\t\d.][^\t]*")
_IDENTIFIED = re.compile(rb"([^\t\x00]{1,255})\t(.*)")
_COLON_TOPIC = re.compile(rb"(\w[\w.-]{0,60}):(?:\d+:)?\s*([^\d/\s:].*)")
_BLANK_TOPIC = re.compile(rb"((?=[\w.-]*\d)[\w.-]++)[ ]++(?![Qq]?\d)(\S+(?: +\S+)*)")
_OBJECT = re.compile(rb"\{.*")
_SURE = 150.0  # for JSON, of which a line may be half an object
_NUMBERED = re.compile(rb"\S+ \S+ \S+ \d+ \d+ (?:-1|\d+)")


def _trec_run(beginning: Beginning) -> float:
    if beginning.width == 3 and beginning.all_match(_MSMARCO):
        return _ranks_count(beginning)
    fitting = beginning.matching(_TREC_RUN)
    if not fitting:  # with more behind it, where no line names a passage or an element
        places = beginning.matching(_FOL_RUN) or beginning.matching(_FOL_ELEMENTS)
        return 0 if places else beginning.matching(_TREC_RUN_AND_MORE) / 2
    lasts = {line.split()[-1] for line in beginning.lines}
    named = len(beginning.lines) > 1 and len(lasts) == 1
    return fitting + 0.5 if named or not beginning.matching(_NUMBERED) else fitting


def _ranks_count(beginning: Beginning) -> float:
    """Return how many lines of MS MARCO's run there are; 0 where a third column counts no ranks."""
    last: dict[bytes, int] = {}
    for line in beginning.lines:
        topic, _, rank = line.split()
        if int(rank) != last.get(topic, int(rank) - 1) + 1 or (topic not in last and int(rank) > 1):
            return 0
        last[topic] = int(rank)
    return len(beginning.lines)


def _trec_qrels(beginning: Beginning) -> float:
    if beginning.lines and _BEIR_HEADER.fullmatch(beginning.lines[0]):
        return max(beginning.matching(_BEIR_QRELS), 1)  # the reader says what is missing
    fitting: float = beginning.matching(_TREC_QRELS)
    if beginning.width == 3:
        return 0.5 * beginning.matching(_BEIR_QRELS)  # without a header
    if not fitting and not beginning.matching(_TREC_RUN) and not beginning.matching(_FOL_ELEMENTS):
        fitting = beginning.matching(_TREC_QRELS_AND_MORE) / 2
    numbered = beginning.lines and beginning.all_match(_TREC_QRELS_AND_NUMBER)
    if numbered and any(line.split()[3] not in (b"0",) for line in beginning.lines):
        return len(beginning.lines) + 0.5  # FOL qrels would say where so little relevant text is
    return fitting


def _hard(beginning: Beginning) -> float:
    fitting = beginning.matching(_HARD)
    return fitting + 0.5 if fitting and not beginning.all_match(_ITERATION) else 0


def _jsonl(beginning: Beginning) -> float:
    if beginning.json is not None and beginning.keys.isdisjoint({"topic", "document"}):
        return 0
    fitting = beginning.matching(_OBJECT)
    return fitting + 0.5 if fitting else 0


def _pool_list(beginning: Beginning) -> float:
    fitting = beginning.matching(_POOL)
    return fitting if 2 * fitting > len(beginning.lines) else 0  # two words in a line are found in any text


def _gold_passages(beginning: Beginning) -> float:
    return sum(_GOLD.fullmatch(line.strip()) is not None for line in beginning.lines)


def _topic_lines(beginning: Beginning) -> float:
    """Return less than for any table: each line has an id and a tab, and most have no further one.

    JSON is told from judgements by its fields.  Lines of two words are topics where no id comes again and the
    second words are no ids: most have no digit, or letters of a script that writes no blanks.
    """
    if beginning.json is not None:
        return _json_topics(beginning)
    lines = [line.strip() for line in beginning.lines]
    if not lines:
        return 0
    if _is_topic_header(beginning):
        return _SURE
    for form, weight in ((_IDENTIFIED, 1.0), (_COLON_TOPIC, 1.0), (_BLANK_TOPIC, 0.3)):
        matches = [form.fullmatch(line) for line in lines]
        titles = [match[2] for match in matches if match is not None]
        if len(titles) < len(lines):
            continue
        once = len({match[1] for match in matches if match is not None}) == len(lines)
        if once and 2 * sum(map(_is_title, titles)) > len(lines):
            return weight * (len(lines) + 0.25)
        if form is _IDENTIFIED:
            return 0.4 * sum(line.count(b"\t") == 1 for line in lines)
    return 0


def _is_topic_header(beginning: Beginning) -> bool:
    """Tell whether the first line names columns, of which the first is an id and another a text."""
    names = [plain_key(name.decode("utf-8", "replace")) for name in beginning.header]
    texts = {"title", "query", "text", "question", "utterance"} & {*names[1:]}
    judged = {*names} & {"docid", "doc_id", "docno", "document", "document_id", "corpus_id", "pid"}
    return (
        names[0] in ("id", "_id", "qid", "query_id", "topic_id", "topic", "num")
        and bool(texts)
        and not judged
    )


def _is_title(words: bytes) -> bool:
    """Tell whether words are no table: most of several have letters only, a single one is no id."""
    listed = words.split()
    plain = sum(word.strip(b".,;:?!'\"()").isalpha() or not word.isascii() for word in listed)
    return b"\t" not in words and 2 * plain > len(listed)


def _json_topics(beginning: Beginning) -> float:
    first = beginning.first_object
    held = next(iter(first.values()), None)
    if len(first) == 1 and isinstance(held, list) and plain_key(next(iter(first))) in ("queries", "topics"):
        return _SURE
    if first and all(isinstance(said, dict) for said in first.values()):
        inner = set(map(plain_key, held or {}))
        return _SURE if inner & {"title", "query", "question", "text"} else 0
    ids = beginning.keys & {
        "id",
        "_id",
        "qid",
        "query_id",
        "topic_id",
        "topic",
        "number",
        "num",
        "request_id",
    }
    texts = beginning.keys & {"title", "query", "text", "question", "utterance", "problem_statement"}
    judged = beginning.keys & {"docid", "doc_id", "docno", "document", "corpus_id", "passages"}
    return _SURE if ids and texts and not judged else 0


FOL_QRELS = Format(
    name="fol-qrels",
    title="FOL qrels (INEX 2008–2010)",
    kind=FileKind.QRELS,
    carries=frozenset(
        {
            Feature.PASSAGES,
            Feature.ENTRY_POINTS,
            Feature.LENGTHS,
            Feature.NOT_RELEVANT,
            Feature.BARE,
            Feature.SIZES,
        }
    ),
    recognise=lambda beginning: beginning.matching(_FOL_QRELS),
    read=FormatFunction("tables.fol_qrels", "read_fol_qrels"),
    write=FormatFunction("tables.fol_qrels", "write_fol_qrels"),
)
TREC_QRELS = Format(
    name="trec-qrels",
    title="TREC qrels",  # those of BEIR too, with a header
    kind=FileKind.QRELS,
    carries=frozenset({Feature.NOT_RELEVANT, Feature.BARE, Feature.GRADES, Feature.SIZES}),
    recognise=_trec_qrels,
    read=FormatFunction("tables.trec", "read_trec_qrels"),
    write=FormatFunction("tables.trec", "write_trec_qrels", ("graded",)),
)
HARD_QRELS = Format(
    name="hard-qrels",
    title="HARD passages (TREC 2003–2004), counted in bytes",
    kind=FileKind.QRELS,
    carries=frozenset({Feature.PASSAGES, Feature.LENGTHS, Feature.NOT_RELEVANT}),
    recognise=_hard,
    read=FormatFunction("tables.hard", "read_hard_qrels", ("collection", "progress"), needs_collection=True),
    write=FormatFunction(
        "tables.hard", "write_hard_qrels", ("collection", "progress"), needs_collection=True
    ),
)
_RUN = frozenset({Feature.OFFSETS, Feature.ENTRIES, Feature.UNKNOWN, Feature.REPEATS, Feature.SCORES})
_NAMED = frozenset({Feature.ELEMENT_RESULTS, Feature.POINT_RESULTS, Feature.FOL_RESULTS})
FOL_RUN = Format(
    name="fol-run",
    title="FOL run (INEX 2009–2010)",
    kind=FileKind.RUN,
    carries=_RUN | _NAMED,
    recognise=lambda beginning: beginning.matching(_FOL_RUN),
    read=FormatFunction("tables.fol_runs", "read_fol_run", ("fol_end", "progress")),
    write=FormatFunction("tables.fol_runs", "write_fol_run"),
)
HARD_RUN = Format(
    name="hard-run",
    title="HARD run (TREC 2003–2004), counted in bytes",
    kind=FileKind.RUN,
    carries=_RUN | _NAMED,
    recognise=lambda beginning: 0,
    read=FormatFunction("tables.hard", "read_hard_run", ("collection", "progress"), needs_collection=True),
    write=FormatFunction("tables.hard", "write_hard_run", ("collection", "progress"), needs_collection=True),
)
FOL_ELEMENTS = Format(
    name="fol-elements",
    title="run of elements in text (INEX 2009–2010)",
    kind=FileKind.SUBMISSION,
    carries=frozenset({Feature.OFFSETS, Feature.ELEMENT_RESULTS, Feature.REPEATS, Feature.SCORES}),
    recognise=lambda beginning: beginning.matching(_FOL_ELEMENTS),
    read=FormatFunction("submission_xml.named", "read_element_lines"),
    write=FormatFunction("submission_xml.write", "write_element_lines"),
)
TREC_RUN = Format(
    name="trec-run",
    title="TREC run",
    kind=FileKind.RUN,
    carries=frozenset({Feature.SCORES, Feature.WHOLE}),
    recognise=_trec_run,
    read=FormatFunction("tables.trec", "read_trec_run", ("progress",)),
    write=FormatFunction("tables.trec", "write_trec_run"),
)
JSONL = Format(
    name="jsonl",
    title="JSON lines of inexview, with quotes of the passages",
    kind=FileKind.QRELS,
    carries=FOL_QRELS.carries
    | {Feature.QUOTES, Feature.SIGNED, Feature.UNFINISHED, Feature.NOTES}
    | {Feature.DOCUMENT_GRADES, Feature.PASSAGE_GRADES, Feature.DECISIONS, Feature.FOUND_DOCUMENTS},
    recognise=_jsonl,
    read=FormatFunction("tables.jsonl", "read_jsonl_qrels"),
    write=FormatFunction("tables.jsonl", "write_jsonl_qrels", ("collection", "progress")),
    suffix=".jsonl",
)
NAMED_QRELS = Format(
    name="json-qrels",
    title="qrels in JSON or CSV, with names of fields",
    kind=FileKind.QRELS,
    carries=TREC_QRELS.carries,
    recognise=fits_qrels,
    read=FormatFunction("tables.named_fields", "read_named_qrels"),
    write=FormatFunction("tables.named_fields", "write_named_qrels", ("graded",)),
    suffix=".json",
)
NAMED_RUN = Format(
    name="json-run",
    title="run in JSON or CSV, with names of fields",
    kind=FileKind.RUN,
    carries=TREC_RUN.carries,
    recognise=fits_run,
    read=FormatFunction("tables.named_fields", "read_named_run"),
    write=FormatFunction("tables.named_fields", "write_named_run"),
    suffix=".json",
)
POOL_LIST = Format(
    name="pool-list",
    title="pool as a plain list of topics and documents",
    kind=FileKind.POOL,
    carries=frozenset({Feature.DOCUMENTS}),
    recognise=_pool_list,
    read=FormatFunction("pool_files", "read_pool"),
    write=FormatFunction("pool_files", "write_pool_list"),
    folder=True,
)
GOLD_PASSAGES = Format(
    name="genomics-gold",
    title="gold passages (TREC Genomics 2006–2007), offsets as the file counts them",
    kind=FileKind.QRELS,
    carries=frozenset({Feature.PASSAGES, Feature.ASPECTS}),
    recognise=_gold_passages,
    read=FormatFunction("tables.gold_passages", "read_gold_passages"),
    write=FormatFunction("tables.gold_passages", "write_gold_passages"),
)
GENOMICS_RUN = Format(
    name="genomics-run",
    title="run of passages (TREC Genomics 2006–2007), offsets as the file counts them",
    kind=FileKind.RUN,
    carries=frozenset({Feature.OFFSETS, Feature.REPEATS, Feature.SCORES}),
    recognise=lambda beginning: 0,
    read=FormatFunction("tables.gold_passages", "read_genomics_run"),
    write=FormatFunction("tables.gold_passages", "write_genomics_run"),
)
TOPIC_LINES = Format(
    name="topics-tab",
    title="topics in lines of id, tab and title",  # and in JSON lines, as BEIR has its queries
    kind=FileKind.TOPICS,
    carries=frozenset({Feature.TEXTS}),
    recognise=_topic_lines,
    read=FormatFunction("topic_files", "read_topics"),
    write=FormatFunction("topic_writers", "write_topic_lines"),
)
GRADED_QRELS = (TREC_QRELS, NAMED_QRELS)
RUNS_BY_SCORE = (TREC_RUN, NAMED_RUN)
COLUMN_FORMATS = (
    FOL_QRELS, TREC_QRELS, HARD_QRELS, GOLD_PASSAGES, FOL_RUN, FOL_ELEMENTS, TREC_RUN, HARD_RUN, GENOMICS_RUN,
    TOPIC_LINES, POOL_LIST,
)  # fmt: skip
"""Those in which no id can hold a blank."""
JSON_FORMATS = (JSONL, NAMED_QRELS, NAMED_RUN, TOPIC_LINES)
TEXT_FORMATS = (
    FOL_QRELS, TREC_QRELS, HARD_QRELS, JSONL, NAMED_QRELS, GOLD_PASSAGES, FOL_RUN, FOL_ELEMENTS, TREC_RUN,
    HARD_RUN, GENOMICS_RUN, NAMED_RUN, TOPIC_LINES, POOL_LIST,
)  # fmt: skip
