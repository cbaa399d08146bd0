"""The formats: one record each, with what it carries, how it is recognised, and its reader and writer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inexview.core.benchmarks.forms import FORMS, BundleForm, find
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError
from inexview.core.formats.text_files import Beginning
from inexview.core.formats.trec import fits_qrels, fits_run
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import NO_JOIN, IdJoin
from inexview.core.plugins import added, package_of
from inexview.core.progress import Progress, unwatched
from inexview.core.text.json_values import plain_key

if TYPE_CHECKING:
    from inexview.core.collection.collection import Collection


class FileKind(StrEnum):
    """The content of a file; the value is its name in messages."""

    QRELS = "judgements of characters"
    ASSESSMENTS = "judgements of elements and points"
    RUN = "a run of characters"
    SUBMISSION = "a run of elements and points"
    TOPICS = "topics"
    POOL = "a pool"


JUDGEMENTS = (FileKind.QRELS, FileKind.ASSESSMENTS)
RUNS = (FileKind.RUN, FileKind.SUBMISSION)


class Apart(Enum):
    """Contents that a project stores apart from its judgements; the value is its name in messages."""

    LABELS = "a model's judgements"
    NUGGETS = "nuggets"
    SUPPORT = "judgements of citation support"
    ANSWERS = "answers"


class Feature(Enum):
    """Things that a file may hold and a format may store; the value is their singular and plural."""

    PASSAGES = ("passage", "passages")
    ENTRY_POINTS = ("best entry point", "best entry points")
    LENGTHS = ("document length", "document lengths")
    NOT_RELEVANT = ("document judged not relevant", "documents judged not relevant")
    BARE = ("relevant document without a passage", "relevant documents without a passage")
    SIZES = ("rsize that is not the passages' sum", "rsizes that are not the passages' sum")
    GRADES = ("grade of relevance", "grades of relevance")
    QUOTES = ("quote of a passage", "quotes of passages")
    SIGNED = ("record of assessor and time", "records of assessor and time")
    DOCUMENT_GRADES = ("grade of a document", "grades of documents")
    PASSAGE_GRADES = ("grade of a passage", "grades of passages")
    NOTES = ("note or flag", "notes and flags")
    DECISIONS = (
        "origin of a mark or suggestion",
        "origins of marks and suggestions",
    )
    FOUND_DOCUMENTS = (
        "document that an assessor added to the pool",
        "documents that assessors added to the pool",
    )
    UNFINISHED = ("document that is not finished", "documents that are not finished")
    ELEMENTS = ("judged element with its exhaustivity", "judged elements with their exhaustivity")
    STATEMENTS = ("topic's text", "topics' texts")
    FRAMES = ("name of a pool or a collection", "names of pools and collections")
    OFFSETS = ("passage's place in its document", "passages' places in their documents")
    ENTRIES = ("entry point without a length", "entry points without a length")
    WHOLE = ("result that is a whole document", "results that are whole documents")
    UNKNOWN = ("result that is not in the collection", "results that are not in the collection")
    REPEATS = ("further result in the same document", "further results in the same document")
    SCORES = ("score", "scores")
    TASK = ("task", "tasks")
    ELEMENT_RESULTS = ("result that is an element", "results that are elements")
    POINT_RESULTS = ("result between two points", "results between two points")
    FOL_RESULTS = ("result by offset and length", "results by offset and length")
    EMPTY_TOPICS = ("topic without results", "topics without results")
    ABOUT = (
        "metadata field of the submission",
        "metadata fields of the submission (participant, description, …)",
    )
    TEXTS = ("title of a topic", "titles of topics")
    LONG_TEXTS = ("description or narrative of a topic", "descriptions and narratives of topics")
    FURTHER_TEXTS = ("further text of a topic", "further texts of topics")
    ASPECTS = ("aspect of a passage", "aspects of passages")
    POOLED_PLACES = ("element or passage of a pooled document", "elements and passages of pooled documents")
    EXACT = (
        "exact place (replaced by the smallest element that contains it)",
        "exact places (replaced by the smallest elements that contain them)",
    )
    MISSING = (
        "judged document that is not in the collection",
        "judged documents that are not in the collection",
    )
    DOCUMENTS = ("pooled document", "pooled documents")

    def counted(self, count: int) -> str:
        """Return the number with its noun: "12 best entry points"."""
        return f"{count:,} {self.value[count != 1]}"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of reading and writing."""

    collection: Collection | None = None
    fol_end: bool = False
    """The last field of a text run is the end of a passage."""
    strip: bool = False
    """Points do not count text nodes of white space only."""
    graded: bool = True
    """TREC qrels hold the number of relevant characters; otherwise 1 for relevant documents."""
    progress: Progress = unwatched
    template: Path | None = None
    """The file that judgements came from, which is filled in when they are written in its format."""


