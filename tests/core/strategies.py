"""Small random qrels and runs for hypothesis, in the oracle's words and in the program's."""

from functools import cache

from hypothesis import strategies as st

from inexview import Judgement, Qrels, Result, Run, Spans

LENGTH = 40
DOCUMENTS = "abcdef"
TOPICS = ("1", "2", "3")

# Made once: a strategy that is made anew for each example takes as long as what is tested.
_SPANS = st.lists(st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 12)), max_size=3)
_NAMES = st.sampled_from(DOCUMENTS)
_PASSAGES = st.tuples(
    st.sampled_from(DOCUMENTS + "xyz"), st.none() | st.integers(0, LENGTH + 5), st.integers(0, 15)
)


def _judged(drawn):
    judged = {}
    for document, (spans, bep) in drawn.items():
        marked = {at for start, size in spans for at in range(start, min(start + size, LENGTH))}
        judged[document] = (len(marked), LENGTH, bep if marked else None, marked)
    return judged


_JUDGED = st.dictionaries(_NAMES, st.tuples(_SPANS, st.none() | st.integers(0, LENGTH)), min_size=1)


@cache
def judged_documents():
    """document -> (rsize, length, bep, characters), some relevant and some not."""
    return _JUDGED.map(_judged)


@cache
def rankings(*, repeats=True):
    """(document, start, size) in rank order; start None is an unknown passage, size 0 an empty one."""
    unique = None if repeats else lambda result: result[0]
    return st.lists(_PASSAGES, min_size=1, max_size=12, unique_by=unique)


def together(ranking):
    """The same results with each document's side by side, where its first one stands."""
    documents = list(dict.fromkeys(document for document, _, _ in ranking))
    return [result for document in documents for result in ranking if result[0] == document]


def qrels_of(topics):
    """Qrels of topic -> judged documents."""
    return Qrels.from_judgements(
        Judgement(topic, document, rsize, length, bep, Spans((at, at + 1) for at in marked))
        for topic, judged in topics.items()
        for document, (rsize, length, bep, marked) in judged.items()
    )


def run_of(topics):
    """A run of topic -> ranking."""
    return Run.from_results(
        Result(topic, document, rank, None, *((-1, -1) if start is None else (start, start + size)))
        for topic, ranking in topics.items()
        for rank, (document, start, size) in enumerate(ranking, 1)
    )
