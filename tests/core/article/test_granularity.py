"""What the pen takes: drags grow outward to words, sentences, paragraphs and elements."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inexview.core.article import granularity
from inexview.core.article.document import Document
from inexview.core.article.granularity import Granularity, Snapper
from inexview.core.text.spans import Spans

CHARACTER, WORD, SENTENCE, PARAGRAPH, ELEMENT = Granularity

ARTICLE = (
    "<article><header><title>Lamps</title></header>\n<bdy><p>The lamp was lit at dusk. "
    "No one <b>had asked</b> who.</p>\n<p>One.  Two!</p><list><entry>first entry</entry>\n"
    "<entry>re-entry 🙂 e\u0301te\u0301</entry></list></bdy></article>"
)
DOCUMENT = Document.from_bytes(ARTICLE.encode())
TEXT = DOCUMENT.text


def grown(part: str, granularity: Granularity) -> str:
    """Drag over a part of the text, and say what is taken."""
    start = TEXT.index(part)
    first, last = Snapper(DOCUMENT).grow(start, start + len(part), granularity)
    return TEXT[first:last]


def test_a_drag_within_a_sentence_takes_the_sentence_without_the_white_space_after_it() -> None:
    assert grown("amp was l", SENTENCE) == "The lamp was lit at dusk."


def test_a_drag_over_a_boundary_takes_both_sentences() -> None:
    assert grown("dusk. No", SENTENCE) == "The lamp was lit at dusk. No one had asked who."


def test_a_drag_that_only_reaches_the_space_after_a_sentence_does_not_take_the_next() -> None:
    assert grown("lit at dusk. ", SENTENCE) == "The lamp was lit at dusk."
    assert grown(" No one", SENTENCE) == "No one had asked who."


def test_a_drag_over_paragraphs_headings_and_items_takes_whole_sentences_at_both_ends() -> None:
    assert grown("asked who.\nOne.  Two!first", SENTENCE) == "No one had asked who.\nOne.  Two!first entry"


def test_a_drag_in_white_space_takes_the_unit_before_it() -> None:
    assert grown("  ", SENTENCE) == "One."
    assert grown("  ", WORD) == "."
    assert grown("  ", CHARACTER) == "  "


def test_a_click_takes_the_unit_that_it_touches() -> None:
    at = TEXT.index("ne had")
    snapper = Snapper(DOCUMENT)
    assert TEXT[slice(*snapper.grow(at, at, WORD))] == "one"
    assert TEXT[slice(*snapper.grow(at, at, SENTENCE))] == "No one had asked who."


@pytest.mark.parametrize(
    ("part", "word"),
    [("ske", "asked"), ("entry 🙂", "re-entry 🙂"), ("e\u0301t", "e\u0301te\u0301"), ("!", "!")],
)
def test_words_keep_their_hyphens_and_accents(part: str, word: str) -> None:
    assert grown(part, WORD) == word


def test_words_begin_where_words_are() -> None:
    document = Document.from_bytes(b"<a><p>In air-breathing 7,000.5 of 3, 4.</p><p>5 re-</p><p>entry</p></a>")
    snapper, text = Snapper(document), document.text
    assert text == "In air-breathing 7,000.5 of 3, 4.5 re-entry"
    starts = [0]
    while (after := snapper.start_after(starts[-1], WORD)) > starts[-1]:
        starts.append(after)
    words = ["In", "air-breathing", "7,000.5", "of", "3", "4", "5", "re", "entry"]
    assert [text[slice(*snapper.word_at(at))] for at in starts] == words
    back = [starts[-1]]
    while back[-1] > 0:
        back.append(snapper.start_before(back[-1], WORD))
    assert back[::-1] == starts


def test_a_hyphen_that_begins_or_ends_the_text_is_its_own_word() -> None:
    snapper = Snapper(Document.from_bytes(b"<a>-lamp oil-</a>"))
    assert [snapper.word_at(offset) for offset in (0, 1, 8, 9)] == [(0, 1), (1, 5), (6, 9), (9, 10)]


def test_a_chinese_character_is_its_own_word() -> None:
    document = Document.from_bytes("<a>東京は大きい</a>".encode())
    assert Snapper(document).grow(1, 2, WORD) == (1, 2)


@pytest.mark.parametrize(
    "words",
    [
        ["विद्यार्थी", "पढ़ते", "हैं", "।"],
        ["كِتَابٌ", "جَدِيدٌ", "؟"],
        ["می\u200cخواهم", "کتاب\u200cها"],
        ["בְּרֵאשִׁית", "צה״ל", 'צה"ל', "ג'ירף"],
        ["Tie\u0302\u0301ng", "Vie\u0323\u0302t", "col·laborar"],
        ["น้ำมันมะกอก", "ใช้ในตะเกียง"],
        ["か\u3099", "葛\U000e0100", "城"],
        ["👨\u200d👩\u200d👧", "👍🏽", "🇩🇪", "☀\ufe0f", "1\ufe0f\u20e3"],
        ["ก" * 190],
    ],
    ids=["Hindi", "Arabic", "Persian", "Hebrew", "accents", "Thai", "Japanese", "pictures", "long"],
)
@pytest.mark.parametrize("space", [" ", " (", "  \n"])
def test_words_of_other_scripts_are_whole_and_begin_once(words: list[str], space: str) -> None:
    words = [*words, "oil"]
    text = space.join(words)
    snapper = Snapper(Document.from_bytes(f"<a>{text}</a>".encode()))
    starts = [sum(map(len, words[:at])) + at * len(space) for at in range(len(words))]
    for start, word in zip(starts, words, strict=True):
        held = {snapper.word_at(at) for at in range(start, start + len(word))}
        assert held == {(start, start + len(word))}
    begins = [start for start, word in zip(starts, words, strict=True) if word[0].isalnum()]
    forth = [snapper.start_after(at, WORD) for at in range(len(text))]
    assert set(forth) == {at for at in begins if at}
    back = {snapper.start_before(at, WORD) for at in range(begins[0] + 1, len(text))}
    assert back == set(begins)


def test_stepping_leaves_a_word_longer_than_the_window() -> None:
    text = f"oil {'ก' * 999} lamp"
    snapper = Snapper(Document.from_bytes(f"<a>{text}</a>".encode()))
    assert [snapper.start_after(at, WORD) for at in (0, 4, 500)] == [4, 1004, 1004]
    assert [snapper.start_before(at, WORD) for at in (1004, 800, 4)] == [4, 4, 0]


def test_of_many_marks_on_a_letter_each_is_looked_at_a_few_hundred_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    marks = granularity._is_mark
    monkeypatch.setattr(granularity, "_is_mark", lambda mark: asked.append(mark) or marks(mark))
    snapper = Snapper(Document.from_bytes(f"<a>oil a{chr(0x301) * 9_900} lamp</a>".encode()))
    start, end = snapper.grow(9_500, 9_501, WORD)
    assert start < 9_500 < end - 1
    assert len(asked) < 200_000


def test_each_chinese_character_is_stepped_to() -> None:
    snapper = Snapper(Document.from_bytes("<a>東京は、3回</a>".encode()))
    assert [snapper.start_after(at, WORD) for at in range(6)] == [1, 2, 4, 4, 5, 5]


def test_a_paragraph_is_a_display_block_without_the_white_space_around_it() -> None:
    assert grown("lamp", PARAGRAPH) == "The lamp was lit at dusk. No one had asked who."
    assert grown("Two!f", PARAGRAPH) == "One.  Two!first entry"


def test_an_element_is_the_innermost_that_holds_the_drag() -> None:
    assert grown("ad as", ELEMENT) == "had asked"
    assert grown("ne had", ELEMENT) == "The lamp was lit at dusk. No one had asked who."
    assert grown("who.\nOne", ELEMENT) == TEXT[TEXT.index("The lamp") :]


def test_entry_points_are_sentence_starts() -> None:
    snapper = Snapper(DOCUMENT)
    assert snapper.entry_point_at(TEXT.index("asked")) == TEXT.index("No one")
    assert snapper.sentence_at(TEXT.index("Two!")) == (TEXT.index("Two!"), TEXT.index("Two!") + 4)


def test_a_document_without_text_can_be_dragged_over() -> None:
    empty = Snapper(Document.from_bytes(b"<article/>"))
    assert [empty.grow(0, 5, granularity) for granularity in Granularity] == [(0, 0)] * 5


@given(st.integers(-3, len(TEXT) + 3), st.integers(-3, len(TEXT) + 3), st.sampled_from(Granularity))
def test_growing_never_loses_a_visible_character_and_growing_again_changes_nothing(
    start: int, end: int, granularity: Granularity
) -> None:
    snapper = Snapper(DOCUMENT)
    first, last = snapper.grow(start, end, granularity)
    low, high = max(min(start, end), 0), min(max(start, end), len(TEXT))
    assert 0 <= first <= last <= len(TEXT)
    assert not TEXT[low : max(first, low)].strip()
    assert not TEXT[min(last, high) : high].strip()
    assert snapper.grow(first, last, granularity) == (first, last)


SPACED = b"<article><p>One. Two.</p>\n\n<p>Three. Four.</p> <p>Five.</p></article>"


def test_units_marked_one_after_another_join_as_one_drag_would() -> None:
    document = Document.from_bytes(SPACED)
    snapper, marks = Snapper(document), Spans()
    for words in ("Two.", "One.", "Four.", "Three."):
        start = document.text.index(words)
        marks |= Spans([snapper.joined(start, start + len(words), marks)])
    assert [document.text[start:end] for start, end in marks] == ["One. Two.\n\nThree. Four."]


def test_erasing_a_unit_leaves_no_white_space_at_the_end_of_a_mark() -> None:
    document = Document.from_bytes(SPACED)
    snapper, marks = Snapper(document), Spans([(0, document.length)])
    start = document.text.index("Three.")
    marks -= Spans([snapper.cleared(start, start + 6, marks)])
    assert [document.text[start:end] for start, end in marks] == ["One. Two.", "Four. Five."]
    assert snapper.cleared(start, start + 6, Spans()) == (start, start + 6)


def test_marks_do_not_join_over_words_nor_over_a_desert_of_white_space() -> None:
    document = Document.from_bytes(b"<article><p>One. Two. Three.</p></article>")
    assert Snapper(document).joined(10, 16, Spans([(0, 4)])) == (10, 16)
    desert = Document.from_bytes(b"<article><p>One.</p>" + b" " * 5000 + b"<p>Two.</p></article>")
    end = desert.length
    assert Snapper(desert).joined(end - 4, end, Spans([(0, 4)])) == (end - 4, end)


def test_a_word_ends_with_its_block_though_no_white_space_follows() -> None:
    document = Document.from_bytes(b"<article><name>Oil lamp</name><p>Lamps burn</p><p>oil.</p></article>")
    snapper, text = Snapper(document), document.text
    assert text == "Oil lampLamps burnoil."
    words = [text[slice(*snapper.word_at(at))] for at in (4, 7, 8, 12, 17, 18)]
    assert words == ["lamp", "lamp", "Lamps", "Lamps", "burn", "oil"]
    starts = [0, 4, 8, 14, 18]
    forth = [snapper.start_after(at, WORD) for at in starts]
    assert forth == [4, 8, 14, 18, 18]
    assert [snapper.start_before(at, WORD) for at in starts] == [0, 0, 4, 8, 14]


@pytest.mark.parametrize("unit", Granularity)
def test_one_walks_over_all_units_to_the_end_and_back(unit: Granularity) -> None:
    document = Document.from_bytes(SPACED)
    snapper = Snapper(document)
    forth = [0]
    while (following := snapper.start_after(forth[-1], unit)) > forth[-1]:
        forth.append(following)
    back = [forth[-1]]
    while (before := snapper.start_before(back[-1], unit)) < back[-1]:
        back.append(before)
    assert back == forth[::-1]
    wanted = {
        Granularity.CHARACTER: [at for at, character in enumerate(document.text) if not character.isspace()],
        Granularity.WORD: [document.text.index(word) for word in ("One", "Two", "Three", "Four", "Five")],
        Granularity.SENTENCE: [document.text.index(word) for word in ("One", "Two", "Three", "Four", "Five")],
        Granularity.PARAGRAPH: [document.text.index(word) for word in ("One", "Three", "Five")],
        Granularity.ELEMENT: [document.text.index(word) for word in ("One", "Three", "Five")],
    }
    assert forth == wanted[unit]


def test_a_selection_takes_a_unit_more_and_never_only_the_space_before_it() -> None:
    text = "One. Two.\n\nThree."
    snapper = Snapper(Document.from_bytes(b"<article><p>One. Two.</p>\n\n<p>Three.</p></article>"))
    reached = [text[at:] for at in (snapper.reach_after(at, Granularity.SENTENCE) for at in (0, 4, 5, 9, 11))]
    assert reached == ["Two.\n\nThree.", "Three.", "Three.", "", ""]
    assert snapper.reach_after(0, Granularity.PARAGRAPH) == text.index("Three")
    assert snapper.reach_after(3, Granularity.WORD) == text.index("Two")


def named(part: str, unit: Granularity) -> list[tuple[str, str]]:
    """Say what the first character of a part may stand for, and the text of it."""
    targets = Snapper(DOCUMENT).targets(TEXT.index(part), unit)
    return [(target.name, TEXT[target.start : target.end].strip()[:30]) for target in targets]


def test_a_place_stands_for_its_units_and_the_elements_that_hold_more() -> None:
    assert named("asked", SENTENCE) == [
        ("word", "asked"),
        ("sentence", "No one had asked who."),
        ("paragraph", "The lamp was lit at dusk. No o"),
        ("bdy", "The lamp was lit at dusk. No o"),
        ("article", "Lamps\nThe lamp was lit at dusk"),
    ]
    assert named("asked", ELEMENT)[:2] == [("b", "had asked"), ("p", "The lamp was lit at dusk. No o")]
    assert named("first entry", WORD)[1:3] == [
        ("sentence", "first entry"),
        ("list", "first entry\nre-entry 🙂 été"),
    ]


@given(offset=st.integers(0, len(TEXT) - 1), unit=st.sampled_from([SENTENCE, ELEMENT]))
def test_targets_hold_one_another_and_the_last_is_the_article(offset: int, unit: Granularity) -> None:
    snapper = Snapper(DOCUMENT)
    targets = snapper.targets(offset, unit)
    for inner, outer in pairwise(targets):
        assert outer.start <= inner.start
        assert inner.end <= outer.end
        assert TEXT[outer.start : outer.end].strip() != TEXT[inner.start : inner.end].strip()
    for target in targets:
        again = snapper.grow(target.start, target.end, target.unit)
        assert TEXT[slice(*again)].strip() == TEXT[target.start : target.end].strip()
    assert targets[-1].end - targets[-1].start == len(TEXT)


@pytest.mark.parametrize(
    ("xml", "sentences", "paragraphs"),
    [
        (
            "<article><name>Lamps</name><conversionwarning>0</conversionwarning>"
            "<body><p>One. Two.</p></body></article>",
            ["Lamps", "One.", "Two."],
            ["Lamps", "One."],
        ),
        (
            "<article><hdr>IEEE</hdr><fm><tig><atl>Lamps</atl></tig></fm><bdy><p>One.</p></bdy></article>",
            ["Lamps", "One."],
            ["Lamps", "One."],
        ),
        (
            '<article><name>Lamps</name><infobox><field name="made">1900</field>'
            '<field name="of">glass</field></infobox>'
            "<p>One.</p><languagelink>de</languagelink></article>",
            ["Lamps", "1900", "glass", "One."],
            ["Lamps", "One."],
        ),
    ],
    ids=["2006", "ieee", "panel"],
)
def test_stepping_skips_metadata_of_the_article(
    xml: str, sentences: list[str], paragraphs: list[str]
) -> None:
    document = Document.from_bytes(xml.encode())
    snapper = Snapper(document)
    for unit, stops in ((SENTENCE, sentences), (PARAGRAPH, paragraphs)):
        wanted = [document.text.index(stop) for stop in stops]
        forth = [wanted[0]]
        while (following := snapper.stop_after(forth[-1], unit)) > forth[-1]:
            forth.append(following)
        assert forth == wanted
        back = [forth[-1]]
        while (before := snapper.stop_before(back[-1], unit)) < back[-1]:
            back.append(before)
        assert back == wanted[::-1]


@pytest.mark.parametrize("unit", [WORD, SENTENCE, PARAGRAPH])
def test_what_stands_before_all_text_is_no_unit_to_go_past(unit: Granularity) -> None:
    snapper = Snapper(Document.from_bytes(b"<article>\n\n<name>Lamp</name>\n<p>One.</p></article>"))
    assert snapper.stop_after(0, unit) == snapper.stop_after(2, unit) == 7
