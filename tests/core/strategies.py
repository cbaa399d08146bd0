"""Small random qrels and runs for hypothesis, in the oracle's words and in the program's."""

from hypothesis import strategies as st

from inexview import Judgement, Qrels, Result, Run, Spans

LENGTH = 40
DOCUMENTS = "abcdef"
TOPICS = ("1", "2", "3")

_SPANS = st.lists(st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 12)), max_size=3)


@st.composite
def judged_documents(draw):
    """document -> (rsize, length, bep, characters), some relevant and some not."""
    judged = {}
    for document in draw(st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=1)):
        spans = draw(_SPANS)
        marked = {at for start, size in spans for at in range(start, min(start + size, LENGTH))}
        bep = draw(st.none() | st.integers(0, LENGTH)) if marked else None
        judged[document] = (len(marked), LENGTH, bep, marked)
    return judged


@st.composite
def rankings(draw, *, repeats=True):
    """(document, start, size) in rank order; start None is an unknown passage, size 0 an empty one."""
    passage = st.tuples(
        st.sampled_from(DOCUMENTS + "xyz"), st.none() | st.integers(0, LENGTH + 5), st.integers(0, 15)
    )
    unique = None if repeats else lambda result: result[0]
    return draw(st.lists(passage, min_size=1, max_size=12, unique_by=unique))


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
