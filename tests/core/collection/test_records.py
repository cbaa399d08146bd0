"""Collections of texts, pages and records: ids, texts character by character, places, and what is wrong."""

from __future__ import annotations

import gzip
import json
import unicodedata
import zipfile
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.article.plain_documents import (
    scan_html,
    scan_markdown,
    scan_text,
    written_html,
    written_text,
)
from inexview.core.collection.collection import Collection
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, InexviewError

TEXTS = {"a": "Erster Absatz.\nNoch einer. 🚢\n\n\fZweiter, mit \x01 und Ende", "Ordner 1/b & c, #2": "Kurz."}


def folder_of(path, suffix=".txt", texts=TEXTS):
    for name, text in texts.items():
        file = path / f"{name}{suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return path


def all_of(path):
    with closing(Collection.open(path)) as collection:
        return {id: collection.load(id).text for id in collection.ids()}


def test_a_folder_of_texts_keeps_every_character_and_leaves_off_the_suffix_of_all(tmp_path):
    assert all_of(folder_of(tmp_path / "texts")) == TEXTS


def test_an_archive_of_texts_is_the_same(tmp_path):
    folder = folder_of(tmp_path / "texts")
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as packed:
        for name in TEXTS:
            packed.write(folder / f"{name}.txt", f"{name}.txt")
    assert all_of(tmp_path / "t.zip") == TEXTS


def test_several_suffixes_are_part_of_ids_which_are_found_without_them(tmp_path):
    folder = folder_of(tmp_path / "texts", texts={"a": "A"})
    folder_of(folder, ".md", {"a": "# A", "b": "B"})
    with closing(Collection.open(folder)) as collection:
        assert list(collection.ids()) == ["a.md", "a.txt", "b.md"]
        assert collection.load("b").text == "B"
        assert collection.load("a.txt").text == "A"
        assert collection.holding(["b", "a.txt", "c"]) == {"b", "a.txt"}


def test_texts_are_skipped_in_a_collection_of_xml_articles(tmp_path):
    folder = folder_of(tmp_path / "texts")
    (folder / "x.xml").write_text("<article>X</article>", encoding="utf-8")
    assert all_of(folder) == {"x": "X"}


def test_composed_letters_are_found_however_a_file_system_writes_them(tmp_path):
    folder = folder_of(tmp_path / "texts", texts={unicodedata.normalize("NFD", "Übersee"): "Ü"})
    with closing(Collection.open(folder)) as collection:
        for form in ("NFC", "NFD"):
            assert collection.load(unicodedata.normalize(form, "Übersee")).text == "Ü"
        assert list(collection.ids()) == ["Übersee"]


def test_line_ends_are_universal_and_a_byte_order_mark_is_no_character():
    data = "\ufeffeins\r\nzwei\rdrei\n".encode()
    read = scan_text(data, "x")
    assert read.text == "eins\nzwei\ndrei\n"
    way = written_text(data, read, "x")
    assert way.source is not None
    assert way.starts is not None
    assert way.ends is not None
    pieces = [way.source[a:b] for a, b in zip(way.starts, way.ends, strict=True)]
    assert "".join(pieces) == "eins\r\nzwei\rdrei\n"


CHARACTERS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\ufeff"), max_size=200)


@given(CHARACTERS)
@settings(deadline=None)
def test_any_text_is_read_character_by_character(text):
    for scan in (scan_text, scan_markdown):
        read = scan(text.encode(), "x")
        assert read.text == text
        assert int(read.elements.ends[0]) == len(text)


MARKS = st.lists(
    st.sampled_from(
        [
            "# ",
            "- ",
            "1. ",
            "> ",
            "**",
            "*",
            "`",
            "```\n",
            "[a](b)",
            "|",
            "\n",
            "\n\n",
            " ",
            "wort",
            "---\n",
            "~~",
        ]
    ),
    max_size=40,
)


