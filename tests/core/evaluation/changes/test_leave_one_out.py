"""What a part costs is what a full evaluation without that part says, for every measure and every part."""

import random

import numpy as np
import pytest

from inexview import InexviewError, Task
from inexview.core.evaluation.changes.leave_one_out import leave_out_of, means_without
from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.laid_run import lay
from inexview.core.evaluation.scoring_settings import ScoringSettings
from inexview.core.judgements.qrels import AspectQrels, GoldPassage
from inexview.core.measures.measure import family
from inexview.core.measures.presets import PRESETS
from inexview.measures import parse
from tests.core.scored_cases import MEASURES, measures_of, random_judgements, random_ranking, scored
from tests.core.strategies import TOPICS, qrels_of, run_of

CASES = 500  # of each task, and so of each of its measures
FORMS = [{"beta": beta, **form} for beta in (0.25, 1.0) for form in ({"a": 0.1}, {"n": 12})]


def random_cases(task, count):
    """Yield judged documents, rankings that keep the rules of a task, and settings."""
    random.seed(f"{random.random()} {task}")  # pytest-randomly gives every test the same beginning
    for _ in range(count):
        judged = {topic: random_judgements() for topic in random.sample(TOPICS, random.randint(1, 2))}
        topics = random.sample(list(judged), random.randint(1, len(judged)))
        changes = {"beta": random.choice([0.25, 1.0]), **random.choice([{"a": 0.1}, {"n": 12}])}
        settings = {"changes": changes, "complete": random.random() < 0.5, "overlap": "allow"}
        yield judged, {topic: random_ranking(task) for topic in topics}, settings


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
        """Return the values of a topic of which only the ``rest`` is left."""
        others = {own: ranking for own, ranking in ranked.items() if own != topic}
        left = {own: rest if own == topic else ranking for own, ranking in ranked.items()} if rest else others
        full = self.scored(left)
        # With nothing left the topic scores as one that --complete counts.
        own = full if topic in full.topics else self.scored(others, complete=True)
        return [*own.topic(topic).values()]