@dataclass(frozen=True, slots=True)
class FormatFunction:
    """The reader or writer of a format, by its module, which is imported when it is called.

    Many load lxml, which text does not need. It is called with ``(path, options)`` or ``(content, path,
    options)``, and passes on the options that the function ``takes``.
    """

    module: str
    """Relative to `inexview.core.formats`, or with its package's name."""
    name: str
    takes: tuple[str, ...] = ()
    needs_collection: bool = False
    form: str = ""
    """The form of a benchmark or a tool that it reads or writes, if the function knows several."""

    def __call__(self, *given: Any) -> Any:
        """Read or write; raises what the function raises, and DataError if the articles are missing."""
        *arguments, options = given
        if self.needs_collection and options.collection is None:
            raise DataError("counts bytes: give the articles with --collection", path=arguments[-1])
        inner = f"inexview.core.formats.{self.module}"
        function = getattr(import_module(self.module if "." in self.module else inner), self.name)
        named = {option: getattr(options, option) for option in self.takes}
        return function(*arguments, **({"form": self.form} if self.form else {}), **named)


@dataclass(frozen=True, eq=False)
class Format:
    """A format: its names, its content, and how it is recognised, read and written.

    ``read`` returns a value of ``kind``: `Qrels`, `Assessments`, `Run`, `Submission`, `Topics` or a `Pool`;
    ``write`` takes the same. ``recognise`` returns how well a beginning fits, 0 for not at all.
    """

    name: str
    """Its name on the command line."""
    title: str
    kind: FileKind
    carries: frozenset[Feature]
    recognise: Callable[[Beginning], float]
    read: FormatFunction
    write: FormatFunction
    suffix: str = ".txt"
    folder: bool = False
    """Whether a folder of such files is read as one."""

    @property
    def needs_collection(self) -> bool:
        """Whether its offsets need the articles."""
        return self.read.needs_collection

    @property
    def names_places(self) -> bool:
        """Whether it names elements and points, which are found in the articles."""
        return self.kind in (FileKind.SUBMISSION, FileKind.ASSESSMENTS)


# Options of readers.

TREC, DIVERSITY, GENOMICS, NUGGETS = "trec", "diversity", "genomics2007", "nuggets"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options for reading runs: by the name of a format, or by the preset; by default recognised."""

    format: str | None = None
    preset: str | None = None
    fol_end: bool = False
    """Whether the last field of a text run is the end of a passage."""
    join: IdJoin = NO_JOIN
    """How to read ids that judgements, topics and runs spell differently."""
    bundle: Path | None = None
    """The benchmark of the runs, which may name its questions and documents by their texts."""
    task: Task | None = None
    """The task for scoring runs, if it differs from their own."""
    gather: bool = False
    """Whether to move the results of a document to its best rank, for tasks in context."""
    keys: RecordKeys = USUAL_KEYS
    """The names of the fields in the collection's records."""

    def of_run(self, run: Run) -> Run:
        """Return a run with its ids and results in the requested form."""
        joined = self.join.of_run(run)
        return joined.together(self.task or run.task) if self.gather else joined

    @property
    def tells(self) -> bool:
        """Whether the format is given instead of recognised."""
        return self.format is not None or self.preset in (TREC, DIVERSITY, GENOMICS)


AS_SEEN = RunOptions()


