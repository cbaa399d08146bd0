"""Small runs of every task with judgements and settings: what any way of scoring has to agree on."""

import random

from hypothesis import strategies as st

from inexview import Task, evaluate
from inexview.core.measures.measure import parse
from tests.core.strategies import DOCUMENTS, LENGTH, TOPICS, judged_documents, rankings, together

MEASURES = {
    Task.FOCUSED: (
        "iP[0.00]",
        "iP[0.37]",
        "AiP",
        "AP",
        "P[1]",
        "P[3]",
        "R[2]",
        "charP[9]",
        "CAP",
        "psgRprec",
        "charBpref",
        "charRprec",
        "char_prec",
        "char_rec",
        "char_f1",
        "art_prec",
        "art_rec",
        "art_f1",
    ),
    Task.RELEVANT_IN_CONTEXT: ("gP[1]", "gP[2]", "gP[9]", "gR[1]", "gR[3]", "AgP"),
    Task.BEST_IN_CONTEXT: ("gP[1]", "gP[3]", "gR[2]", "AgP"),
    Task.THOROUGH: ("P@2", "R@3", "AP", "iAP", "iP[0.37]", "AiP", "F@2"),
    Task.CHUNKS: (
        *("char_rec@2", "char_prec@2", "char_f1", "char_iou@3", "chroma_prec", "chroma_iou@2", "lbr_prec@2"),
        *("lbr_rec", "intact", "found[0.50]", "judged", "redundancy@3", "chars@2", "prec_omega", "cuts"),
    ),
    Task.FETCH_BROWSE: ("clusterP@1", "clusterR@2", "clusterF@2"),
    Task.DOCUMENTS: (
        *("AP", "gmAP", "Rprec", "P@2", "nDCG@3", "iprec[0.50]", "ROC", "R@2", "F@2", "AP11", "maxF"),
        *(
            "nDCGspec@3",
            "RR",
            "success@2",
            "RBP",
            "Judged@2",
            "AP@2",
            "RR@2",
            "bpref",
            "infAP",
            "FPR@2",
            "specificity@2",
        ),
    ),
}
_SETTINGS = st.fixed_dictionaries(
    {
        "changes": st.builds(
            lambda beta, form: {"beta": beta, **form},
            st.sampled_from([0.25, 1.0]),
            st.sampled_from([{"a": 0.1}, {"n": 12}]),
        ),
        "complete": st.booleans(),
        "overlap": st.just("allow"),
    }
)
_TASKS = st.sampled_from(list(MEASURES))
_TOPICS = st.lists(st.sampled_from(TOPICS), unique=True, min_size=1, max_size=2)


@st.composite
def cases(draw):
    """A task, judged documents, rankings that keep its rules, and settings."""
    task = draw(_TASKS)
    ranked = rankings(repeats=task is not Task.BEST_IN_CONTEXT)
    judged = {topic: draw(judged_documents()) for topic in draw(_TOPICS)}
    run = {topic: draw(ranked)[:6] for topic in judged}
    if len(run) > 1 and draw(st.booleans()):
        del run[next(iter(run))]
    if task in (Task.RELEVANT_IN_CONTEXT, Task.FETCH_BROWSE):
        run = {topic: together(ranking) for topic, ranking in run.items()}
    return task, judged, run, draw(_SETTINGS)


def measures_of(task):
    return tuple(map(parse, MEASURES[task]))


def scored(qrels, run, task, given):
    """Evaluate a run by such settings."""
    own = {name: value for name, value in given.items() if name != "changes"}
    return evaluate(qrels, run, task=task, measures=MEASURES[task], **own, **given["changes"])[0]


def random_judgements():
    """Draw what is judged of a topic as :func:`judged_documents` does, for many cases in little time."""
    judged = {}
    for document in random.sample(DOCUMENTS, random.randint(1, len(DOCUMENTS))):
        starts = random.sample(range(LENGTH), random.randint(0, 3))
        marked = {at for start in starts for at in range(start, min(start + random.randint(1, 12), LENGTH))}
        bep = random.randrange(LENGTH + 1) if marked and random.random() < 0.7 else None
        judged[document] = (len(marked), LENGTH, bep, marked)
    return judged


def random_ranking(task):
    """Draw a ranking that keeps the rules of a task."""
    documents = random.choices(DOCUMENTS + "xyz", k=random.randint(1, 5))
    if task is Task.BEST_IN_CONTEXT:
        documents = dict.fromkeys(documents)
    starts = [None, *range(LENGTH + 6)]
    ranking = [(document, random.choice(starts), random.randint(0, 15)) for document in documents]
    return together(ranking) if task in (Task.RELEVANT_IN_CONTEXT, Task.FETCH_BROWSE) else ranking
