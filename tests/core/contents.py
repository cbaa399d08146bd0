"""Random content for every format, small articles to hold it, and a sample file of each format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from inexview.core.judgements.elements import (
    GRADED,
    AssessedDocument,
    AssessedPassage,
    AssessedTopic,
    Assessments,
    ElementJudgement,
)
from inexview.core.judgements.qrels import AspectQrels, GoldPassage, Judgement, Pool, PooledDocument, Qrels
from inexview.core.judgements.runs import NO_LENGTH, UNKNOWN, Result, Run, Submission, Submitted, Task
from inexview.core.judgements.topics import Topic, Topics
from inexview.core.text.spans import Spans

ARTICLES = {
    "12": "<article><name>Otters</name><body><p>Otters  swim,\nand <b>hold</b> hands.</p>"
    "<p>They sleep.</p></body></article>",
    "naïve": "<article><name>Überraschung</name><body> <p>日本語 and 🦦🦦 – ½ naïve</p> </body></article>",
    "co/2000/r7108": "<article><fm><atl>Tea</atl></fm><bdy><sec>Green</sec><sec>Black</sec></bdy></article>",
}
TEXTS = {
    "12": "OttersOtters  swim,\nand hold hands.They sleep.",
    "naïve": "Überraschung 日本語 and 🦦🦦 – ½ naïve ",
    "co/2000/r7108": "TeaGreenBlack",
}


def write_articles(folder: Path) -> Path:
    """Write the articles as a collection and return its folder."""
    for name, text in ARTICLES.items():
        file = folder / "articles" / f"{name}.xml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder / "articles"


SAMPLES = {
    "fol-qrels": "2009001 Q0 1528075 49158 58542 126 126:28761 28893:20397\n2009001 Q0 7 0 90\n",
    "trec-qrels": "1 0 a 30\n1 0 b 0\n",
    "beir-qrels": "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n",
    "hard-qrels": "1 12 0 6\n1 12 14 4\n2 naïve 0 0\n",
    "fol-run": "2009001 Q0 1528075 1 0.93 run-7 126 28761\n2009001 Q0 9 2 0.5 run-7 X X\n",
    "fol-elements": "202 Q0 co/1 1 0.5 R1 /article[1]/bdy[1]/sec[3]\n202 Q0 co/1 2 0.4 R1 /article[1]\n",
    "trec-run": "1 Q0 a 1 3.5 r\n1 Q0 b 2 2.5 r\n",
    "hard-run": "1 Q0 naïve 1 0.5 r 0 13\n1 Q0 12 2 0.4 r 0 6\n",
    "json-qrels": '{"query_id": "1", "doc_id": "a b", "relevance": 3}\n'
    '{"query_id": "1", "doc_id": "c", "relevance": 0}\n',
    "json-run": '{"query_id": "1", "doc_id": "a b", "rank": 1, "score": 3.5, "run_id": "r"}\n'
    '{"query_id": "1", "doc_id": "c", "rank": 2, "score": 2.5, "run_id": "r"}\n',
    "chunks": '{"query_id": "1", "document": "a b", "text": "", "start_index": 3, "end_index": 9}\n'
    '{"query_id": "1", "document": "c", "text": "", "start_index": 0, "end_index": 4,'
    ' "run": "r"}\n',
    "hits": '{"query_id": "1", "run_id": "r", '
    '"hits": {"hits": [{"_id": "a b", "_score": 3}, {"_id": "c", "_score": 2}]}}\n',
    "answers": '{"run_id": "r", "topic_id": "1", "references": ["a b", "c"],'
    ' "answer": [{"text": "x", "citations": [0, 1]}]}\n',
    "pool-list": "2009001 12\n2009001 17\n",
    "submission": """<inex-submission run-id="R" task="Focused" participant-id="19"
 query="automatic" result-type="element">
  <topic-fields title="yes" castitle="no" description="no" narrative="no"/>
  <description>a &amp; b</description>
  <collections><collection>wikipedia</collection></collections>
  <topic topic-id="414">
    <result><file>12345</file><path>/article[1]/body[1]/p[3]</path><rank>1</rank><rsv>0.5</rsv></result>
    <result><file>12</file><rank>2</rank>
      <passage start="/article[1]/p[1]/text()[1].3" end="/article[1]/p[2]"/></result>
    <result><file>12</file><fol offset="0" length="90"/><rank>3</rank></result>
  </topic>
