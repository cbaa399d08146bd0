"""When a sentence counts as marked, and which sentences are judged differently."""

import pytest

from inexview.core.article.document import Document
from inexview.core.project.quality_report import SentencePlaces, is_marked


@pytest.mark.parametrize(
    ("edges", "marked"),
    [
        ((), False),
        ((0, 10, 20, 40), False),
        ((10, 15), False),  # half of it
        ((10, 16), True),
        ((10, 12, 14, 18), True),
        ((10, 12, 16, 19), False),
        ((0, 40), True),
        ((0, 15), False),
        ((0, 16), True),
        ((15, 40), False),
        ((14, 40), True),
        ((0, 13, 18, 40), False),
        ((0, 13, 17, 40), True),
    ],
)
def test_a_sentence_is_marked_where_more_than_half_of_it_is(edges, marked):
    assert is_marked(edges, 10, 20) is marked


def test_a_sentence_is_judged_differently_where_it_is_marked_in_one_document_only():
    again, once = "Lamps of glass burn oil at night.", "A wick of cotton draws the oil up."
    documents = [
        Document.from_bytes(f"<article><p>{text}</p></article>".encode(), name=name)
        for name, text in {"1": f"{again} {once}", "2": again, "3": again.upper()}.items()
    ]
    texts = {document.id: document.text for document in documents}
    found = {}
    for marked in ("", "2", "12", "123"):
        places = SentencePlaces()
        for document in documents:
            places.put(document, (0, len(document.text)) if document.id in marked else ())
        found[marked] = list(places.judged_differently(texts))
    assert (found[""], found["123"]) == ([], [])
    (one,), (two,) = found["2"], found["12"]
    assert (one.text, one.marked, two.marked) == (again, 1, 2)
    assert [(place.document, place.marked) for place in one.places] == [
        ("1", False),
        ("2", True),
        ("3", False),
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("यह कि वह तो घर पर है।", "यह का वह तो घर पर है।", False),
        ("Cafe\u0301s of the old town burn oil.", "Caf\u00e9s of the old town burn oil!", True),
        ("这是橄榄油的灯。", "这是橄榄油，的灯！", True),
    ],
)
def test_sentences_are_the_same_where_their_letters_and_marks_are(one, other, same):
    places = SentencePlaces()
    documents = [
        Document.from_bytes(f"<article><p>{text}</p></article>".encode(), name=name)
        for name, text in {"1": one, "2": other}.items()
    ]
    for document, edges in zip(documents, ((), (0, len(documents[1].text))), strict=True):
        places.put(document, edges)
    texts = {document.id: document.text for document in documents}
    assert bool(list(places.judged_differently(texts))) is same