# Tables of text: the format that fits most of a file's first lines is used. If several fit equally:
#
# - four fields are TREC qrels if the second is an iteration (0, 1, Q0) on every line, else HARD passages;
# - six fields are a TREC run unless the last three are numbers that differ from line to line: then they are
#   FOL qrels with best entry points and no passages;
# - HARD runs look like FOL runs, and runs of TREC Genomics like FOL qrels: the user must name them.

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
_SURE = 150.0  # for JSON, where a line may be half an object
_NUMBERED = re.compile(rb"\S+ \S+ \S+ \d+ \d+ (?:-1|\d+)")


def _trec_run(beginning: Beginning) -> float:
    if beginning.width == 3 and beginning.all_match(_MSMARCO):
        return _ranks_count(beginning)
    fitting = beginning.matching(_TREC_RUN)
    if not fitting:  # with further fields, if no line names a passage or an element
        places = beginning.matching(_FOL_RUN) or beginning.matching(_FOL_ELEMENTS)
        return 0 if places else beginning.matching(_TREC_RUN_AND_MORE) / 2
    lasts = {line.split()[-1] for line in beginning.lines}
    named = len(beginning.lines) > 1 and len(lasts) == 1
    return fitting + 0.5 if named or not beginning.matching(_NUMBERED) else fitting


def _ranks_count(beginning: Beginning) -> float:
    """Return the number of lines if they are of MS MARCO's run; 0 if the third column is no rank."""
    last: dict[bytes, int] = {}
    for line in beginning.lines:
        topic, _, rank = line.split()
        if int(rank) != last.get(topic, int(rank) - 1) + 1 or (topic not in last and int(rank) > 1):
            return 0
        last[topic] = int(rank)
    return len(beginning.lines)


def _beir_qrels(beginning: Beginning) -> float:
    headed = beginning.lines and _BEIR_HEADER.fullmatch(beginning.lines[0])
    return max(beginning.matching(_BEIR_QRELS), 1) if headed else 0  # the reader reports what is missing


def _trec_qrels(beginning: Beginning) -> float:
    fitting: float = beginning.matching(_TREC_QRELS)
    if beginning.width == 3:
        return 0.5 * beginning.matching(_BEIR_QRELS)  # without a header
    if not fitting and not beginning.matching(_TREC_RUN) and not beginning.matching(_FOL_ELEMENTS):
        fitting = beginning.matching(_TREC_QRELS_AND_MORE) / 2
    numbered = beginning.lines and beginning.all_match(_TREC_QRELS_AND_NUMBER)
    if numbered and any(line.split()[3] not in (b"0",) for line in beginning.lines):
        return len(beginning.lines) + 0.5  # FOL qrels would name a passage for so little relevant text
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
    return fitting if 2 * fitting > len(beginning.lines) else 0  # any text has lines of two words


def _gold_passages(beginning: Beginning) -> float:
    return sum(_GOLD.fullmatch(line.strip()) is not None for line in beginning.lines)


