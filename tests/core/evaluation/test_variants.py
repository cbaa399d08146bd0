"""What a variant of a ranking scores is what a full evaluation of the changed run says, by every measure."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview import InexviewError, Task, evaluate
from inexview.core.evaluation.evaluate import prepare, score_element_run, score_run
from inexview.core.evaluation.explain import explain, explain_elements
from inexview.core.evaluation.scores import ScoringSettings, means_without
from inexview.core.evaluation.variants import (
    Fault,
    RankingFault,
    effects_of_faults,
    faults_of,
    leave_out_of,
    missed_documents,
    ranking_of,
)
from inexview.core.judgements.elements import ElementJudgement, ElementQrels, ElementRun
from inexview.core.judgements.qrels import AspectQrels, GoldPassage
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.measure import PRESETS, family, parse
from inexview.core.text.spans import Spans
from tests.core.scored_cases import MEASURES, cases, measures_of, random_judgements, random_ranking, scored
from tests.core.strategies import TOPICS, qrels_of, run_of, together

CASES = 60  # of each task, and so of each of its measures
READ = {"score": "T2I", "tolerance": 5}
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
        told = leave_out_of(prepare(qrels_of({"1": judgements}), run_of({"1": ranking}), own), "1")
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
def test_leaving_out_with_another_topic_equals_evaluating_without(task):
    for judged, ranked, given_settings in random_cases(task, 8):
        check_parts(task, judged, ranked, given_settings)


def check_parts(task, judged, ranked, given_settings):
    full = FullEvaluation(task, judged, given_settings)
    whole = full.scored(ranked)
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    prepared = prepare(full.qrels, run_of(ranked), own)
    for at, topic in enumerate(whole.topics):
        told, ranking = leave_out_of(prepared, topic), ranked.get(topic, [])
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
        alone = AspectQrels.of_gold(GoldPassage("1", *one) for one in judged)
        told = leave_out_of(prepare(alone, run_of({"1": ranking}), own), "1")
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
    whole = score_run(AspectQrels.of_gold(gold), run_of(ranked), own)
    assert {*whole.topics} == {*wanted}
    for at, topic in enumerate(whole.topics):
        assert np.abs(whole.values[:, at] - wanted[topic]).max() <= 1e-12, topic


def test_no_measure_that_runs_are_scored_by_is_left_unchecked():
    elsewhere = ("genomics", "subtopics", "nuggets")  # below, test_subtopics.py, test_nugget_ranking.py
    checked = {own: {record.name for record in family(own)} for own in elsewhere}
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
    own = leave_out_of(prepare(qrels, run, ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)), "2")
    assert (own.topic, own.documents) == ("2", ("b", "a", "c"))
    agp = own.of("AgP")
    assert own.without_document[agp, 0] > own.values[agp] > own.without_document[agp, 1]
    assert run.document[int(own.source[1])] == "a"
    with pytest.raises(KeyError):
        own.of("iP[0.01]")


def test_a_topic_that_is_not_scored_is_refused():
    prepared = prepare(
        qrels_of({"1": JUDGED}), run_of({"1": [("a", 0, 5)]}), ScoringSettings(task=Task.FOCUSED)
    )
    with pytest.raises(InexviewError, match="topic 9 is not scored"):
        leave_out_of(prepared, "9")


def test_without_topics_there_is_nothing_to_leave_out():
    assert means_without(np.empty((3, 0)), np.array([1])).shape == (3, 0)


def effects_of_missed(qrels, ranking, own):
    here = Subset(topics=frozenset(ranking.topics)).of_qrels(qrels)
    return effects_of_faults(qrels, ranking, own, missed_documents(here, ranking))


def effects_of_costs(qrels, ranking, own, document, costs):
    faults = [RankingFault(document, cost.fault, cost.start, cost.end) for cost in costs]
    effects = effects_of_faults(qrels, ranking, own, faults)
    return effects.names, effects.right


def complete(given_settings):
    return {**given_settings, "complete": True}


def text(marked):
    spans = Spans((at, at + 1) for at in marked)
    return [(int(start), int(end - start)) for start, end in spans]


@settings(max_examples=40)
@given(cases())
def test_a_missed_document_gains_what_retrieving_it_last_gains(case):
    task, judged, ranked, given_settings = case
    qrels, run = qrels_of(judged), run_of(ranked)
    own = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    topic = next(iter(ranked))
    told = effects_of_missed(qrels, ranking_of(run, topic), own)
    found = {document for document, _, _ in ranked[topic]}
    relevant = [name for name, (rsize, *_) in judged[topic].items() if rsize and name not in found]
    assert told.faults == tuple(RankingFault(name, Fault.MISSED) for name in relevant)
    assert told.values.tolist() == [*scored(qrels, run, task, complete(given_settings)).topic(topic).values()]
    for at, document in enumerate(relevant):
        _, _, bep, marked = judged[topic][document]
        added = [(bep or 0, 0)] if task is Task.BEST_IN_CONTEXT else text(marked)
        again = {**ranked, topic: [*ranked[topic], *((document, *one) for one in added)]}
        full = scored(qrels, run_of(again), task, complete(given_settings)).topic(topic)
        assert told.right[:, at].tolist() == pytest.approx([*full.values()], abs=1e-12)
        assert told.gains(told.names[0])[told.faults[at]] == told.right[0, at] - told.values[0]


@settings(max_examples=40)
@given(cases(), st.data())
def test_a_corrected_fault_gains_as_much_as_the_corrected_run(case, data):
    task, judged, ranked, given_settings = case
    topic = next(iter(ranked))
    here = [
        name
        for name, start, size in ranked[topic]
        if start is not None
        and size
        and judged[topic].get(name, (0,))[0]
        and judged[topic][name][2] is not None
    ]
    if not here:
        return
    document = data.draw(st.sampled_from(here))
    own = [result for result in ranked[topic] if result[0] == document and result[2]]
    rest = [result for result in ranked[topic] if result[0] != document]
    one = min((result for result in own if result[1] is not None), key=lambda result: result[1])
    ranked = {**ranked, topic: [one, *rest]}  # its only passage, first
    qrels, run = qrels_of(judged), run_of(ranked)
    _, length, bep, marked = judged[topic][document]
    judged_text = Spans((at, at + 1) for at in marked)
    start, end = one[1], one[1] + one[2]
    costs = explain(judged_text, Spans([(start, end)]), length=length, bep=bep, entry=start).costs
    if not costs:
        return
    own_settings = ScoringSettings(task=task, measures=measures_of(task), **given_settings)
    names, values = effects_of_costs(qrels, ranking_of(run, topic), own_settings, document, costs)
    before = scored(qrels, run, task, complete(given_settings)).topic(topic)
    for at, cost in enumerate(costs):
        if (cost.fault is Fault.ENTRY_POINT) is not (task is Task.BEST_IN_CONTEXT):
            assert values[:, at].tolist() == pytest.approx([*before.values()], abs=1e-12)
            continue
        mended = {
            Fault.MISSED: {*range(start, end)} | {*range(cost.start, cost.end)},
            Fault.FALSE_ALARM: {*range(start, end)} - {*range(cost.start, cost.end)},
            Fault.ENTRY_POINT: (),
        }[cost.fault]
        entered = [(bep, 0)] if cost.fault is Fault.ENTRY_POINT else text(mended)
        if (
            cost.fault is Fault.MISSED and len(entered) == 2
        ):  # what was there keeps its place, what is new comes after it
            entered = [(start, end - start), (cost.start, cost.end - cost.start)]
        again = {**ranked, topic: [*((document, *each) for each in entered), *rest]}
        full = scored(qrels, run_of(again), task, complete(given_settings)).topic(topic)
        assert dict(zip(names, values[:, at].tolist(), strict=True)) == pytest.approx(full, abs=1e-12)


def test_faults_irrelevant_to_the_task_cost_nothing():
    qrels, run = qrels_of({"1": JUDGED}), run_of({"1": [("a", 12, 20)]})
    own = ScoringSettings(task=Task.RELEVANT_IN_CONTEXT)
    costs = explain(Spans([(10, 14)]), Spans([(12, 32)]), length=100, bep=10, entry=12).costs
    names, values = effects_of_costs(qrels, ranking_of(run, "1"), own, "a", costs)
    agp = values[names.index("AgP")]
    by_fault = dict(zip([cost.fault for cost in costs], agp, strict=True))
    whole = evaluate(qrels, run, task=Task.RELEVANT_IN_CONTEXT)[0].topic("1")["AgP"]
    assert by_fault[Fault.ENTRY_POINT] == pytest.approx(whole, abs=1e-12)
    assert min(by_fault[Fault.MISSED], by_fault[Fault.FALSE_ALARM]) > whole
    missed = effects_of_missed(qrels, ranking_of(run, "1"), own)
    assert missed.faults == (RankingFault("c", Fault.MISSED),)
    assert missed.gains("AgP")[missed.faults[0]] == pytest.approx(evaluated_with_c(qrels) - whole)


def evaluated_with_c(qrels):
    run = run_of({"1": together([("a", 12, 20), ("c", 0, 2)])})
    return evaluate(qrels, run, task=Task.RELEVANT_IN_CONTEXT)[0].topic("1")["AgP"]


@pytest.mark.parametrize("task", MEASURES)
def test_variants_keep_the_rules_of_the_task(task):
    """Overlaps are dropped, the ranking is cut and unjudged documents are left out once more of each."""
    for judged, ranked, given_settings in random_cases(task, 20):
        changes = {**given_settings["changes"], **random.choice([{}, READ])}
        rules = {
            "overlap": random.choice(["allow", "drop"]),
            "judged_only": random.random() < 0.3,
            **random.choice([{}, {"cut": True, "limit": random.randint(1, 3)}]),
        }
        own = ScoringSettings(
            task=task, measures=measures_of(task), **{**given_settings, **rules, "changes": changes}
        )
        qrels, run, topic = qrels_of(judged), run_of(ranked), next(iter(ranked))
        here, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
        faults = [*missed_documents(here, ranking), *faults_of(here, ranking, task)]
        effects = effects_of_faults(qrels, ranking, own, faults)
        for at, fault in enumerate(faults):
            right = fault.corrected(ranking, qrels, task)
            assert effects.right[:, at] == pytest.approx(fully(here, right, own), abs=1e-12)
        prepared = prepare(qrels, run, own)
        if topic not in prepared.joined.topics:
            continue
        told = leave_out_of(prepared, topic)
        for at, document in enumerate(told.documents):
            left = ranking.take(np.flatnonzero(~ranking.document.are(document)))
            assert told.without_document[:, at] == pytest.approx(fully(here, left, own), abs=1e-12)
        first = int(run.ptr[run.topics.index(topic)])
        for at, row in enumerate(told.source.tolist()):
            left = ranking.take(np.delete(np.arange(len(ranking)), row - first))
            assert told.without_result[:, at] == pytest.approx(fully(here, left, own), abs=1e-12)


def fully(qrels, ranking, own):
    """Score a changed ranking of one topic, of which nothing may be left."""
    (topic,) = qrels.topics
    there = {"topics": (topic,), "ptr": np.array([0, len(ranking)])}
    run = replace(ranking, **(there if len(ranking) else {"topics": (), "ptr": np.zeros(1, np.int64)}))
    return [*score_run(qrels, run, replace(own, complete=True)).topic(topic).values()]


PATHS = ("/a[1]", "/a[1]/s[1]", "/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[2]", "/a[1]/s[2]")
SIZES = dict(zip(PATHS, (100, 60, 20, 30, 40), strict=True))
ELEMENT_MEASURES = (
    *("nxCG[1]", "nxCG[3]", "nxCG[50]", "gr[1]", "gr[3]", "ep[0.10]", "ep[0.50]", "ep[1.00]", "Aep"),
    *("P@1", "P@3", "R@3", "F@2", "AP", "iAP"),
)


def judged_elements():
    """Draw relevant elements of a document: of nested ones the outer has what the inner ones have."""
    own = {path: random.randint(0, SIZES[path]) for path in PATHS[2:]}
    own["/a[1]/s[1]"] = own[PATHS[2]] + own[PATHS[3]]
    own["/a[1]"] = own["/a[1]/s[1]"] + own["/a[1]/s[2]"]
    return [
        ElementJudgement(path, random.choice([1, 2]), SIZES[path], size) for path, size in own.items() if size
    ]


def random_element_case():
    """Draw judgements, a ranking without repeats, and settings."""
    documents = [(name, judged_elements()) for name in "def"[: random.randint(1, 3)]]
    there = [(name, path) for name in "defx" for path in PATHS]
    own = ScoringSettings(
        task=Task.THOROUGH,
        measures=tuple(map(parse, ELEMENT_MEASURES)),
        changes={
            "alpha": random.choice([0.0, 1.0, 0.5]),
            "quantisation": random.choice(["gen", "strict"]),
        },
        complete=True,
    )
    qrels = ElementQrels([("1", name, elements) for name, elements in documents])
    return qrels, random.sample(there, random.randint(1, 4)), own


def test_leaving_out_an_element_equals_a_full_evaluation():
    for _ in range(CASES):
        check_elements(*random_element_case())


def check_elements(qrels, ranking, own):
    seen = {}

    def scored(kept):
        if tuple(kept) not in seen:
            run = ElementRun("r", {"1": tuple(kept)} if kept else {}, Task.THOROUGH)
            seen[tuple(kept)] = score_element_run(qrels, run, own).topic("1")
        return seen[tuple(kept)]

    told = explain_elements(qrels, ElementRun("r", {"1": tuple(ranking)}, Task.THOROUGH), own, "1")
    whole = scored(ranking)
    for at in range(len(ranking)):
        left = scored([*ranking[:at], *ranking[at + 1 :]])
        assert {one.measure: one.without[at] for one in told.derivations} == left
    for one in told.derivations:
        assert one.value == whole[one.measure]
        if one.fraction is not None:
            assert one.fraction.value == pytest.approx(one.value, abs=1e-12)
        elif one.measure.startswith("ep"):
            assert one.filled[-1].endswith(f"{one.value:.4f}") or one.value == 0


def test_effort_precision_says_both_ranks():
    elements = [ElementJudgement("/a[1]", 2, 10, 10), ElementJudgement("/b[1]", 2, 10, 5)]
    qrels = ElementQrels([("1", "d", elements)])
    run = ElementRun("r", {"1": (("x", "/a[1]"), ("d", "/b[1]"), ("d", "/a[1]"))}, Task.THOROUGH)
    own = ScoringSettings(measures=tuple(map(parse, ("ep[0.50]", "Aep"))))
    effort, mean = explain_elements(qrels, run, own, "1").derivations
    assert effort.filled[-1] == "= 1 / 3 = 0.3333"
    assert mean.filled[-1] == "= 1.1667 / 2 = 0.5833"
    assert mean.value == pytest.approx((1 / 2 + 2 / 3) / 2)
