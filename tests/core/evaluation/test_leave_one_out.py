"""What a part costs is what a full evaluation without that part says, for every measure and every part."""

import random
from dataclasses import replace

import numpy as np
import pytest

from inexview import InexviewError, Run, Task
from inexview.core.evaluation.evaluate import ScoringSettings
from inexview.core.evaluation.leave_one_out import leave_out_of_run, leave_out_of_topic
from tests.core.scored_cases import MEASURES, measures_of, scored
from tests.core.strategies import DOCUMENTS, LENGTH, TOPICS, qrels_of, run_of, together

CASES = 504


def random_cases(task, count):
    """Yield judged documents, rankings that keep the rules of a task, and settings."""
    random.seed(f"{random.random()} {task}")  # pytest-randomly gives every test the same beginning
    for _ in range(count):
        judged = {topic: random_judgements() for topic in random.sample(TOPICS, random.randint(1, 2))}
        topics = random.sample(list(judged), random.randint(1, len(judged)))
        changes = {"beta": random.choice([0.25, 1.0]), **random.choice([{"a": 0.1}, {"n": 12}])}
        settings = {"changes": changes, "complete": random.random() < 0.5, "overlap": "allow"}
        yield judged, {topic: random_ranking(task) for topic in topics}, settings


def random_judgements():
    judged = {}
    for document in random.sample(DOCUMENTS, random.randint(1, len(DOCUMENTS))):
        starts = random.sample(range(LENGTH), random.randint(0, 3))
        marked = {at for start in starts for at in range(start, min(start + random.randint(1, 12), LENGTH))}
        bep = random.randrange(LENGTH + 1) if marked and random.random() < 0.7 else None
        judged[document] = (len(marked), LENGTH, bep, marked)
    return judged


def random_ranking(task):
    documents = random.choices(DOCUMENTS + "xyz", k=random.randint(1, 5))
    if task is Task.BEST_IN_CONTEXT:
        documents = dict.fromkeys(documents)
    starts = [None, *range(LENGTH + 6)]
    ranking = [(document, random.choice(starts), random.randint(0, 15)) for document in documents]
    return together(ranking) if task in (Task.RELEVANT_IN_CONTEXT, Task.FETCH_BROWSE) else ranking


class FullEvaluation:
    """Judgements and settings by which any rankings are scored from the beginning, the same ones once."""

    def __init__(self, task, judged, given):
        self.task, self.qrels, self.given = task, qrels_of(judged), given
        self.seen = {}

    def scored(self, ranked, *, complete=None):
        complete = self.given["complete"] if complete is None else complete
        key = complete, *((topic, *ranking) for topic, ranking in ranked.items())
        if key not in self.seen:
            self.seen[key] = scored(
                self.qrels, run_of(ranked), self.task, {**self.given, "complete": complete}
            )
        return self.seen[key]

    def without(self, ranked, topic, rest):
        """Return the values of a topic of which only the ``rest`` is left, and the means."""
        others = {own: ranking for own, ranking in ranked.items() if own != topic}
        left = {own: rest if own == topic else ranking for own, ranking in ranked.items()} if rest else others
        full = self.scored(left)
        # With nothing left the topic scores as one that --complete counts.
        own = full if topic in full.topics else self.scored(others, complete=True)
        return [*own.topic(topic).values()], [*full.mean.values()]


@pytest.mark.parametrize("task", MEASURES)
def test_leaving_out_is_evaluating_without(task):
    for judged, ranked, given_settings in random_cases(task, CASES // len(MEASURES)):
        check_parts(task, judged, ranked, given_settings)


def check_parts(task, judged, ranked, given_settings):
    full = FullEvaluation(task, judged, given_settings)
    whole = full.scored(ranked)
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    left = leave_out_of_run(full.qrels, run_of(ranked), own)
    assert np.abs(left.means - [*whole.mean.values()]).max() <= 1e-12
    for at, topic in enumerate(whole.topics):
        told, ranking = left.topics[at], ranked.get(topic, [])
        assert told.values.tolist() == whole.values[:, at].tolist()
        documents = list(dict.fromkeys(document for document, _, _ in ranking))
        assert told.documents == tuple(documents)
        rests = [[result for result in ranking if result[0] != document] for document in documents]
        check(full, ranked, topic, rests, told.without_document, left.mean_without(at))
        rests = [ranking[:place] + ranking[place + 1 :] for place in range(len(ranking))]
        check(full, ranked, topic, rests, told.without_result, left.mean_without(at, results=True))


def check(full, ranked, topic, rests, values, means):
    for place, rest in enumerate(rests):
        expected, mean = full.without(ranked, topic, rest)
        assert np.abs(values[:, place] - expected).max() <= 1e-12
        assert np.abs(means[:, place] - mean).max() <= 1e-12


@pytest.mark.parametrize("task", MEASURES)
def test_leaving_out_a_topic_is_evaluating_the_other_topics(task):
    for judged, ranked, given_settings in random_cases(task, 10):
        check_topics(task, judged, ranked, given_settings)


def check_topics(task, judged, ranked, given_settings):
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    left = leave_out_of_run(qrels_of(judged), run_of(ranked), own)
    for at, topic in enumerate(told.topic for told in left.topics):
        kept = {name: documents for name, documents in judged.items() if name != topic}
        if kept:
            rest = FullEvaluation(task, kept, given_settings).scored(ranked).mean
            assert left.without_topic[:, at].tolist() == pytest.approx(list(rest.values()), abs=1e-12)
        else:
            assert not left.without_topic[:, at].any()


JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set()), "c": (2, 80, 0, {0, 1})}


def test_a_topic_alone_says_what_the_whole_run_says_of_it():
    qrels = qrels_of({"1": JUDGED, "2": JUDGED})
    run = run_of({"2": [("b", 0, 9), ("a", 0, 20), ("c", 1, 1)], "1": [("a", 12, 20)]})
    own = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    alone, whole = leave_out_of_topic(qrels, run, own, "2"), leave_out_of_run(qrels, run, own).topics[1]
    assert (alone.topic, alone.documents) == ("2", ("b", "a", "c")) == (whole.topic, whole.documents)
    assert np.array_equal(alone.without_document, whole.without_document)
    assert np.array_equal(alone.without_result, whole.without_result)
    agp = alone.of("AgP")
    assert alone.without_document[agp, 0] > alone.values[agp] > alone.without_document[agp, 1]
    assert run.document[int(alone.source[1])] == "a"
    with pytest.raises(KeyError):
        alone.of("iP[0.01]")


def test_a_topic_that_is_not_scored_is_refused():
    run = run_of({"1": [("a", 0, 5)]})
    with pytest.raises(InexviewError, match="topic 9 is not scored"):
        leave_out_of_topic(qrels_of({"1": JUDGED}), run, ScoringSettings(task=Task.FOCUSED), "9")


def test_a_run_without_judged_topics_has_nothing_to_leave_out():
    run = replace(run_of({"7": [("a", 0, 5)]}), id="elsewhere")
    left = leave_out_of_run(qrels_of({"1": JUDGED}), run, ScoringSettings(task=Task.FOCUSED))
    assert isinstance(run, Run)
    assert left.topics == ()
    assert left.without_topic.shape == (len(left.names), 0)