@given(MARKS.map("".join))
@settings(deadline=None, max_examples=300)
def test_any_markdown_has_elements_that_nest_over_all_its_characters(text):
    read = scan_markdown(text.encode(), "x")
    assert read.text == text
    elements = read.elements
    for at in range(1, len(elements)):
        parent = int(elements.parents[at])
        assert elements.starts[parent] <= elements.starts[at] <= elements.ends[at] <= elements.ends[parent]


def test_markdown_has_sections_lists_tables_code_and_emphasis():
    text = (
        "# Oil\n\nPressed **hard**, `cold`.\n\n- one\n- two\n\n"
        "## Kinds\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx\n```\n"
    )
    read = scan_markdown(text.encode(), "x")
    found = [(e.tag, text[e.start : e.end]) for e in read.elements]
    for expected in [
        ("h1", "# Oil"), ("strong", "**hard**"), ("code", "`cold`"), ("li", "- two"), ("h2", "## Kinds"),
        ("td", "2"), ("pre", "```\nx\n```"), ("section", text[text.index("## Kinds") :]),
    ]:  # fmt: skip
        assert expected in found
    assert read.title == "Oil"
    assert "/article[1]/section[1]/section[1]/h2[1]" in [e.path for e in read.elements]


def test_a_page_is_its_text_nodes_without_scripts_and_head_and_knows_its_source():
    page = (
        "<!DOCTYPE html><html><head><title>Oil &amp; more</title><style>p {}</style></head><body>\r\n"
        "<p class='a>b'>Oil is <b>pressed</b>.<br>Second&nbsp;line &lt;3.</p>"
        "<script>if (a<b) {}</script><!-- no -->tail</body></html>"
    )
    read = scan_html(page.encode(), "x")
    assert read.title == "Oil & more"
    assert read.text.strip() == "Oil is pressed.Second\u00a0line <3.tail"
    way = written_html(page.encode(), read, "x")
    assert way.source == page
    assert way.starts is not None
    assert way.ends is not None
    at = read.text.index("\u00a0line")
    assert page[int(way.starts[at]) : int(way.ends[at + 4])] == "&nbsp;line"
    at = read.text.index("tail")
    assert page[int(way.starts[at]) : int(way.ends[at + 3])] == "tail"


RECORDS = [
    {"_id": "d 1", "title": "Öl", "text": "Eins.\n\nZwei 🚢"},
    {"_id": "#2", "title": "", "text": "Drei"},
]
EXPECTED = {"d 1": "Eins.\n\nZwei 🚢", "#2": "Drei"}
SHAPES = {
    "lines": "\n".join(map(json.dumps, RECORDS)),
    "lines with blank ones": "\n"
    + "\n\n".join(json.dumps(one, ensure_ascii=False) for one in RECORDS)
    + "\n",
    "a list": json.dumps(RECORDS),
    "a list, indented": json.dumps(RECORDS, indent=2, ensure_ascii=False),
    "one behind the other": "".join(map(json.dumps, RECORDS)),
    "a mark": "\ufeff" + "\n".join(map(json.dumps, RECORDS)),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_records_of_json_in_any_shape(tmp_path, shape, packed):
    data = SHAPES[shape].encode()
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(gzip.compress(data) if packed else data)
    with closing(Collection.open(path)) as collection:
        assert {id: collection.load(id).text for id in collection.ids()} == EXPECTED
        assert collection.load("d 1").title == "Öl"
        assert collection.title("d 1") == "Öl"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"docid": "m_0", "url": "u", "title": "T", "headings": "H", "body": "B b"}\n', {"m_0": "B b"}),
        ('{"docid": "m_0#1_2", "segment": "S s", "start_char": 3, "end_char": 6}\n', {"m_0#1_2": "S s"}),
        ('{"doc_id": 7, "title": "T", "abstract": ["Eins.", "Zwei."]}\n', {"7": "Eins. Zwei."}),
        ("1\tEin Text\n2\tNoch ein Text\n", {"1": "Ein Text", "2": "Noch ein Text"}),
        ("D1\thttp://u\tTitel\tDer Text ist das\n", {"D1": "Der Text ist das"}),
        ("<DOC>\n<DOCNO> A-1 </DOCNO>\n<TEXT>\nEins &amp; 2</TEXT></DOC>\n<doc><docno>A-2</docno>x</doc>\n",
         {"A-1": "Eins & 2", "A-2": "x"}),
    ],
    ids=["MS MARCO documents", "segments", "SciFact", "table", "documents in a table", "SGML"],
)  # fmt: skip
def test_records_of_other_forms(tmp_path, text, expected):
    path = tmp_path / "records"
    path.write_text(text, encoding="utf-8")
    assert {id: text.strip("\n") for id, text in all_of(path).items()} == expected


