"""Documents by row, id and words: the same as looking at each of them, however many there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.project.document_list import CatalogueEntry, Documents
from inexview.gui.services.opening import read_titles
from tests.opened import opened

IDS = ("12", "120", "co/2000/r7108", "Ärmel", "12a", "a 12")


@pytest.fixture
def documents():
    return Documents(IDS)


def test_rows_and_ids_are_each_others_inverse(documents):
    assert [documents.row(id) for id in IDS] == list(range(len(IDS)))
    assert list(documents) == list(IDS)
    assert documents.row("4711") == documents.row(None) == -1
    assert "12a" in documents
    assert "4711" not in documents


def test_all_documents_come_once_from_any_row(documents):
    assert list(documents.after(IDS[3])) == [*IDS[4:], *IDS[:4]]
    assert list(documents.after(None)) == list(documents.after(IDS[-1])) == list(IDS)
    assert list(Documents().after(None)) == []


def test_the_filtered_field_comes_first(documents):
    documents.held = np.array([id in (IDS[1], IDS[4]) for id in IDS])
    rest = [id for id in (*IDS[3:], *IDS[:3]) if id not in (IDS[1], IDS[4])]
    assert list(documents.after(IDS[2])) == [IDS[4], IDS[1], *rest]
    documents.order = np.arange(len(IDS))[::-1]
    assert list(documents.after(IDS[2]))[:2] == [IDS[1], IDS[4]]


def test_documents_follow_each_other_in_the_order_that_is_asked_for(documents):
    documents.order = np.array([5, 0, 2, 1, 4, 3])
    assert list(documents.after(IDS[2])) == [IDS[row] for row in (1, 4, 3, 5, 0, 2)]
    assert next(documents.after(None)) == next(documents.after("4711")) == IDS[5]


def brute(ids, words, known):
    texts = [f"{known[id].title} {id}" if id in known else id for id in ids]
    return [all(word in text.casefold() for word in words) for text in texts]


letters = st.text(alphabet="12aÄß/", min_size=1, max_size=5)


@given(
    ids=st.lists(letters, unique=True, max_size=30),
    words=st.lists(letters.map(str.casefold), max_size=3),
    titles=st.dictionaries(letters, letters, max_size=8),
)
def test_words_find_what_holds_them_all_in_title_or_id(ids, words, titles):
    known = {id: CatalogueEntry(title) for id, title in titles.items()}
    assert Documents(tuple(ids)).holding(words, known).tolist() == brute(ids, words, known)


def test_a_line_feed_in_a_file_name_shifts_nothing():
    found = Documents(("a\nb", "c", "d")).holding(["c"], {})
    assert found.tolist() == [False, True, False]


def test_nothing_is_looked_at_before_it_has_to_be():
    class Lazy(tuple):
        def __iter__(self):
            raise AssertionError("all of them were asked for")

    documents = Documents(Lazy(IDS))
    assert len(documents) == len(IDS)
    assert documents[3] == "Ärmel"
    assert next(documents.after(None)) == IDS[0]


def test_the_ids_of_an_index_are_found_as_any_others(tmp_path):
    for id in ("12", "4", "Ärmel", "120"):
        (tmp_path / f"{id}.xml").write_text("<article/>")
    ids = opened(tmp_path).ids()
    documents = Documents(ids)
    assert list(documents) == ["4", "12", "120", "Ärmel"]
    assert [documents.row(id) for id in ("Ärmel", "4", "5")] == [3, 0, -1]
    assert documents.holding(["12"], {}).tolist() == [False, True, True, False]


def test_titles_of_a_whole_collection_are_searched_and_sorted_as_those_of_a_few(tmp_path):
    for id, title in {"1": "Lens", "2": "lamp", "3": "Ärmel\nlang", "4": "Lens", "5": "3"}.items():
        (tmp_path / f"{id}.xml").write_text(f"<article><name>{title}</name></article>")
    collection = opened(tmp_path)
    documents = Documents(collection.ids())
    known = {id: CatalogueEntry(collection.title(id)) for id in documents}
    words = [["lens"], ["l", "2"], ["ärmel", "lang"], ["3"], ["no"], ["lens 4"]]
    short = [documents.holding(some, known).tolist() for some in words]
    ranks = documents.title_ranks(known).tolist()
    documents.use_titles(*read_titles(collection, documents.ids, lambda *_news: None))
    assert documents.titled
    assert [documents.holding(some, {}).tolist() for some in words] == short
    assert documents.title_ranks({}).tolist() == ranks
    collection.close()