</inex-submission>
""",
    "assessments-2007": """<assessments pool="7" topic="414" version="2" whitespace-text-node="strip">
  <file collection="wikipedia" name="12">
    <best-entry-point path="/article[1]/body[1]/p[1]"/>
    <passage start="/article[1]/body[1]/p[1]/text()[1].0" end="/article[1]/body[1]/p[1]" size="28"/>
    <element path="/article[1]/body[1]/p[1]" exhaustivity="2" size="28" rsize="28"/>
  </file>
  <file collection="wikipedia" name="naïve"/>
</assessments>
""",
    "assessments-2005": """<assessments pool="42" topic="202">
  <file collection="ieee" name="co/2000/r7108">
    <element path="/article[1]" E="1" size="13,556" rsize="5,494"/>
    <element path="/article[1]/bdy[1]" E="?" size="1,000,000" rsize="17"/>
  </file>
  <file collection="ieee" name="co/2001/r1000"/>
</assessments>
""",
    "topics-2007": """<inex_topic topic_id="414" query_type="CAS" ct_no="3">
<InitialTopicStatement>hip hop</InitialTopicStatement>
<title>hip hop beat</title><castitle>//*[about(., hip hop) and .//@y &lt; 3]</castitle>
<description>café</description><narrative>First.

Second.</narrative><keywords>rap</keywords></inex_topic>
""",
    "topics-2009": """<!DOCTYPE inex-topic-file [
<!ENTITY lt "lessthan"><!ENTITY gt "greaterthan"><!ENTITY amp "ampersand">
]>
<inex-topic-file>
<topic id="2009001" ct_no="186"><title>Nobel prize</title><castitle>//a[b &lt; c]</castitle>
<phrasetitle>"Nobel prize"</phrasetitle><description>d &amp; e</description><narrative> n </narrative></topic>
<topic id="2009002" ct_no="187"><title>best movie</title></topic>
</inex-topic-file>
""",
    "pool": """<pool topic="7"><file file="12345"><path path="/article[1]"/>
<passage start="/article[1]/p[1]" end="/article[1]/p[2]"/></file><file file="9"/></pool>
""",
    "assessments-2003": """<assessments pool="42" topic="61">
  <file file="co/2000/r7108">
    <path path="/article[1]" exhaustiveness="2" specificity="1"/>
    <path path="/article[1]/bdy[1]/sec[2]" exhaustiveness="3" specificity="3"/>
  </file>
  <file file="co/2001/r1000"/>
</assessments>
""",
    "diversity-qrels": "1 1 d1 1\n1 2 d1 1\n1 1 d2 0\n2 1 d1 1\n",
    "genomics-gold": "200\t12\t5\t10\tGENE|cell\n200\t12\t40\t3\tcell\n201\t9\t0\t7\tGENE\n",
    "genomics-run": "200 12 1 5.5 5 10 run-7\n200 9 2 4 0 7 run-7\n",
    "topics-trec": """<top>
<num> Number: 301
<title> International Organized Crime
<desc> Description:
Identify organizations &amp; persons.
<narr> Narrative:
A relevant document must, as a minimum, name one.