def test_an_invalid_record_is_skipped_with_a_warning(tmp_path):
    path = tmp_path / "corpus.jsonl"
    deep = "[" * 100_000
    path.write_text(
        "\n".join(
            (
                '{"_id": "a", "text": "A"}',
                f'{{"_id": "b", "text": {deep}',
                '{"text": "no id"}',
                "not json",
                '{"_id": "c", "text": "C"}\n',
            )
        ),
        encoding="utf-8",
    )
    with closing(Collection.open(path)) as collection:
        assert set(collection.ids()) >= {"a", "c"}
        assert collection.load("c").text == "C"
        assert any("records cannot be read" in said for said in collection.warnings)
        with pytest.raises(DataError):
            collection.load("b")


def test_texts_within_a_benchmark_are_a_collection(tmp_path):
    path = tmp_path / "dev.json"
    paragraph = {"context": TEXTS["a"], "qas": []}
    path.write_text(
        json.dumps({"version": "2", "data": [{"title": "Öl", "paragraphs": [paragraph]}]}), encoding="utf-8"
    )
    with closing(Collection.open(path)) as collection:
        assert {id: collection.load(id).text for id in collection.ids()} == {"Öl-0": TEXTS["a"]}
        assert collection.title("Öl-0") == "Öl"


def shard(numbers, *, indent=None):
    records = [{"docid": f"d{number}", "body": f"Text {number} 🚢\nEnd."} for number in numbers]
    if indent:
        return json.dumps(records, indent=indent).encode()
    return "\n".join(map(json.dumps, records)).encode()


def test_a_folder_of_packed_records_is_one_collection(tmp_path, monkeypatch):
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "msmarco"
    folder.mkdir()
    (folder / "part_01.json.gz").write_bytes(gzip.compress(shard(range(50, 100))))
    (folder / "part_00.json.gz").write_bytes(gzip.compress(shard(range(50))))
    (folder / "part_02.jsonl").write_bytes(shard(range(100, 120)))
    (folder / "README.md").write_text("# About them", encoding="utf-8")
    (folder / ".hidden.json").write_text("{", encoding="utf-8")
    (folder / "link.json").symlink_to("/etc/passwd")
    expected = {f"d{number}": f"Text {number} 🚢\nEnd." for number in range(120)}
    assert all_of(folder) == expected
    assert all_of(folder) == expected, "from the index that is kept"
    (folder / "part_03.jsonl").write_bytes(shard([500]))
    assert all_of(folder).keys() == {*expected, "d500"}
    (folder / "part_00.json.gz").unlink()
    assert len(all_of(folder)) == 71


def test_a_folder_of_lists_of_records_is_one_collection(tmp_path, monkeypatch):
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "lists"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.json").write_bytes(shard([2 * number, 2 * number + 1], indent=2))
    assert list(all_of(folder)) == [f"d{number}" for number in range(6)]


def test_json_files_are_skipped_in_a_collection_of_texts(tmp_path):
    folder = folder_of(tmp_path / "texts")
    (folder / "meta.jsonl").write_bytes(shard([1]))
    assert all_of(folder) == TEXTS


