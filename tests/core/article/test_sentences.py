"""Sentence boundaries: the gold set, the known failures of nupunkt, and what blocks have to say."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from inexview.core.article.document import Document
from inexview.core.article.granularity import Sentences, sentence_starts

GOLD = Path(__file__).parents[2] / "data" / "sentences" / "gold.txt"


def gold() -> list[tuple[str, set[int]]]:
    blocks = []
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        text, boundaries = "", set()
        for number, piece in enumerate(line.split("‖")):
            if number:
                text += "" if piece.startswith("=") else " "
                boundaries.add(len(text))
            text += piece.removeprefix("=")
        blocks.append((text, boundaries))
    return blocks


def split(text: str) -> list[str]:
    starts = sentence_starts(text)
    return [text[start:end].strip() for start, end in pairwise([*starts, len(text)])]


def test_boundaries_reach_the_measured_f_on_the_gold_set() -> None:
    hits = misses = false_alarms = 0
    for text, boundaries in gold():
        found = set(sentence_starts(text)[1:])
        hits += len(found & boundaries)
        misses += len(boundaries - found)
        false_alarms += len(found - boundaries)
    assert hits + misses >= 150
    assert 2 * hits / (2 * hits + misses + false_alarms) >= 0.98


@pytest.mark.parametrize(
    "sentences",
    [
        ["It was shown.[27]", "The next one followed.[28][29]", "No one looked.[citation needed]"],
        ["The harbour silted up,[8] and trade moved north.[9]", "By 1900 it was gone."],
        ["J. R. R. Tolkien wrote it.", "It sold well."],
        ["Lt. Marsh followed.", "Col. Hay stayed with Dr. Vell and Mrs. Dunn."],
        ["He called it “a crime.”", "The audience agreed."],
        ["What a band!", "Yahoo! played first."],
    ],
)
def test_what_nupunkt_gets_wrong_is_put_right(sentences: list[str]) -> None:
    assert split(" ".join(sentences)) == sentences


def test_chinese_and_japanese_stops_end_sentences_without_white_space() -> None:
    assert split("東京は大きい。人が多い！そうですか？はい。") == [
        "東京は大きい。",
        "人が多い！",
        "そうですか？",
        "はい。",
    ]
    assert split("「行こう。」と彼は言った。") == ["「行こう。」と彼は言った。"]


def test_blank_text_has_no_sentence() -> None:
    assert sentence_starts("") == []
    assert sentence_starts(" \n\t ") == []


def sentences_of(body: bytes) -> list[str]:
    document = Document.from_bytes(b"<article><body>" + body + b"</body></article>")
    sentences = Sentences(document.text, document.blocks)
    spans = [
        span for index in range(len(document.blocks)) for span in zip(*sentences.of_block(index), strict=True)
    ]
    return [document.text[start:end] for start, end in spans]


def test_no_sentence_crosses_a_block_and_none_holds_the_white_space_around_it() -> None:
    found = sentences_of(b"\n<title>No stop</title>\n<p> One goes on  \n\n and on. Two. </p>\n<p>three</p>\n")
    assert found == ["No stop", "One goes on", "and on.", "Two.", "three"]


def test_a_heading_is_one_sentence_whatever_stops_it_has() -> None:
    found = sentences_of(b"<title>Who? When? Why.</title><section><title>One. Two.</title></section>")
    assert found == ["Who? When? Why.", "One. Two."]


@pytest.mark.parametrize(
    "markup",
    [
        "<normallist><item>{}</item></normallist>",
        "<ul><li><p>{}</p></li></ul>",
        "<table><tr><td>{}</td></tr></table>",
        "<table><tr><th>{}</th></tr></table>",
        "<table><row><cell>{}</cell></row></table>",
        "<table><row><col>{}</col></row></table>",
        "<table><tgroup><tbody><row><entry>{}</entry></row></tbody></tgroup></table>",
        "<table><tr><td><table><tr><td><p>{}</p></td></tr></table></td></tr></table>",
        "<table><caption>{}</caption></table>",
        "<figure><caption>{}</caption></figure>",
        "<image>{}</image>",
        "<template><param name='x'>{}</param></template>",
        "<definitionlist><definition>{}</definition></definitionlist>",
        "<footnote>{}</footnote>",
    ],
)
def test_a_sentence_is_one_in_cells_items_captions_and_boxes_too(markup: str) -> None:
    sentences = ["It burns oil, says Dr. Vell.", "It glows at night.", "No. 5 did not"]
    assert sentences_of(markup.format(" ".join(sentences)).encode()) == sentences


@pytest.mark.parametrize(
    "cell",
    ["St. Louis, Mo.", "J. R. R. Tolkien", "1. FC Rot", "approx. 3.5 m", "Dec. 12, 1990", "U.S. Open", "7"],
)
def test_a_short_text_with_full_stops_is_one_sentence(cell: str) -> None:
    assert sentences_of(f"<table><tr><td>{cell}</td></tr></table>".encode()) == [cell]


def test_white_space_after_a_sentence_answers_with_that_sentence() -> None:
    document = Document.from_bytes(b"<article><p>One. Two.</p></article>")
    sentences = Sentences(document.text, document.blocks)
    assert [sentences.at(offset) for offset in (0, 3, 4, 5, 8, 9)] == [(0, 4)] * 3 + [(5, 9)] * 3


def test_a_blank_block_has_no_sentence() -> None:
    document = Document.from_bytes(b"<article>  <p> </p> <p>  </p></article>")
    sentences = Sentences(document.text, document.blocks)
    assert [sentences.at(offset) for offset in range(document.length)] == [(at, at) for at in range(6)]


def test_a_document_without_text_has_empty_sentences() -> None:
    document = Document.from_bytes(b"<article/>")
    assert Sentences(document.text, document.blocks).at(0) == (0, 0)


@pytest.mark.parametrize("repeated", ["!", ".)", ".[1]", "।", '?"', ".["])
def test_a_million_stops_without_white_space_are_gone_through_once(repeated: str) -> None:
    """Of each from the first one on, the hour of a test would not be enough."""
    text = f"{repeated * (1_000_000 // len(repeated))} went out at dusk. Nobody came."
    assert sentence_starts(text)[-1] == text.index("Nobody")


def test_a_sentence_may_end_with_an_overlong_word() -> None:
    address = "http://x/" + "a?b=!c&" * 100 + "end"
    text = f"They went to {address}. Nobody came to {address}?1 again. It rained."
    assert [text[start:][:6] for start in sentence_starts(text)] == ["They w", "Nobody", "It rai"]
