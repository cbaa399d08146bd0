"""The quality report asks what a look at each document, and at each pair of sentences, would ask."""

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import Document
from inexview.core.article.granularity import Sentences
from inexview.core.project.document_state import DocumentState
from inexview.core.project.quality_report import (
    JudgedDocument,
    QualityQuestion,
    SentencePlaces,
    is_marked,
    report_quality,
)
from inexview.core.text.spans import Spans

SAME = "Oleic acid slows a gene that drives several cancers."
OTHER = "No one has yet shown as much in a patient here."


def article(id, *paragraphs):
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return Document.from_bytes(f"<article><name>T</name><body>{body}</body></article>".encode(), name=id)


def judged(document, *words, bep=None, seconds=60.0):
    spans = [
        (found.start(), found.end())
        for word in words
        for found in re.finditer(re.escape(word), document.text)
    ]
    marks = Spans(spans)
    bep = int(marks.starts[0]) if marks and bep is None else bep
    return JudgedDocument(document, DocumentState.of(marks, bep, finished=True), seconds)


def asked(report):
    return [(finding.question.name, finding.document, finding.told) for finding in report.findings]


def test_good_judgements_raise_no_questions():
    report = report_quality([judged(article("1", SAME, OTHER), SAME), judged(article("2", OTHER))])
    assert asked(report) == []
    assert (report.finished, report.passages, report.sizes, report.relevant) == (2, (1,), (len(SAME),), {"1"})
    assert report.median_time == 60


def test_a_long_article_in_seconds():
    long = article("1", OTHER * 80)
    report = report_quality([judged(long, seconds=4.4), judged(article("2", OTHER), seconds=2)])
    assert asked(report) == [("SECONDS", "1", f"not relevant · {long.length:,} characters")]
    assert report.findings[0].figure == "4 s"
    assert report_quality([judged(long, seconds=0.0)]).findings == (), "its time is not known"
    assert report_quality([judged(long, seconds=5.0)]).findings == ()
    lengths = [judged(article("3", "x" * size), seconds=0.5) for size in (2999, 3000)]  # and the title's T
    assert [one.document.length for one in lengths] == [3000, 3001]
    assert [len(report_quality([one]).findings) for one in lengths] == [0, 1]


def test_days_are_those_of_documents_whose_time_is_known():
    document, day = article("1", OTHER), date(2026, 11, 24)
    for seconds, known in ((60.0, day), (0.0, day), (60.0, None)):
        report = report_quality([replace(judged(document, seconds=seconds), day=known)])
        assert report.days == ({"1": day} if seconds and known else {})


def test_far_from_ones_own_median():
    usual = [judged(article(str(n), f"Number {n}.", OTHER), f"Number {n}.", seconds=60) for n in range(4)]
    fast = judged(article("9", "Number 9."), "Number 9.", seconds=14)
    assert [one[:2] for one in asked(report_quality([*usual, fast]))] == [("FAST", "9")]
    slow = judged(article("8", "Number 8."), "Number 8.", seconds=241)
    assert [one[:2] for one in asked(report_quality([slow, *usual, fast]))] == [("FAST", "9"), ("SLOW", "8")]
    assert report_quality([*usual[:2], fast]).findings == ()
    edges = [replace(one, seconds=seconds) for one, seconds in ((fast, 15), (slow, 240))]
    assert report_quality([*usual, *edges]).findings == ()
    glances = [judged(article(f"no {n}", OTHER), seconds=1) for n in range(9)]
    assert [one[:2] for one in asked(report_quality([*usual, fast, *glances]))] == [("FAST", "9")]


@pytest.mark.parametrize(
    ("bep", "told"),
    [
        (1, "3 characters before the first mark"),
        (3, "1 character before the first mark"),
        (9, "in the gap between passages 1 and 2"),
        (26, "1 character behind the last mark"),
        (30, "5 characters behind the last mark"),
    ],
)
def test_an_entry_point_outside_the_marks(bep, told):
    document = article("1", OTHER)
    state = DocumentState.of(Spans([(4, 8), (20, 26)]), bep, finished=True)
    report = report_quality([JudgedDocument(document, state, 60)])
    assert asked(report) == [("ENTRY_POINT", "1", told)]


def test_slips_of_the_pen_and_a_whole_article():
    document = article("1", "A b.", "  C d.")
    text = document.text
    blank = text.index("  C")
    state = DocumentState.of(Spans([(1, 2), (blank, blank + 2)]), 1, finished=True)
    assert [one[2] for one in asked(report_quality([JudgedDocument(document, state, 60)]))] == [
        "passage 1 is “A”",
        "passage 2 is white space",
    ]
    slips = report_quality([JudgedDocument(document, state, 60)]).findings
    assert [one.key for one in slips] == ["SLIP 1 1 2 at 1", f"SLIP 1 {blank} {blank + 2} at {blank}"]
    whole = DocumentState.of(Spans([(0, len(text))]), 0, finished=True)
    assert asked(report_quality([JudgedDocument(document, whole, 60)]))[0][0] == "WHOLE"
    within_space = Document.from_bytes(b"<article> A b. </article>", name="3")
    for end, found in ((5, ["WHOLE"]), (4, [])):  # all that is seen, and all but the full stop
        state = DocumentState.of(Spans([(1, end)]), 1, finished=True)
        report = report_quality([JudgedDocument(within_space, state, 60)])
        assert [one.question.name for one in report.findings] == found


def test_the_same_sentence_judged_in_two_ways_whatever_its_case_and_punctuation():
    loud = SAME.upper().replace(".", " !")
    report = report_quality(
        [judged(article("1", SAME), SAME), judged(article("2", loud)), judged(article("3", SAME), SAME)]
    )
    (finding,) = [one for one in report.findings if one.question is QualityQuestion.SENTENCES]
    assert (finding.document, finding.figure, finding.told) == ("2", "marked in 2 of 3", SAME)
    assert [place.marked for place in finding.sentence.places] == [True, False, True]


WORDS = ["one", "two", "three", "four", "five", "six", "seven"]
choices = st.lists(
    st.tuples(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(0, 15)), min_size=1, max_size=4
)


@given(choices)
def test_sentences_judged_in_two_ways_are_those_that_all_pairs_show(chosen):
    places, texts, listed = SentencePlaces(), {}, []
    for number, (picked, marked) in enumerate(chosen):
        document = article(str(number), *(f"{' '.join(WORDS)} {'abcd'[pick]}." for pick in picked))
        found = Sentences(document.text, document.blocks)
        spans = [(begin[0], end[0]) for begin, end in map(found.of_block, range(1, len(document.blocks)))]
        marks = Spans([span for at, span in enumerate(spans) if marked >> at & 1])
        places.put(document, DocumentState.of(marks).edges)
        texts[document.id] = document.text
        listed += [(number, pick, marked >> at & 1) for at, pick in enumerate(picked)]
    differently = {
        pick
        for _, pick, marked in listed
        for _, other, other_marked in listed
        if pick == other and marked != other_marked
    }
    wanted = {pick for pick in differently if len({number for number, one, _ in listed if one == pick}) > 1}
    assert {"abcd".index(one.text[-2]) for one in places.judged_differently(texts)} == wanted


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=5),
    st.integers(0, 30),
    st.integers(1, 20),
)
def test_a_sentence_is_marked_where_most_of_its_characters_are(pairs, start, size):
    marks = Spans((first, first + length) for first, length in pairs)
    marked = sum(at in marks for at in range(start, start + size))
    assert is_marked(DocumentState.of(marks).edges, start, start + size) == (2 * marked > size)
