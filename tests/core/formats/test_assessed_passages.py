"""Passages of assessment XML, found in the articles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import Document
from inexview.core.article.elements import Paths
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.assessment_xml import assess, found_passages, read_assessed, write_assessments
from inexview.core.formats.readers import read_qrels
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.text.spans import Spans
from tests.opened import opened

ARTICLE = (
    "<article><name>Otters</name><body><p>Otters  swim,\nand <b>hold</b> hands.</p>"
    "<p>They sleep.</p></body></article>"
)
TEXT = "OttersOtters  swim,\nand hold hands.They sleep."
P1, P2 = "/article[1]/body[1]/p[1]", "/article[1]/body[1]/p[2]"


@pytest.fixture
def collection(tmp_path):
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "12.xml").write_bytes(ARTICLE.encode())
    return opened(folder)


def assessed(tmp_path, inside, *, strip="keep", name="12"):
    path = tmp_path / "assessments.xml"
    path.write_text(
        f'<assessments pool="1" topic="414" version="2" whitespace-text-node="{strip}">\n'
        f'<file collection="wikipedia" name="{name}">\n{inside}\n</file>\n</assessments>\n',
        encoding="utf-8",
    )
    return path


def test_passages_and_entry_point_become_offsets(tmp_path, collection):
    path = assessed(
        tmp_path,
        f'<best-entry-point path="{P1}"/>'
        f'<passage start="{P1}/text()[1].8" end="{P1}/b[1]" size="14"/>'
        f'<passage start="{P2}" end="{P2}" size="11"/>',
    )
    qrels = read_qrels(path, collection=collection)
    judgement = qrels.judgement("414", "12")
    first, second = TEXT.index("swim"), TEXT.index("They")
    assert judgement.passages == Spans([(first, TEXT.index(" hands")), (second, len(TEXT))])
    assert judgement.bep == TEXT.index("Otters", 1)
    assert judgement.rsize == judgement.passages.size == 14 + 11
    assert judgement.length == len(TEXT)
    assert judgement.passage_count == 2


def test_an_empty_file_is_judged_not_relevant(tmp_path, collection):
    judgement = read_qrels(assessed(tmp_path, ""), collection=collection).judgement("414", "12")
    assert (judgement.rsize, judgement.bep, judgement.relevant) == (0, None, False)


def test_sizes_count_white_space_as_one_and_differences_are_warned_of(tmp_path, collection):
    path = assessed(tmp_path, f'<passage start="{P1}" end="{P1}" size="28"/>')
    assert read_qrels(path, collection=collection).warnings == ()  # 29 characters, two blanks counted once
    path = assessed(tmp_path, f'<passage start="{P1}" end="{P1}" size="29"/>')
    (warning,) = read_qrels(path, collection=collection).warnings
    assert warning == f"{path}:3: the passage has another size in the article (28, not 29)"


def test_passages_that_overlap_are_warned_of_and_count_once(tmp_path, collection):
    listed = f'<passage start="{P1}" end="{P1}" size="28"/>'
    listed += f'<passage start="{P1}/b[1]" end="{P1}/b[1]" size="4"/>'
    path = assessed(tmp_path, listed)
    qrels = read_qrels(path, collection=collection)
    assert qrels.warnings == (f"{path}:2: passages overlap (12)",)
    assert (qrels.judgement("414", "12").rsize, qrels.judgement("414", "12").passage_count) == (29, 2)


def element(path, size, rsize):
    return f'<element path="{path}" exhaustivity="2" size="{size}" rsize="{rsize}"/>'


def test_sizes_of_elements_are_recomputed_and_differences_are_warned_of(tmp_path, collection):
    passage = f'<passage start="{P1}/text()[1].8" end="{P1}/b[1]" size="14"/>'
    right = element("/article[1]", 45, 14) + element(P1, 28, 14) + element(f"{P1}/b[1]", 4, 4)
    assert read_qrels(assessed(tmp_path, passage + right), collection=collection).warnings == ()
    wrong = element(P1, 27, 14) + element(f"{P1}/b[1]", 4, 1) + element(f"{P1}/b[2]", 4, 4)
    path = assessed(tmp_path, passage + wrong)
    nowhere, size, rsize = read_qrels(path, collection=collection).warnings
    assert size == f"{path}:2: the element has another size in the article ({P1}: 28, not 27)"
    assert rsize == f"{path}:2: the passages give the element another rsize ({P1}/b[1]: 4, not 1)"
    assert nowhere == f"{path}:2: the element leads to nothing in the article ({P1}/b[2])"


def test_what_leads_nowhere_is_warned_of_and_the_document_stays_relevant(tmp_path, collection):
    path = assessed(
        tmp_path,
        '<best-entry-point path="/article[1]/body[1]/p[9]"/>'
        f'<passage start="{P2}" end="/article[1]/body[1]/p[9]" size="40"/>',
    )
    qrels = read_qrels(path, collection=collection)
    judgement = qrels.judgement("414", "12")
    assert (judgement.rsize, len(judgement.passages), judgement.bep) == (40, 0, None)
    assert len(qrels.warnings) == 2
    assert all("leads to nothing in the article" in warning for warning in qrels.warnings)


def test_documents_that_the_collection_does_not_hold_are_left_out_with_a_warning(tmp_path, collection):
    qrels = read_qrels(assessed(tmp_path, "", name="13"), collection=collection)
    assert len(qrels) == 0
    assert "not in the collection: left out (13)" in qrels.warnings[0]


def test_a_size_that_is_no_number_is_refused_with_its_line(tmp_path, collection):
    path = assessed(tmp_path, f'<passage start="{P2}" end="{P2}" size="many"/>')
    with pytest.raises(DataError, match=":3: field 'size' = 'many'"):
        read_qrels(path, collection=collection)


def test_a_document_judged_twice_and_differently_is_refused(tmp_path, collection):
    path = assessed(
        tmp_path,
        f'</file><file collection="wikipedia" name="12"><passage start="{P2}" end="{P2}" size="11"/>',
    )
    with pytest.raises(DataError, match="judged twice and differently"):
        read_qrels(path, collection=collection)


def test_assessments_say_whether_they_hold_passages(tmp_path):
    assert read_assessed(assessed(tmp_path, '<passage start="/a" end="/a" size="1"/>')).holds_passages
    assert read_assessed(tmp_path).holds_passages
    assert not read_assessed(assessed(tmp_path, "")).holds_passages


@given(start=st.integers(0, len(TEXT) - 1), length=st.integers(1, len(TEXT)))
def test_any_passage_named_by_its_points_is_read_back(tmp_path_factory, start, length):
    folder = tmp_path_factory.getbasetemp() / "named"
    folder.mkdir(exist_ok=True)
    (folder / "12.xml").write_bytes(ARTICLE.encode())
    end = min(start + length, len(TEXT))
    paths = Paths(Document.from_bytes(ARTICLE.encode()))
    points = f'start="{paths.point_at(start)}" end="{paths.point_at(end, end=True)}"'
    size = len(" ".join(f"|{TEXT[start:end]}|".split())) - 2
    path = assessed(tmp_path_factory.getbasetemp(), f'<passage {points} size="{size}"/>')
    qrels = read_qrels(path, collection=opened(folder))
    assert qrels.judgement("414", "12").passages == Spans([(start, end)])
    assert qrels.warnings == ()


def test_articles_are_only_scanned_and_where_they_lie_is_not_found_out_unwatched(
    tmp_path, collection, monkeypatch
):
    watched = []
    monkeypatch.setattr(Collection, "load", lambda *_: pytest.fail("its blocks are not needed"))
    monkeypatch.setattr(Collection, "at_hand", lambda *_: False)
    monkeypatch.setattr(Collection, "prepare", lambda _, progress: watched.append(progress))
    path = assessed(tmp_path, f'<passage start="{P2}" end="{P2}" size="11"/>')
    news = []

    def progress(what, done, total):
        news.append((what, done, total))

    qrels = found_passages(read_assessed(path), collection, progress)
    assert qrels.judgement("414", "12").rsize == 11
    assert watched == [progress]
    assert news == [("judged documents found", 0, 1)]


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT))).map(sorted), max_size=3))
def test_what_is_made_of_qrels_has_the_sizes_that_are_recomputed(tmp_path_factory, pairs):
    folder = tmp_path_factory.getbasetemp() / "made"
    (folder / "articles").mkdir(parents=True, exist_ok=True)
    (folder / "articles" / "12.xml").write_text(ARTICLE)
    collection = opened(folder / "articles")
    passages = Spans((start, end) for start, end in pairs if start < end)
    bep = min((start for start, _ in passages), default=None)
    qrels = Qrels.from_judgements([Judgement("1", "12", passages.size, len(TEXT), bep, passages)])
    write_assessments(assess(qrels, collection), folder / "a.xml")
    found = read_qrels(folder / "a.xml", collection=collection)
    assert (found.at(0), found.warnings) == (qrels.at(0), ())