def test_a_truncated_shard_is_reported_with_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "cut"
    folder.mkdir()
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(shard(range(500)))[:-40])
    with pytest.raises(DataError, match=r"a\.jsonl\.gz: cannot be unpacked: compressed file ended"):
        all_of(folder)


NAMED = {
    "json": (
        '{"uuid": 7, "text": "no", "doc": {"body": "Text. 🚢"}, "head": "A  title"}\n',
        "uuid",
        "doc.body",
        "head",
    ),
    "list": ('[{"uuid": "7", "doc": {"body": "Text. 🚢"}, "head": "A title"}]', "uuid", "doc.body", "head"),
    "numbers": ("A title\tText. 🚢\tx\t7\n", "4", "2", "1"),
    "header": ("head\tbody\tno\tuuid\nA title\tText. 🚢\tx\t7\n", "uuid", "body", "head"),
}


@pytest.mark.parametrize("name", NAMED)
def test_the_fields_of_records_are_named(tmp_path, name):
    text, id, body, title = NAMED[name]
    path = tmp_path / "records"
    path.write_text(text, encoding="utf-8")
    keys = RecordKeys.parse(f"id={id}, text={body},title={title}")
    with closing(Collection.open(path, keys)) as collection:
        assert list(collection.ids()) == ["7"]
        assert collection.warnings == ()
        document = collection.load("7")
        assert (document.text, document.title) == ("Text. 🚢", "A title")


def test_other_names_for_the_same_file_are_another_collection(tmp_path, monkeypatch):
    """So the index that is kept is not taken for one of other names."""
    monkeypatch.setenv("INEXVIEW_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "r.jsonl"
    line = {"id": "1", "other": "2", "text": "one", "body": "two", "more": "x" * 300}
    path.write_text(
        "".join(json.dumps(line | {"id": f"{at}", "other": f"o{at}"}) + "\n" for at in range(4000))
    )
    for keys, expected in ((USUAL_KEYS, "7"), (RecordKeys(id="other", text="body"), "o7"), (USUAL_KEYS, "7")):
        with closing(Collection.open(path, keys)) as collection:
            assert expected in collection
            assert collection.load(expected).text == ("two" if keys else "one")


@pytest.mark.parametrize("written", ["", "id", "id=", "id=a,id=b", "name=x", "id=a;text=b=c,"])
def test_what_names_no_fields_is_refused(written):
    with pytest.raises(InexviewError, match="is not a list such as id=uuid"):
        RecordKeys.parse(written)


def test_missing_columns_and_files_are_reported(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("1\tone\n", encoding="utf-8")
    for keys in (RecordKeys(id="uuid"), RecordKeys(text="3"), RecordKeys(text="0")):
        with pytest.raises(InexviewError, match=r"there is no column"):
            Collection.open(path, keys)
    path.write_text("no table", encoding="utf-8")
    with pytest.raises(DataError, match="so --keys cannot be used"):
        Collection.open(path, RecordKeys(id="1"))
    with pytest.raises(DataError, match="there is no such file"):
        Collection.open(tmp_path / "nowhere", RecordKeys(id="1"))
    with pytest.raises(DataError, match="holds no JSON file"):
        Collection.open(tmp_path, RecordKeys(id="1"))


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".xml"])
@pytest.mark.parametrize("text", ["# A\r\n\r\n* b *c*\r| d |\n|---|\n", "\ufeffé", "", "na\xefve"])
def test_the_text_alone_is_that_of_the_document(tmp_path, suffix, text):
    text = f"<article>{text}</article>" if suffix == ".xml" else text
    data = text.encode("latin-1") if text.isascii() or "\xef" in text else text.encode()
    (tmp_path / f"a{suffix}").write_bytes(data.removeprefix(b"\xef\xbb\xbf") if suffix == ".xml" else data)
    with closing(Collection.open(tmp_path)) as collection:
        try:
            expected = collection.load("a").text
        except DataError:
            with pytest.raises(DataError):
                collection.text("a")
        else:
            assert collection.text("a") == expected
