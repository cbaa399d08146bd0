"""Offsets that count another form of the text: each is found, turned back, and counted as by its own tool."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article.document import Document, scan, written
from inexview.core.formats.readers import read_qrels
from inexview.core.judgements.qrels import Judgement, Qrels
from inexview.core.offset_check.diagnosis import Sureness
from inexview.core.offset_check.examine import corrected, examine, plan_for, suspicion
from inexview.core.text.counting import FORMED, Characters, Convention, Form, FormScale, Unit
from inexview.core.text.spans import Spans
from tests.opened import opened

CASES = {
    "34-crlf": ("qrels-counted-with-CR.txt", "code-points+crlf"),
    "36-nfd": ("qrels-counted-in-NFC.txt", "code-points+nfc"),
    "38-source-offsets": ("qrels-offsets-in-the-file.txt", "code-points+source"),
    "39-inserted-blanks": ("qrels-joined-by-blanks.txt", "code-points+joined"),
}


@pytest.mark.shared
@pytest.mark.parametrize("case", CASES)
def test_cases_of_public_trackers_are_explained_and_corrected(case: str, shared: Path) -> None:
    name, key = CASES[case]
    folder = shared / "cases" / case
    qrels, collection = read_qrels(folder / name), opened(folder / "articles")
    diagnosis = examine(qrels, collection)
    assert diagnosis.best == Convention.of(key)
    expected = read_qrels(folder / "expected.txt")
    assert corrected(qrels, plan_for(diagnosis), collection).judged == expected


# Each word is followed by what tells forms apart; every paragraph has all of it.
WORDS = (
    "quay",
    "stone",
    "cafe\u0301",
    "Zoë",
    "😀",
    "漢字",
    "&amp;",
    "&#233;t&#xe9;",
    "<b>pier</b>",
    "R&amp;D",
    "<i>je</i>tty",
)


def article(number: int) -> bytes:
    """Return an article with Windows' line ends, references, tags, blank nodes and both forms of é."""
    chance = random.Random(number)
    paragraphs = []
    for _ in range(3 + number % 3):
        words = [*WORDS, *(chance.choice(WORDS) for _ in range(chance.randint(3, 20)))]
        chance.shuffle(words)
        paragraphs.append(f"<p class='x > y'>{' '.join(words)}\r\n{words[0]}</p>")
    body = "\r\n  ".join(paragraphs)
    head = f'<?xml version="1.0"?>\r\n<!-- {number} -->'
    return f"{head}<article>\r\n<name>N</name><![CDATA[<]]>{body}</article>\r\n".encode()


def counted_text(data: bytes, form: Form) -> str:
    """Return the form of an article as the tools produce it that count it; an oracle without offsets."""
    source = data.decode()
    root = ElementTree.fromstring(source)
    text = "".join(root.itertext())
    if form in (Form.SOURCE, Form.SOURCE_LF):
        return source if form is Form.SOURCE else source.replace("\r\n", "\n")
    if form is Form.CRLF:
        return text.replace("\n", "\r\n")
    if form in (Form.NFC, Form.NFD):
        return unicodedata.normalize(form.name, text)
    nodes = _nodes(root)
    if form is Form.JOINED:
        return " ".join(nodes)
    if form is Form.STRIPPED:
        return " ".join(node.strip() for node in nodes if node.strip())
    if form is Form.NO_BLANK_NODES:
        return "".join(node for node in nodes if not node.isspace())
    assert form is Form.REFERENCES
    shown = source.replace("\r\n", "\n").replace("&", "&amp;")  # what was a reference is its characters now
    return "".join(ElementTree.fromstring(shown).itertext())


def _nodes(element: ElementTree.Element) -> list[str]:
    found = [element.text or ""]
    for child in element:
        found += [*_nodes(child), child.tail or ""]
    return [node for node in found if node]


def size(text: str, unit: Unit) -> int:
    if unit is Unit.UTF8_BYTES:
        return len(text.encode())
    return len(text.encode("utf-16-le")) // 2 if unit is Unit.UTF16_UNITS else len(text)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("forms")
    for number in range(1, 9):
        (folder / f"{number}.xml").write_bytes(article(number))
    return folder