def _topic_lines(beginning: Beginning) -> float:
    """Return less than for any table: each line has an id and a tab, and most have a single tab.

    Fields distinguish JSON from judgements.  Lines of two words are topics if no id is repeated and the
    second words are no ids: most have no digit, or letters of a script without blanks.
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
    """Return whether the first line names columns: first an id, and among the others a text."""
    names = [plain_key(name.decode("utf-8", "replace")) for name in beginning.header]
    texts = {"title", "query", "text", "question", "utterance"} & {*names[1:]}
    judged = {*names} & {"docid", "doc_id", "docno", "document", "document_id", "corpus_id", "pid"}
    return (
        names[0] in ("id", "_id", "qid", "query_id", "topic_id", "topic", "num")
        and bool(texts)
        and not judged
    )


def _is_title(words: bytes) -> bool:
    """Return whether words are no table: most have letters only, and a single one is no id."""
    listed = words.split()
    plain = sum(word.strip(b".,;:?!'\"()").isalpha() or not word.isascii() for word in listed)
    return b"\t" not in words and 2 * plain > len(listed)


def _json_topics(beginning: Beginning) -> float:
    first = beginning.first_object
    held = next(iter(first.values()), None)
    if len(first) == 1 and isinstance(held, list) and plain_key(next(iter(first))) in ("queries", "topics"):
        return _SURE
    if first and all(isinstance(value, dict) for value in first.values()):
        inner = set(map(plain_key, held or {}))
        return _SURE if inner & {"title", "query", "question", "text"} else 0
    ids = beginning.keys & {
        "id", "_id", "qid", "query_id", "topic_id", "topic", "number", "num", "request_id",
    }  # fmt: skip
    texts = beginning.keys & {"title", "query", "text", "question", "utterance", "problem_statement"}
    judged = beginning.keys & {"docid", "doc_id", "docno", "document", "corpus_id", "passages"}
    return _SURE if ids and texts and not judged else 0


def _from_module(module: str, name: str) -> Callable[[Beginning], float]:
    """Return a test that is imported when the first JSON file is looked at."""
    return lambda beginning: (
        getattr(import_module(f"inexview.core.formats.{module}"), name)(beginning) if beginning.json else 0
    )


_topics = partial(Format, kind=FileKind.TOPICS, read=FormatFunction("topic_files", "read_topics"))
_pools = partial(Format, kind=FileKind.POOL, read=FormatFunction("topic_files", "read_pool"), folder=True)


def _in_bytes(name: str) -> FormatFunction:
    return FormatFunction("passage_lines", name, ("collection", "progress"), needs_collection=True)


_OF_DOCUMENTS = frozenset({Feature.NOT_RELEVANT, Feature.BARE, Feature.SIZES})
FOL_QRELS = Format(
    name="fol-qrels",
    title="FOL qrels (INEX 2008–2010)",
    kind=FileKind.QRELS,
    carries=_OF_DOCUMENTS | {Feature.PASSAGES, Feature.ENTRY_POINTS, Feature.LENGTHS},
    recognise=lambda beginning: beginning.matching(_FOL_QRELS),
    read=FormatFunction("passage_lines", "read_fol_qrels"),
    write=FormatFunction("passage_lines", "write_fol_qrels"),
)
TREC_QRELS = Format(
    name="trec-qrels",
    title="TREC qrels",
    kind=FileKind.QRELS,
    carries=_OF_DOCUMENTS | {Feature.GRADES},
    recognise=_trec_qrels,
    read=FormatFunction("trec", "read_trec_qrels"),
    write=FormatFunction("trec", "write_trec_qrels", ("graded",)),
)
BEIR_QRELS = Format(
    name="beir-qrels",
    title="qrels of BEIR and MTEB (TSV with a header)",
    kind=FileKind.QRELS,
    carries=TREC_QRELS.carries,
    recognise=_beir_qrels,
    read=TREC_QRELS.read,
    write=FormatFunction("trec", "write_beir_qrels", ("graded",)),
    suffix=".tsv",
)
HARD_QRELS = Format(
    name="hard-qrels",
    title="HARD passages (TREC 2003–2004), counted in bytes",
    kind=FileKind.QRELS,
    carries=frozenset({Feature.PASSAGES, Feature.LENGTHS, Feature.NOT_RELEVANT}),
    recognise=_hard,
    read=_in_bytes("read_hard_qrels"),
    write=_in_bytes("write_hard_qrels"),
)
_RUN = frozenset({Feature.OFFSETS, Feature.ENTRIES, Feature.UNKNOWN, Feature.REPEATS, Feature.SCORES})
_NAMED = frozenset({Feature.ELEMENT_RESULTS, Feature.POINT_RESULTS, Feature.FOL_RESULTS})
FOL_RUN = Format(
    name="fol-run",
    title="FOL run (INEX 2009–2010)",
    kind=FileKind.RUN,
    carries=_RUN | _NAMED,
    recognise=lambda beginning: beginning.matching(_FOL_RUN),
    read=FormatFunction("passage_lines", "read_fol_run", ("fol_end", "progress")),
    write=FormatFunction("passage_lines", "write_fol_run"),
)
HARD_RUN = Format(
    name="hard-run",
    title="HARD run (TREC 2003–2004), counted in bytes",
    kind=FileKind.RUN,
    carries=_RUN | _NAMED,
    recognise=lambda beginning: 0,
    read=_in_bytes("read_hard_run"),
    write=_in_bytes("write_hard_run"),
)
FOL_ELEMENTS = Format(
    name="fol-elements",
    title="run of elements in text (INEX 2009–2010)",
    kind=FileKind.SUBMISSION,
    carries=frozenset({Feature.OFFSETS, Feature.ELEMENT_RESULTS, Feature.REPEATS, Feature.SCORES}),
    recognise=lambda beginning: beginning.matching(_FOL_ELEMENTS),
    read=FormatFunction("submission_xml", "read_element_lines"),
    write=FormatFunction("submission_xml", "write_element_lines"),
)
TREC_RUN = Format(
    name="trec-run",
    title="TREC run",
    kind=FileKind.RUN,
    carries=frozenset({Feature.SCORES, Feature.WHOLE}),
    recognise=_trec_run,
    read=FormatFunction("trec", "read_trec_run", ("progress",)),
    write=FormatFunction("trec", "write_trec_run"),
)
JSONL = Format(
    name="jsonl",
    title="JSON lines of inexview, with quotes of the passages",
    kind=FileKind.QRELS,
    carries=FOL_QRELS.carries
    | {Feature.QUOTES, Feature.SIGNED, Feature.UNFINISHED, Feature.NOTES}
    | {Feature.DOCUMENT_GRADES, Feature.PASSAGE_GRADES, Feature.DECISIONS, Feature.FOUND_DOCUMENTS},
    recognise=_jsonl,
    read=FormatFunction("jsonl", "read_jsonl_qrels"),
    write=FormatFunction("jsonl", "write_jsonl_qrels", ("collection", "progress")),
    suffix=".jsonl",
)
NAMED_QRELS = Format(
    name="json-qrels",
    title="qrels in JSON or CSV, with names of fields",
    kind=FileKind.QRELS,
    carries=TREC_QRELS.carries,
    recognise=fits_qrels,
    read=FormatFunction("trec", "read_named_qrels"),
    write=FormatFunction("trec", "write_named_qrels", ("graded",)),
    suffix=".json",
)
NAMED_RUN = Format(
    name="json-run",
    title="run in JSON or CSV, with names of fields",
    kind=FileKind.RUN,
    carries=TREC_RUN.carries,
    recognise=fits_run,
    read=FormatFunction("trec", "read_named_run"),
    write=FormatFunction("trec", "write_named_run"),
    suffix=".json",
)
CHUNK_RUN = Format(
    name="chunks",
    title="chunks of a framework (LangChain, LlamaIndex, Haystack, Chonkie, Chroma, LegalBench-RAG)",
    kind=FileKind.RUN,
    carries=frozenset({Feature.OFFSETS, Feature.UNKNOWN, Feature.REPEATS, Feature.SCORES}),
    recognise=_from_module("chunk_runs", "fits_chunks"),
    read=FormatFunction("chunk_runs", "read_chunk_run", ("collection", "progress")),
    write=FormatFunction("chunk_runs", "write_chunk_run", ("collection",)),
    suffix=".json",
)
HITS_RUN = Format(
    name="hits",
    title="answers of Elasticsearch, OpenSearch or Vespa",
    kind=FileKind.RUN,
    carries=TREC_RUN.carries,
    recognise=_from_module("chunk_runs", "fits_hits"),
    read=FormatFunction("chunk_runs", "read_hits_run"),
    write=FormatFunction("chunk_runs", "write_hits_run"),
    suffix=".json",
)
ANSWERS = Format(
    name="answers",
    title="answers with citations (TREC RAG, RAGTIME, DRAGUN, BioGen, iKAT, ALCE, models)",
    kind=FileKind.RUN,
    carries=frozenset({Feature.WHOLE}),
    recognise=_from_module("answer_files", "fits_answers"),
    read=FormatFunction("answer_files", "read_answer_run", ("collection", "progress")),
    write=FormatFunction("answer_files", "write_answer_run"),
    suffix=".jsonl",
)
POOL_LIST = _pools(
    name="pool-list",
    title="pool as a plain list of topics and documents",
    carries=frozenset({Feature.DOCUMENTS}),
    recognise=_pool_list,
    write=FormatFunction("topic_files", "write_pool_list"),
)
GOLD_PASSAGES = Format(
    name="genomics-gold",
    title="gold passages (TREC Genomics 2006–2007), offsets as the file counts them",
    kind=FileKind.QRELS,
    carries=frozenset({Feature.PASSAGES, Feature.ASPECTS}),
    recognise=_gold_passages,
    read=FormatFunction("passage_lines", "read_gold_passages"),
    write=FormatFunction("passage_lines", "write_gold_passages"),
)
DIVERSITY_QRELS = Format(
    name="diversity-qrels",
    title="TREC qrels of subtopics (ndeval)",
    kind=FileKind.QRELS,
    carries=TREC_QRELS.carries | {Feature.ASPECTS},
    # its lines are those of TREC qrels: only the preset or the name distinguishes it
    recognise=lambda beginning: 0,
    read=FormatFunction("trec", "read_diversity_qrels"),
    write=FormatFunction("trec", "write_diversity_qrels"),
)
GENOMICS_RUN = Format(
    name="genomics-run",
    title="run of passages (TREC Genomics 2006–2007), offsets as the file counts them",
    kind=FileKind.RUN,
    carries=frozenset({Feature.OFFSETS, Feature.REPEATS, Feature.SCORES}),
    recognise=lambda beginning: 0,
    read=FormatFunction("passage_lines", "read_genomics_run"),
    write=FormatFunction("passage_lines", "write_genomics_run"),
)
TOPIC_LINES = _topics(
    name="topics-tab",
    title="topics in lines of id, tab and title",  # and in JSON lines, as BEIR has its queries
    carries=frozenset({Feature.TEXTS}),
    recognise=_topic_lines,
    write=FormatFunction("topic_files", "write_topic_lines"),
)
GRADED_QRELS = (TREC_QRELS, BEIR_QRELS, NAMED_QRELS)
RUNS_BY_SCORE = (TREC_RUN, NAMED_RUN)
COLUMN_FORMATS = (
    FOL_QRELS, TREC_QRELS, BEIR_QRELS, HARD_QRELS, GOLD_PASSAGES, DIVERSITY_QRELS, FOL_RUN, FOL_ELEMENTS,
    TREC_RUN, HARD_RUN, GENOMICS_RUN, TOPIC_LINES, POOL_LIST,
)  # fmt: skip
"""Formats in which no id can hold a blank."""
JSON_FORMATS = (ANSWERS, HITS_RUN, CHUNK_RUN, JSONL, NAMED_QRELS, NAMED_RUN, TOPIC_LINES)
TEXT_FORMATS = (
    FOL_QRELS, TREC_QRELS, BEIR_QRELS, HARD_QRELS, JSONL, NAMED_QRELS, GOLD_PASSAGES, DIVERSITY_QRELS,
    FOL_RUN, FOL_ELEMENTS, TREC_RUN, HARD_RUN, GENOMICS_RUN, NAMED_RUN, CHUNK_RUN, HITS_RUN, ANSWERS,
    TOPIC_LINES, POOL_LIST,
)  # fmt: skip


# XML: tags distinguish the formats, whatever the file's root is.
#
# Assessments whose elements have `E` are of 2005, and so are those of elements without signs of a later year
# (a version, passages, white-space nodes).

_SURE_TAGS, _LIKELY = 2.0, 1.0


def _submission(beginning: Beginning) -> float:
    if beginning.first("inex-submission", "efficiency-submission"):
        return _SURE_TAGS
    topic = beginning.first("topic")
    return _LIKELY if topic is not None and "topic-id" in topic.attributes else 0


def _year(beginning: Beginning) -> int:
    """Return whether assessments have the form of 2003, 2005 or 2007; 0 for other files."""
    assessments = beginning.first("assessments")
    if assessments is None:
        return 0
    judged, element = beginning.first("path", "element"), beginning.first("element")
    grades = {"exhaustiveness", "specificity", "relevance", "coverage"}
    if judged is not None and not grades.isdisjoint(judged.attributes):
        return 2003
    if element is not None:
        return 2005 if "E" in element.attributes else 2007
    later = {"version", "whitespace-text-node"} & set(assessments.attributes)
    return 2007 if later or beginning.first("passage", "best-entry-point") else 2005


def _topics_of_2007(beginning: Beginning) -> float:
    return _SURE_TAGS if not beginning.first("assessments") and beginning.first("inex_topic") else 0


def _topics_of_2009(beginning: Beginning) -> float:
    if beginning.first("assessments", "inex-submission"):
        return 0
    if beginning.first("inex-topic-file", "inex-topic"):
        return _SURE_TAGS
    topic = beginning.first("topic")
    return _LIKELY if topic is not None and "topic-id" not in topic.attributes else 0


def _topics_of_others(beginning: Beginning) -> float:
    """Recognise topics of TREC, and of tools that name ids and queries differently from INEX."""
    if beginning.first("inex-submission", "efficiency-submission", "assessments", "inex_topic", "pool"):
        return 0
    if beginning.first("top"):
        return _SURE_TAGS
    topic = beginning.first("topic")
    if topic is not None:
        return _SURE_TAGS if {"number", "num", "qid"} & set(topic.attributes) else 0
    query = beginning.first("query")
    within = query is not None and beginning.root in ("queries", "parameters", "query")
    return _LIKELY if within or (query is not None and {"id", "qid", "number"} & set(query.attributes)) else 0


def _pool(beginning: Beginning) -> float:
    pool = beginning.first("pool")
    return _SURE_TAGS if (pool is not None and "topic" in pool.attributes) or beginning.root == "pools" else 0


_ELEMENTS = frozenset(
    {Feature.ELEMENTS, Feature.NOT_RELEVANT, Feature.STATEMENTS, Feature.FRAMES, Feature.LENGTHS}
)
_TEXTS = frozenset({Feature.TEXTS, Feature.LONG_TEXTS, Feature.FURTHER_TEXTS})

SUBMISSION = Format(
    name="submission",
    title="submission XML (INEX 2003–2008)",
    kind=FileKind.SUBMISSION,
    carries=_NAMED
    | {Feature.OFFSETS, Feature.REPEATS, Feature.SCORES, Feature.TASK, Feature.EMPTY_TOPICS, Feature.ABOUT},
    recognise=_submission,
    read=FormatFunction("submission_xml", "read_submission_content"),
    write=FormatFunction("submission_xml", "write_submission"),
    suffix=".xml",
)
_assessments = partial(
    Format,
    kind=FileKind.ASSESSMENTS,
    read=FormatFunction("assessment_xml", "read_assessed"),
    suffix=".xml",
    folder=True,
)
ASSESSMENTS_2007 = _assessments(
    name="assessments-2007",
    title="assessment XML (INEX 2006–2007)",
    carries=_ELEMENTS | {Feature.PASSAGES, Feature.ENTRY_POINTS},
    recognise=lambda beginning: {2007: _SURE_TAGS, 2005: _LIKELY}.get(_year(beginning), 0),
    write=FormatFunction("assessment_xml", "write_assessments"),
)
ASSESSMENTS_2005 = _assessments(
    name="assessments-2005",
    title="assessment XML of elements (INEX 2005, IEEE)",
    carries=_ELEMENTS,
    recognise=lambda beginning: {2007: _LIKELY, 2005: _SURE_TAGS}.get(_year(beginning), 0),
    write=FormatFunction("assessment_xml", "write_ieee_assessments"),
)
ASSESSMENTS_2003 = _assessments(
    name="assessments-2003",
    title="assessment XML of elements with two grades (INEX 2002–2004)",
    carries=_ELEMENTS,
    recognise=lambda beginning: _SURE_TAGS if _year(beginning) == 2003 else 0,
    write=FormatFunction("assessment_xml", "write_graded_assessments"),
)
TOPICS_2007 = _topics(
    name="topics-2007",
    title="topics (INEX 2003–2007)",
    carries=_TEXTS,
    recognise=_topics_of_2007,
    write=FormatFunction("topic_files", "write_old_topics"),
    suffix=".xml",
    folder=True,
)
TOPICS_2009 = _topics(
    name="topics-2009",
    title="topics (INEX 2008–2010)",
    carries=_TEXTS,
    recognise=_topics_of_2009,
    write=FormatFunction("topic_files", "write_topics"),
    suffix=".xml",
    folder=True,
)
TOPICS_TREC = _topics(
    name="topics-trec",
    title="topics (TREC in SGML or XML, Indri)",
    carries=frozenset({Feature.TEXTS, Feature.LONG_TEXTS}),
    recognise=_topics_of_others,
    write=FormatFunction("topic_files", "write_trec_topics"),
    suffix=".sgml",
)
POOL = _pools(
    name="pool",
    title="pool XML",
    carries=frozenset({Feature.DOCUMENTS, Feature.POOLED_PLACES}),
    recognise=_pool,
    write=FormatFunction("topic_files", "write_pool_xml"),
    suffix=".xml",
)
XML_FORMATS = (
    SUBMISSION, ASSESSMENTS_2007, ASSESSMENTS_2005, ASSESSMENTS_2003, TOPICS_2007, TOPICS_2009, TOPICS_TREC,
    POOL,
)  # fmt: skip


_FORMATS = (*TEXT_FORMATS, *XML_FORMATS)


# Benchmarks and files of annotation tools hold judgements and topics, and many hold the texts too.


def _bundle_formats(form: BundleForm) -> tuple[Format, Format]:
    carries = {Feature.PASSAGES, Feature.LENGTHS, Feature.QUOTES}
    carries |= {Feature.NOT_RELEVANT} if form.empty else set()
    judged = Format(
        name=form.name,
        title=form.title,
        kind=FileKind.QRELS,
        carries=frozenset(carries | ({Feature.PASSAGE_GRADES, Feature.SIGNED} if form.labels else set())),
        recognise=lambda _beginning: 0,
        read=FormatFunction("bundle_files", "read_bundle_qrels", ("collection", "progress"), form=form.name),
        write=FormatFunction(
            "bundle_files", "write_bundle", ("collection", "template", "progress"), form=form.name
        ),
        suffix=form.suffix,
    )
    asked = Format(
        name=f"{form.name}-questions",
        title=f"questions of {form.title}",
        kind=FileKind.TOPICS,
        carries=frozenset({Feature.TEXTS}),
        recognise=lambda _beginning: 0,
        read=FormatFunction("bundle_files", "read_bundle_topics", form=form.name),
        write=FormatFunction("topic_files", "write_topic_lines"),
        suffix=".tsv",
    )
    return judged, asked


BUNDLES = {form.name: _bundle_formats(form) for form in FORMS}
"""The formats for the judgements and for the questions of each form with several contents."""
BUNDLE_QRELS = tuple(judged for judged, _ in BUNDLES.values())


def bundle_format(path: Path, *kinds: FileKind) -> Format | None:
    """Return the format of a benchmark or tool's file for one of the kinds; None for other files.

    Raises DataError if it cannot be read.
    """
    form = find(path)
    if form is None:
        return None
    return next((format for format in BUNDLES[form.name] if not kinds or format.kind in kinds), None)


@cache
def added_formats() -> tuple[Format, ...]:
    """Return the formats that other packages add, by entry points of the group ``inexview.formats``."""
    return added("inexview.formats", Format)


def formats(*kinds: FileKind) -> tuple[Format, ...]:
    listed = (*_FORMATS, *added_formats())
    return tuple(format for format in listed if not kinds or format.kind in kinds)


def names_of(*kinds: FileKind) -> list[str]:
    bundles = [format for pair in BUNDLES.values() for format in pair if not kinds or format.kind in kinds]
    return [format.name for format in (*formats(*kinds), *bundles)]


def named_in_words(*kinds: FileKind) -> str:
    """Return the names of formats for a help text; those of other packages with their package."""
    packages = {format.name: package_of(format) for format in added_formats()}
    names = names_of(*kinds)
    return ", ".join(f"{name} (of {packages[name]})" if packages.get(name) else name for name in names)


def format_named(name: str) -> Format:
    """Return the format of this name; raises DataError, which lists all names, if there is none."""
    bundles = (format for pair in BUNDLES.values() for format in pair)
    named = next((format for format in (*formats(), *bundles) if format.name == name), None)
    if named is None:
        raise DataError(f"is not a format; there are {listed(formats())}", field="format", value=name)
    return named


def listed(listed: tuple[Format, ...]) -> str:
    """Return the names of formats for a message."""
    return ", ".join(format.name for format in listed)