Not all do.
</top>
""",
    "topics-tab": "301\tInternational Organized Crime\n302\tPoliomyelitis\n",
    "jsonl": '{"topic": "7", "document": "12", "relevant": true, "length": 900, "rsize": 20, "bep": 4, '
    '"passages": [{"start": 4, "end": 24}], "finished": true}\n',
}
"""A file of each format, as formats.md describes them; hard-run is told by its name only."""

# What a column of text holds: anything but blanks; ids are UTF-8, and some have slashes, dots and hyphens.
COLUMN = st.text(
    st.characters(
        codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp", "Cn"], exclude_characters="\ufeff"
    ),
    min_size=1,
    max_size=12,
).filter(lambda name: not name.endswith(".xml") and not name.startswith("#")) | st.sampled_from(
    [
        "co/2000/r7108",
        "a.b",
        "-1",
        "0",
        "X",
        "Q0",
        "12:3",
        "/x",
        "{",
        "日本語",
        "a.xml.zip",
        "&amp;",
        "<b>",
        '"',
        "'",
    ]
)
HUGE = st.integers(0, 10**11)
SCORE = st.floats(allow_nan=False, allow_infinity=False)


def _spans(largest: int) -> st.SearchStrategy[Spans]:
    pairs = st.tuples(st.integers(0, largest), st.integers(0, largest)).map(sorted)
    return st.lists(pairs, max_size=3).map(lambda listed: Spans((a, b) for a, b in listed if a < b))


@st.composite
def fol_qrels(draw):
    judged = {}
    for topic, document in draw(st.lists(st.tuples(COLUMN, COLUMN), min_size=1, max_size=6, unique=True)):
        passages = draw(_spans(10**11))
        bep = draw(HUGE) if passages else draw(st.none() | HUGE)
        judged[topic, document] = Judgement(topic, document, draw(HUGE), draw(HUGE), bep, passages)
    return Qrels.from_judgements(judged.values())


@st.composite
def trec_qrels(draw):
    pairs = draw(st.lists(st.tuples(COLUMN, COLUMN), min_size=1, max_size=6, unique=True))
    return Qrels.from_judgements(Judgement(t, d, draw(HUGE), 0, None, Spans()) for t, d in pairs)


@st.composite
def hard_qrels(draw):
    """Judgements of the articles, without best entry points."""
    judged = []
    pairs = st.tuples(COLUMN, st.sampled_from(list(TEXTS)))
    for topic, document in draw(st.lists(pairs, min_size=1, max_size=6, unique=True)):
        passages = draw(_spans(len(TEXTS[document])))
        judged.append(Judgement(topic, document, passages.size, len(TEXTS[document]), None, passages))
    return Qrels.from_judgements(judged)


def json_qrels():
    """Judgements that fit their documents, as JSON lines insist."""
    return hard_qrels().map(
        lambda qrels: Qrels.from_judgements(
            replace(judgement, bep=judgement.passages.starts.tolist()[0] if judgement.passages else None)
            for judgement in qrels
        )
    )


@st.composite
def runs(draw, documents=COLUMN, place=None):
    """A run with scores; ``place`` draws (start, end) for a document."""
    listed = []
    for topic in draw(st.lists(COLUMN, unique=True, min_size=1, max_size=4)):
        for rank in range(1, draw(st.integers(1, 5)) + 1):
            document = draw(documents)
            span = draw(place(document) if place else st.tuples(HUGE, HUGE).map(sorted))
            listed.append(Result(topic, document, rank, draw(SCORE), *span))
    return Run.from_results(listed, id=draw(COLUMN))


UNKNOWN_SPAN = st.just((UNKNOWN, UNKNOWN))


def _fol_place(document):
    return st.tuples(HUGE, HUGE).map(sorted) | UNKNOWN_SPAN


def _hard_place(document):
    length = len(TEXTS[document])
    return st.tuples(st.integers(0, length), st.integers(0, length)).map(sorted) | UNKNOWN_SPAN


@st.composite
def trec_runs(draw):
    """Whole documents, each once in a topic, with scores that fall."""
    listed = []
    for topic in draw(st.lists(COLUMN, unique=True, min_size=1, max_size=4)):
        documents = draw(st.lists(COLUMN, unique=True, min_size=1, max_size=5))
        listed += [Result(topic, name, rank, -float(rank), 0, 0) for rank, name in enumerate(documents, 1)]
    run = Run.from_results(listed, id=draw(COLUMN), task=Task.DOCUMENTS)
    run.size[:] = NO_LENGTH
    return run


# What XML holds: anything, blanks within too, but none at the ends, where readers take them off.
WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"], exclude_characters="\ufffe\uffff"),
    max_size=12,
).map(lambda text: " ".join(text.split()))
NAME = WORDS.filter(bool)
STEP = st.tuples(st.sampled_from(["sec", "p", "it", "ss1", "naïf", "a-b.c"]), st.integers(1, 30)).map(
    lambda step: f"/{step[0]}[{step[1]}]"
)
PATH = st.lists(STEP, max_size=5).map(lambda steps: "/article[1]" + "".join(steps))
POINT = PATH | st.tuples(PATH, st.integers(1, 9), st.integers(0, 999)).map(
    lambda p: f"{p[0]}/text()[{p[1]}].{p[2]}"
)


@st.composite
def _assessed(draw, passages):
    elements = st.builds(ElementJudgement, PATH, st.integers(0, 2), HUGE, st.integers(0, 10**6))
    listed = draw(st.lists(elements, max_size=4, unique_by=lambda element: element.path))
    marked = draw(st.lists(st.builds(AssessedPassage, POINT, POINT, HUGE), max_size=3)) if passages else []
    return AssessedDocument(
        name=draw(NAME),
        collection=draw(WORDS),
        entry=draw(st.none() | POINT) if passages else None,
        passages=tuple(marked),
        elements=tuple(listed),
    )


@st.composite
def assessments(draw, passages=True):
    topics = []
    for topic in draw(st.lists(NAME, unique=True, min_size=1, max_size=4)):
        documents = st.lists(_assessed(passages), min_size=1, max_size=4, unique_by=lambda one: one.name)
        statement = draw(st.none() | TOPIC)
        topics.append(
            AssessedTopic(
                topic=topic,
                documents=tuple(draw(documents)),
                pool=draw(WORDS),
                version=draw(WORDS) if passages else "",
                strip=draw(st.booleans()) if passages else False,
                statement=statement,
            )
        )
    return Assessments(tuple(topics))


TAG = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_.-]{0,8}", fullmatch=True)
OTHER = TAG | st.sampled_from(["title", "InitialTopicStatement", "parent", "keywords"])
TOPIC = st.builds(
    Topic,
    id=NAME.map(lambda name: name.replace(" ", "")).filter(bool),
    title=WORDS,
    castitle=WORDS,
    phrasetitle=WORDS,
    description=WORDS,
    narrative=st.lists(NAME, max_size=3).map("\n\n".join),
    keywords=WORDS,
    query_type=WORDS,
    ct_no=WORDS,
    others=st.lists(st.tuples(OTHER, NAME), max_size=3).map(tuple),
)
TOPICS = st.lists(TOPIC, min_size=1, max_size=5, unique_by=lambda topic: topic.id).map(
    lambda listed: Topics(tuple(listed))
)


@st.composite
def submissions(draw):
    score = st.none() | SCORE
    result = st.one_of(
        st.tuples(COLUMN, PATH, score).map(lambda one: Submitted(one[0], one[1], score=one[2])),
        st.tuples(COLUMN, POINT, POINT, score).map(
            lambda one: Submitted(one[0], one[1], "" if one[1] == one[2] else one[2], score=one[3])
        ),
        st.tuples(COLUMN, HUGE, HUGE, score).map(
            lambda one: Submitted(one[0], offset=one[1], length=one[2], score=one[3])
        ),
    )
    topics = st.dictionaries(NAME, st.lists(result, max_size=5).map(tuple), min_size=1, max_size=4)
    attribute = TAG.filter(lambda name: name not in ("task", "run-id") and not name.lower().startswith("xml"))
    pairs = st.dictionaries(attribute, WORDS, max_size=3).map(lambda found: tuple(found.items()))
    return Submission(
        topics=draw(topics),
        run_id=draw(WORDS),
        task=draw(WORDS),
        attributes=draw(pairs),
        fields=draw(pairs),
        description=draw(WORDS),
        collections=tuple(draw(st.lists(WORDS, max_size=2))),
    )


@st.composite
def element_lines(draw):
    result = st.tuples(COLUMN, PATH, SCORE).map(lambda one: Submitted(one[0], one[1], score=one[2]))
    topics = st.dictionaries(
        COLUMN, st.lists(result, min_size=1, max_size=5).map(tuple), min_size=1, max_size=4
    )
    return Submission(topics=draw(topics), run_id=draw(COLUMN))


def pools(name, places=True):
    pooled = st.builds(
        PooledDocument,
        name,
        st.lists(PATH, max_size=2 if places else 0).map(tuple),
        st.lists(st.tuples(POINT, POINT), max_size=2 if places else 0).map(tuple),
    )
    listed = st.lists(pooled, min_size=1, max_size=4, unique_by=lambda one: one.document).map(tuple)
    return st.dictionaries(name, listed, min_size=1, max_size=4).map(Pool)


@st.composite
def graded_assessments(draw):
    """Assessments of 2002–04: two grades from 1 to 3 of each element, and no passages."""
    grade = st.integers(1, GRADED)
    element = st.builds(
        lambda path, e, s: ElementJudgement(path, e, GRADED, s, highest=GRADED), PATH, grade, grade
    )
    topics = []
    for topic in draw(st.lists(NAME, unique=True, min_size=1, max_size=4)):
        names = draw(st.lists(NAME, unique=True, min_size=1, max_size=4))
        elements = st.lists(element, max_size=4, unique_by=lambda one: one.path).map(tuple)
        documents = tuple(AssessedDocument(name, draw(WORDS), elements=draw(elements)) for name in names)
        topics.append(AssessedTopic(topic, documents, pool=draw(WORDS), statement=draw(st.none() | TOPIC)))
    return Assessments(tuple(topics))


@st.composite
def gold_passages(draw):
    aspects = st.frozensets(COLUMN.filter(lambda name: "|" not in name), max_size=3)
    passage = st.builds(
        lambda topic, document, start, size, told: GoldPassage(topic, document, start, start + size, told),
        COLUMN, COLUMN, st.integers(0, 10**6), st.integers(1, 10**6), aspects,
    )  # fmt: skip
    return AspectQrels.of_gold(draw(st.lists(passage, min_size=1, max_size=6)))


def genomics_runs():
    return runs(place=lambda document: st.tuples(HUGE, HUGE).map(sorted)).map(
        lambda run: replace(run, task=Task.ASPECTS)
    )


PLAIN_TOPIC = st.builds(
    Topic,
    id=COLUMN.filter(lambda name: not name.startswith("<")),
    title=WORDS,
    description=WORDS,
    narrative=st.lists(NAME, max_size=3).map("\n\n".join),
)


def plain_topics(topic=PLAIN_TOPIC):
    listed = st.lists(topic, min_size=1, max_size=5, unique_by=lambda topic: topic.id)
    return listed.map(lambda listed: Topics(tuple(listed)))


CONTENTS = {
    "fol-qrels": fol_qrels(),
    "trec-qrels": trec_qrels(),
    "beir-qrels": trec_qrels(),
    "diversity-qrels": trec_qrels(),
    "hard-qrels": hard_qrels(),
    "jsonl": json_qrels(),
    "fol-run": runs(place=_fol_place),
    "hard-run": runs(st.sampled_from(list(TEXTS)), _hard_place),
    "trec-run": trec_runs(),
    "fol-elements": element_lines(),
    "json-qrels": trec_qrels(),
    "json-run": trec_runs(),
    "chunks": runs(place=_fol_place).map(lambda run: replace(run, task=Task.CHUNKS)),
    "hits": trec_runs(),
    "answers": trec_runs().map(lambda run: replace(run, score=np.full(len(run), np.nan))),
    "pool-list": pools(COLUMN.filter(lambda name: not name.startswith(("#", "<"))), places=False),
    "pool": pools(NAME),
    "submission": submissions(),
    "assessments-2007": assessments(),
    "assessments-2005": assessments(passages=False),
    "topics-2007": TOPICS,
    "topics-2009": TOPICS,
    "assessments-2003": graded_assessments(),
    "genomics-gold": gold_passages(),
    "genomics-run": genomics_runs(),
    "topics-trec": plain_topics(),
    "topics-tab": plain_topics(PLAIN_TOPIC.map(lambda topic: Topic(topic.id, topic.title))).filter(
        lambda topics: not topics.listed[0].id.startswith(("{", "["))  # which may begin as JSON does
    ),
}
"""What a format carries whole: content that is read back equal when it is written."""
