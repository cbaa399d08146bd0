"""Figures of judged support against slow programs that follow the definitions alone."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview import Judgement, Qrels, Spans
from inexview.core.answers.answers import Answer, Reference, Sentence
from inexview.core.answers.support import (
    FIGURES,
    NOTHING,
    SUPPORT,
    SupportJudgements,
    alce_precision,
    alce_recall,
    asks_together,
    citation_hits,
    to_judge,
    weighted_precision,
    weighted_recall,
)

HALF = Fraction(1, 2)
REFERENCES = tuple(Reference(f"d{at}", f"d{at}") for at in range(4))


def answer_of(*cited):
    """An answer whose sentences cite these references."""
    sentences = tuple(Sentence(f"Sentence {at}.", tuple(own)) for at, own in enumerate(cited))
    return Answer("1", "run", REFERENCES, sentences)


# What the papers say, word by word, of an answer of which everything is judged.


def entails(own, among, together):
    """Whether a set of a sentence's citations supports it fully, as far as people said it."""
    helpful = {one for one, value in own.items() if value}
    return any(own[one] == 1 for one in among) or (together and len(helpful) > 1 and helpful <= set(among))


def alce(answer, judged):
    recalled, needed, citations = 0, 0, 0
    for at, sentence in enumerate(answer.sentences):
        own = {one: judged.support[at, one] for one in sentence.citations}
        together = judged.together.get(at, False)
        whole = bool(own) and entails(own, own, together)
        recalled += whole
        citations += len(own)
        for one in own:
            others = [other for other in own if other != one]
            needed += whole and (entails(own, [one], False) or not entails(own, others, together))
    return needed / citations if citations else 0.0, recalled / len(answer.sentences)


def trec(answer, judged):
    values = [judged.support[one] for one in answer.citations]
    counted = [at for at in range(len(answer.sentences)) if at not in judged.no_need]
    best = [
        max((judged.support[at, one] for one in answer.sentences[at].citations), default=0) for at in counted
    ]
    return (
        float(sum(values)) / len(values) if values else 0.0,
        float(sum(best)) / len(counted) if counted else 0.0,
    )


@st.composite
def judged_answers(draw, *, whole):
    cited = draw(st.lists(st.lists(st.integers(0, 3), unique=True, max_size=3), min_size=1, max_size=3))
    answer = answer_of(*cited)
    values = st.sampled_from([*SUPPORT.values()] + ([] if whole else [None]))
    support = {one: value for one in answer.citations if (value := draw(values)) is not None}
    partial = [
        at
        for at, own in enumerate(cited)
        if [support.get((at, one)) for one in own].count(HALF) > 1
        and not {None, Fraction(1)} & {support.get((at, one)) for one in own}
    ]
    asked = {at: draw(st.booleans()) for at in partial if whole or draw(st.booleans())}
    bare = [at for at, own in enumerate(cited) if not own]
    no_need = frozenset(at for at in bare if draw(st.booleans()))
    return answer, SupportJudgements(support, asked, no_need)


@given(judged_answers(whole=True))
def test_complete_judgements_match_the_definitions(case):
    answer, judged = case
    precision, recall = alce(answer, judged)
    assert alce_precision(answer, judged).value == pytest.approx(precision, abs=1e-12)
    assert alce_recall(answer, judged).value == pytest.approx(recall, abs=1e-12)
    precision, recall = trec(answer, judged)
    assert weighted_precision(answer, judged).value == pytest.approx(precision, abs=1e-12)
    assert weighted_recall(answer, judged).value == pytest.approx(recall, abs=1e-12)
    for of in FIGURES.values():
        figure = of(answer, judged)
        assert figure.unjudged == 0
        assert figure.bounds == pytest.approx((figure.value, figure.value))


def completed(answer, judged):
    """Every way in which what is open can be judged."""
    left = [one for one in answer.citations if one not in judged.support]
    for values in product(SUPPORT.values(), repeat=len(left)):
        support = {**judged.support, **dict(zip(left, values, strict=True))}
        sentences = range(len(answer.sentences))
        open_now = [at for at in sentences if at not in judged.together]
        for said in product((False, True), repeat=len(open_now)):
            together = {**judged.together, **dict(zip(open_now, said, strict=True))}
            yield SupportJudgements(support, together, judged.no_need)


@given(judged_answers(whole=False))
def test_bounds_hold_whatever_the_rest_turns_out_to_be(case):
    answer, judged = case
    finished = list(completed(answer, judged))
    for name, of in FIGURES.items():
        values = [of(answer, one).value for one in finished]
        low, high = of(answer, judged).bounds
        assert low <= min(values) + 1e-12
        assert max(values) <= high + 1e-12
        if name.startswith("support"):  # and these are reached
            assert (low, high) == pytest.approx((min(values), max(values)))