@pytest.mark.parametrize("task", MEASURES)
def test_leaving_out_is_evaluating_without(task):
    random.seed(f"{random.random()} {task}")
    for changes in FORMS:
        cases = [(random_judgements(), random_ranking(task)) for _ in range(CASES // len(FORMS))]
        check_together(task, cases, {"changes": changes, "complete": True, "overlap": "allow"})


def check_together(task, cases, given_settings):
    """Evaluate what is left of every ranking as a topic of its own, all in one evaluation."""
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    judged, ranked, wanted = {}, {}, {}
    for number, (judgements, ranking) in enumerate(cases):
        told = leave_out_of(lay(qrels_of({"1": judgements}), run_of({"1": ranking}), own), "1")
        documents = tuple(dict.fromkeys(document for document, _, _ in ranking))
        assert told.documents == documents
        rests = [
            ranking,
            *([result for result in ranking if result[0] != document] for document in documents),
            *(ranking[:place] + ranking[place + 1 :] for place in range(len(ranking))),
        ]
        values = np.hstack([told.values[:, None], told.without_document, told.without_result])
        for place, rest in enumerate(rests):
            topic = f"{number}.{place}"
            judged[topic], wanted[topic] = judgements, values[:, place]
            ranked |= {topic: rest} if rest else {}
    whole = scored(qrels_of(judged), run_of(ranked), task, given_settings)
    assert {*whole.topics} == {*wanted}
    for at, topic in enumerate(whole.topics):
        assert np.abs(whole.values[:, at] - wanted[topic]).max() <= 1e-12, topic


@pytest.mark.parametrize("task", MEASURES)
def test_leaving_out_beside_another_topic_is_evaluating_without(task):
    for judged, ranked, given_settings in random_cases(task, 8):
        check_parts(task, judged, ranked, given_settings)


def check_parts(task, judged, ranked, given_settings):
    full = FullEvaluation(task, judged, given_settings)
    whole = full.scored(ranked)
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    laid = lay(full.qrels, run_of(ranked), own)
    for at, topic in enumerate(whole.topics):
        told, ranking = leave_out_of(laid, topic), ranked.get(topic, [])
        assert told.values.tolist() == whole.values[:, at].tolist()
        documents = list(dict.fromkeys(document for document, _, _ in ranking))
        assert told.documents == tuple(documents)
        rests = [[result for result in ranking if result[0] != document] for document in documents]
        check(full, ranked, topic, rests, told.without_document)
        rests = [ranking[:place] + ranking[place + 1 :] for place in range(len(ranking))]
        check(full, ranked, topic, rests, told.without_result)


def check(full, ranked, topic, rests, values):
    for place, rest in enumerate(rests):
        assert np.abs(values[:, place] - full.without(ranked, topic, rest)).max() <= 1e-12


def test_leaving_out_is_evaluating_without_for_passages_with_aspects():
    names = [record.name for record in family("genomics")]
    own = ScoringSettings(task=Task.ASPECTS, measures=tuple(map(parse, names)), complete=True)
    gold, ranked, wanted = [], {}, {}
    for number in range(CASES):
        spans = [(random.choice("abc"), random.randrange(30), random.randint(1, 12)) for _ in range(4)]
        judged = [
            (document, start, start + size, frozenset(random.sample("xyz", 2)))
            for document, start, size in dict.fromkeys(spans)
        ]
        ranking = [(random.choice("abcd"), random.randrange(40), random.randint(1, 15)) for _ in range(5)]
        alone = AspectQrels.of(GoldPassage("1", *one) for one in judged)
        told = leave_out_of(lay(alone, run_of({"1": ranking}), own), "1")
        rests = [
            ranking,
            *([result for result in ranking if result[0] != document] for document in told.documents),
            *(ranking[:place] + ranking[place + 1 :] for place in range(len(ranking))),
        ]
        values = np.hstack([told.values[:, None], told.without_document, told.without_result])
        for place, rest in enumerate(rests):
            topic = f"{number}.{place}"
            gold += [GoldPassage(topic, *one) for one in judged]
            wanted[topic] = values[:, place]
            ranked |= {topic: rest} if rest else {}
    whole = score_run(AspectQrels.of(gold), run_of(ranked), own)
    assert {*whole.topics} == {*wanted}
    for at, topic in enumerate(whole.topics):
        assert np.abs(whole.values[:, at] - wanted[topic]).max() <= 1e-12, topic


def test_no_measure_that_runs_are_scored_by_is_left_unchecked():
    checked = {"genomics": {record.name for record in family("genomics")}}
    for preset in PRESETS.values():
        for task, reported in preset.tasks.items():
            for own in reported.families:
                names = {record.name for record in family(own)}
                checked.setdefault(own, set()).update(
                    names & {parse(name).name for name in MEASURES.get(task, ())}
                )
    assert {own: {record.name for record in family(own)} - names for own, names in checked.items()} == {
        own: set() for own in checked
    }


@pytest.mark.parametrize("task", MEASURES)
def test_leaving_out_a_topic_is_evaluating_the_other_topics(task):
    for judged, ranked, given_settings in random_cases(task, 10):
        check_topics(task, judged, ranked, given_settings)


def check_topics(task, judged, ranked, given_settings):
    whole = FullEvaluation(task, judged, given_settings).scored(ranked)
    geometric = np.flatnonzero([name in whole.geometric for name in whole.mean_names])
    without_topic = means_without(whole.values, geometric)
    for at, topic in enumerate(whole.topics):
        kept = {name: documents for name, documents in judged.items() if name != topic}
        if kept:
            rest = FullEvaluation(task, kept, given_settings).scored(ranked).mean
            found = without_topic[:, at].tolist()
            assert found == pytest.approx(list(rest.values()), abs=1e-12, nan_ok=True)
        else:
            assert np.isnan(without_topic[:, at]).all()


JUDGED = {"a": (4, 100, 10, {10, 11, 12, 13}), "b": (0, 50, None, set()), "c": (2, 80, 0, {0, 1})}


def test_a_topic_without_each_of_its_parts():
    qrels = qrels_of({"1": JUDGED, "2": JUDGED})
    run = run_of({"2": [("b", 0, 9), ("a", 0, 20), ("c", 1, 1)], "1": [("a", 12, 20)]})
    own = leave_out_of(lay(qrels, run, ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)), "2")
    assert (own.topic, own.documents) == ("2", ("b", "a", "c"))
    agp = own.of("AgP")
    assert own.without_document[agp, 0] > own.values[agp] > own.without_document[agp, 1]
    assert run.document[int(own.source[1])] == "a"
    with pytest.raises(KeyError):
        own.of("iP[0.01]")


def test_a_topic_that_is_not_scored_is_refused():
    laid = lay(qrels_of({"1": JUDGED}), run_of({"1": [("a", 0, 5)]}), ScoringSettings(task=Task.FOCUSED))
    with pytest.raises(InexviewError, match="topic 9 is not scored"):
        leave_out_of(laid, "9")


def test_without_topics_there_is_nothing_to_leave_out():
    assert means_without(np.empty((3, 0)), np.array([1])).shape == (3, 0)