def marked(place: Path) -> list[Judgement]:
    """Mark the words "stone" and "quay" of each article."""
    judged = []
    for number in range(1, 9):
        text = Document.from_file(place / f"{number}.xml").text
        first, second = sorted((text.index("quay"), text.index("stone")))
        spans = Spans([(first, first + len("quay")), (second, second + len("stone"))])
        if text[first] == "s":
            spans = Spans([(first, first + len("stone")), (second, second + len("quay"))])
        judged.append(Judgement("1", str(number), spans.size, len(text), first, spans))
    return judged


def miscounted(judgement: Judgement, data: bytes, convention: Convention) -> Judgement:
    """Count a judgement as a tool would that has only this form: it looks for the words in it."""
    form = counted_text(data, convention.form)
    text = Document.from_bytes(data, name="x", id="x").text
    spans = []
    for start, end in judgement.passages:
        at = form.index(text[start:end])
        spans.append((size(form[:at], convention.unit), size(form[: at + end - start], convention.unit)))
    passages = Spans(spans)
    length = size(form, convention.unit)
    return Judgement("1", judgement.document, passages.size, length, int(passages.starts[0]), passages)


@pytest.mark.parametrize("convention", FORMED, ids=lambda one: one.key)
def test_a_form_is_found_and_turned_back(convention: Convention, place: Path) -> None:
    right = marked(place)
    rows = [miscounted(one, (place / f"{one.document}.xml").read_bytes(), convention) for one in right]
    qrels, collection = Qrels.from_judgements(rows), opened(place)
    diagnosis = examine(qrels, collection)
    assert diagnosis.best == convention
    assert diagnosis.sureness is Sureness.SURE
    turned = corrected(qrels, plan_for(diagnosis), collection)
    assert turned.judged == Qrels.from_judgements(right)
    assert not turned.left.any()
    assert str(convention) in (suspicion(qrels, collection) or "")


@given(st.text(st.sampled_from("ae\u0301\u0323\u0308éộ가각\u1100\u1161\u11a8漢😀\n "), max_size=12))
def test_every_place_of_a_normalised_text_comes_back_in_order(text: str) -> None:
    for form in (Form.NFC, Form.NFD):
        scale = FormScale(Characters(text), Convention(form=form))
        normal = unicodedata.normalize(form.name, text)
        assert scale.length == len(normal)
        places = scale.to_code_points(range(len(normal) + 1)).tolist()
        assert places == sorted(places)
        assert places[-1] == len(text)


@given(
    st.lists(st.sampled_from(["&lt;", "&#10;", "é", "a ", "\r\n", "\r", "<i/>", "<!-- > & -->", "<?p x?>"]))
)
def test_each_character_is_where_the_file_writes_it(parts: list[str]) -> None:
    data = f"<!DOCTYPE a [<!-- ]> -->]>\n<a t='>'>{''.join(parts)}<![CDATA[x\r\n&]]></a> ".encode()
    read = scan(data, "x")
    found = written(data, read, "x")
    assert found.source is not None
    assert found.starts is not None
    assert found.ends is not None
    shown = {"&lt;": "<", "&#10;": "\n", "\r\n": "\n", "\r": "\n"}
    spelt = [found.source[start:end] for start, end in zip(found.starts, found.ends, strict=True)]
    assert [shown.get(one, one) for one in spelt] == [*read.text]


def test_entities_that_an_article_declares_leave_its_source_unknown(tmp_path: Path) -> None:
    data = b'<!DOCTYPE a [<!ENTITY e "<i>x</i>y">]><a>&e; z</a>'
    (tmp_path / "1.xml").write_bytes(data)
    read = scan(data, "x")
    assert written(data, read, "x").source is None
    row = Judgement("1", "1", 1, len(data), 44, Spans([(44, 45)]))
    diagnosis = examine(Qrels.from_judgements([row]), opened(tmp_path))
    assert diagnosis.sureness is Sureness.NONE