def test_the_example_of_the_screen():
    """The figures that the mock-up of the view shows for its third answer."""
    support = SUPPORT["full"], SUPPORT["partial"], SUPPORT["none"]
    full, partial, none = support
    references = tuple(Reference(str(at), str(at)) for at in range(1, 13))
    cited = [(1, 2), (1,), (3, 4, 5), (6, 7, 8, 2, 9, 1, 10, 11, 4), (), (11, 12)]
    sentences = tuple(Sentence("…", tuple(one - 1 for one in own)) for own in cited)
    answer = Answer("2009074", "3", references, sentences)
    values = {
        (0, 1): full,
        (0, 2): full,
        (1, 1): partial,
        (2, 3): partial,
        (2, 4): partial,
        (2, 5): none,
        (3, 6): full,
        (3, 7): partial,
        (3, 8): none,
        (3, 2): full,
        (3, 9): partial,
    }
    judged = SupportJudgements(
        {(at, one - 1): value for (at, one), value in values.items()}, {2: True}, frozenset({4})
    )
    figures = {name: of(answer, judged) for name, of in FIGURES.items()}
    said = {name: (float(one.above), one.below, one.unjudged) for name, one in figures.items()}
    assert said == {
        "support_prec": (6.5, 11, 6),
        "support_rec": (3.0, 4, 1),
        "alce_prec": (6.0, 11, 6),
        "alce_rec": (3.0, 5, 1),
    }
    assert figures["support_prec"].bounds == pytest.approx((6.5 / 17, 12.5 / 17))
    assert figures["support_prec"].derivation == "(4 × 1 + 5 × ½ + 2 × 0) / 11 = 6.5 / 11 = 0.591"
    assert next(to_judge(answer, judged)) == (3, 0)


def test_joint_support_is_asked_for_only_if_it_matters():
    answer = answer_of((0, 1), (0,), ())
    asked = SupportJudgements({(0, 0): HALF, (0, 1): HALF, (1, 0): HALF})
    assert [asks_together(answer, asked, at) for at in range(3)] == [True, False, False]
    assert not asks_together(answer, SupportJudgements({(0, 0): HALF}), 0)  # the other one comes first
    assert not asks_together(answer, SupportJudgements({(0, 0): HALF, (0, 1): Fraction(1)}), 0)


def test_an_answer_without_citations_and_nothing_judged():
    bare = answer_of((), ())
    assert [of(bare, NOTHING).value for of in FIGURES.values()] == [0.0, 0.0, 0.0, 0.0]
    open_answer = answer_of((0,))
    assert all(math.isnan(of(open_answer, NOTHING).value) for of in FIGURES.values())
    assert weighted_precision(open_answer, NOTHING).derivation == "nothing is judged"
    no_need = SupportJudgements(no_need=frozenset({0, 1}))
    assert weighted_recall(bare, no_need).values == ()


def test_a_sentence_with_a_broken_citation_is_not_supported_for_alce():
    broken = Answer("1", "run", REFERENCES, (Sentence("One.", (0,), ("9",)),))
    judged = SupportJudgements({(0, 0): Fraction(1)})
    assert alce_recall(broken, judged).value == 0
    assert alce_precision(broken, judged).values == ()
    assert weighted_precision(broken, judged).value == 1


def test_only_the_first_citation_counts_where_that_was_judged():
    judged = SupportJudgements({(0, 0): Fraction(0), (0, 1): Fraction(1)})
    assert weighted_recall(answer_of((0, 1)), judged).value == 1
    assert weighted_recall(answer_of((0, 1)), judged, first_only=True).value == 0


def test_hits_count_characters_and_unjudged_documents_are_open():
    qrels = Qrels.from_judgements(
        [
            Judgement("1", "d0", 10, 100, None, Spans([(20, 30)])),
            Judgement("1", "d1", 0, 100, None, Spans()),
            Judgement("1", "d3", 1, 0, None, Spans()),  # relevant as a document
        ]
    )
    answer = answer_of((0, 1), (2, 3))
    assert [(one.low, one.known) for one in citation_hits(answer, qrels).values] == [
        (1, True), (0, True), (0, False), (1, True),
    ]  # fmt: skip
    placed = [
        Reference("d0", "d0", 30, 40),
        Reference("d1", "d1", 0, 9),
        *REFERENCES[2:],
    ]
    assert citation_hits(answer, qrels, placed).above == 1  # d0's passage begins behind what is relevant
