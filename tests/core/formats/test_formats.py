"""Every format there is: a record, a sample, recognised from its content, and read back as it was written."""

from __future__ import annotations

import gzip
import os
import re
from contextlib import closing
from dataclasses import fields, replace
from importlib import import_module
from inspect import signature

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.formats.conversion import check_free
from inexview.core.formats.format import JUDGEMENTS, FileKind, Options, format_named, formats
from inexview.core.formats.readers import format_of
from inexview.core.judgements.elements import ElementJudgement
from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import Submitted
from inexview.core.text.spans import Spans
from tests.core.contents import CONTENTS, SAMPLES, write_articles

NAMES = [format.name for format in formats()]
LIKE_OTHERS = {"hard-run", "genomics-run", "diversity-qrels"}
"""Which look as an FOL run, as FOL qrels and as TREC qrels."""
SEEN = [name for name in NAMES if name not in LIKE_OTHERS]


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    with closing(Collection.open(write_articles(tmp_path_factory.mktemp("collection")))) as collection:
        yield Options(collection)


def written(folder, text, name="file"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_every_format_has_a_sample_and_content_to_be_tried_with():
    assert set(NAMES) == set(SAMPLES) == set(CONTENTS)
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize("suffix", ["txt", "xml", "", "pdf"])
def test_a_sample_is_recognised_whatever_it_is_called(tmp_path, name, suffix):
    assert format_of(written(tmp_path, SAMPLES[name], f"sample.{suffix}")).name == name


@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize(
    "disguise",
    [
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: b"\n \n" * (not text.startswith("<?")) + text.encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace(" ", "\t", 1).encode(),
    ],
    ids=["byte order mark", "CRLF", "blank lines", "no last newline", "a tab"],
)
def test_a_sample_is_recognised_in_any_dress(tmp_path, name, disguise):
    assert format_of(written(tmp_path, disguise(SAMPLES[name]))).name == name


@pytest.mark.parametrize("format", formats(), ids=lambda format: format.name)
def test_the_record_of_a_format_says_where_its_reader_and_writer_are(format):
    for one in (format.read, format.write):
        taken = signature(getattr(import_module(f"inexview.core.formats.{one.module}"), one.name)).parameters
        assert {*one.takes} <= {*taken}
        assert {*one.takes} <= {field.name for field in fields(Options)}


XML = [format.name for format in formats() if format.suffix == ".xml"]


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize(
    "before",
    [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        '<?xml version="1.0"?>\n<!-- <pool topic="1"/> <assessments topic="2"/> -->\n<?style sheet?>\n',
        "\n\n<!-- a comment -->\n",
    ],
)
def test_xml_is_recognised_behind_prolog_and_comments(tmp_path, name, before):
    assert format_of(written(tmp_path, before + SAMPLES[name])).name == name


@pytest.mark.parametrize("name", XML)
def test_xml_in_utf_16_is_recognised_and_read_as_the_same(tmp_path, options, name):
    format = format_named(name)
    plain = written(tmp_path, SAMPLES[name])
    wide = written(tmp_path, SAMPLES[name].encode("utf-16"), "wide")
    assert format_of(wide) is format
    assert format.read(wide, options) == format.read(plain, options)


@pytest.mark.parametrize("name", XML)
@pytest.mark.parametrize(
    "disguise",
    [
        lambda text: re.sub("(</?)(?!Init)([a-z]+)", lambda tag: tag[1] + tag[2].upper(), text),
        lambda text: re.sub("<([a-z][^ />]*)", r"<\1 xmlns='http://inex.example/'", text, count=1),
        lambda text: re.sub(
            "(</?)title>",
            r"\1i:title>",
            re.sub("<([a-z][^ />]*)", r"<\1 xmlns:i='i'", text, count=1),
        ),
    ],
    ids=["upper case", "a namespace", "a prefix"],
)
def test_xml_is_read_in_any_case_and_namespace(tmp_path, options, name, disguise):
    format = format_named(name)
    plain, odd = written(tmp_path, SAMPLES[name]), written(tmp_path, disguise(SAMPLES[name]), "odd")
    assert odd.read_bytes() != plain.read_bytes()
    assert format_of(odd) is format
    assert format.read(odd, options) == format.read(plain, options)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_read_and_written_to_the_same_again(tmp_path, options, name):
    format = format_named(name)
    first = format.read(written(tmp_path, SAMPLES[name]), options)
    format.write(first, tmp_path / "a", options)
    second = format.read(tmp_path / "a", options)
    format.write(second, tmp_path / "b", options)
    assert second == first
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_any_content_is_written_and_read_back_to_the_same(tmp_path_factory, options, name):
    format = format_named(name)
    folder = tmp_path_factory.mktemp("round")

    @settings(max_examples=settings.default.max_examples // 3)  # 15 formats share the time of five
    @given(CONTENTS[name])
    def holds(content):
        format.write(content, folder / "a", options)
        read = format.read(folder / "a", options)
        assert read == content
        format.write(read, folder / "b", options)
        assert (folder / "a").read_bytes() == (folder / "b").read_bytes()

    holds()


@pytest.mark.parametrize("kind", list(FileKind))
def test_each_kind_of_content_has_formats(kind):
    assert formats(kind)
    assert all(format.kind is kind for format in formats(kind))


def test_an_unknown_format_is_reported_with_the_known_ones():
    with pytest.raises(DataError, match=r"'fol': is not a format; there are fol-qrels, .*trec-run"):
        format_named("fol")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<article><p>x</p></article>", "is an article of a collection; expected one of"),
        ("<book><p>x</p></book>", "an unknown format, judging by its root <book>; name the format, one of"),
        ("one two three\n", "first line, of 3 fields (one two three); name the format, one of fol-qrels"),
        ("word\n", "first line, of 1 field (word);"),
        ("", "it is empty"),
        ("<", "its first tags, which cannot be read"),
        ('[{"a": 1,]', "begins like JSON, but its first value is not valid JSON"),
    ],
)
def test_an_unknown_file_is_reported_with_its_beginning(tmp_path, text, said):
    with pytest.raises(DataError) as raised:
        format_of(written(tmp_path, text))
    assert said in str(raised.value)
    assert str(tmp_path / "file") in str(raised.value)


@pytest.mark.parametrize(
    "content",
    [
        b"[General]\nappearance=light\nfolder=\nruns={}\nassessor=Ada Lovelace\n",
        b"\x7fELF\x02\x01\0\0\0 \x03\0\0\n",
    ],
)
def test_a_file_that_happens_to_hold_two_words_in_a_line_is_no_pool(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(DataError):
        format_of(tmp_path / "file")


@pytest.mark.parametrize("name", [name for name in NAMES if SAMPLES[name].lstrip().startswith("<")])
def test_xml_that_is_packed_is_recognised_and_read(tmp_path, name):
    path = written(tmp_path, gzip.compress(SAMPLES[name].encode()), "file.xml.gz")
    plain = written(tmp_path, SAMPLES[name].encode(), "plain.xml")
    assert format_of(path) is format_of(plain)
    assert format_of(path).read(path, Options()) == format_of(path).read(plain, Options())


def test_a_plain_list_below_many_comments_is_a_pool(tmp_path):
    (tmp_path / "pool").write_text("# a\n# made by hand\n#\n2026001 12\n", encoding="utf-8")
    assert format_of(tmp_path / "pool").kind is FileKind.POOL


def test_a_file_of_another_kind_is_reported_by_its_kind(tmp_path):
    with pytest.raises(DataError, match=r"looks like FOL run .*; expected one of fol-qrels"):
        format_of(written(tmp_path, SAMPLES["fol-run"]), FileKind.QRELS)


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("1 Q0 d 30 50 4\n1 Q0 e 0 60 -1\n", "fol-qrels"),  # best entry points and no passages
        ("1 Q0 d 1 50 7\n1 Q0 e 2 40 7\n", "trec-run"),  # a run called 7
        ("1 Q0 d 1 2.5 r\n", "trec-run"),
        ("1 0 12 30\n1 0 13 40\n", "trec-qrels"),
        ("1 Q0 12 3\n", "trec-qrels"),
        ("1 d 12 30\n1 d 50 40\n", "hard-qrels"),
        ("1 APW-1 12 30\n1 0 50 40\n", "hard-qrels"),
        ("1 Q0 d 1 0.5 r 30\n", "fol-run"),  # an entry point
        ("1 Q0 d 1 0.5 r 30 X\n1 Q0 e 2 0.4 r -1 -1\n", "fol-run"),
        ("1 Q0 d 30 50 4 4:30\n", "fol-qrels"),
        ("1 Q0 d 30 50 4 4:20 30:10\n", "fol-qrels"),
        ("1 Q0 d 30 50\n", "fol-qrels"),
        ("1 Q0 d 1 .5e-3 r /article\n", "fol-elements"),
        ("1 0 a 1 user7\n1 0 b 0 user7\n", "trec-qrels"),  # with a word more
        ("1 0 a 1 0.8\n1 0 b 0 0.7\n", "trec-qrels"),
        ("1 0 a 1 12\n1 0 b 0 7\n", "trec-qrels"),  # with the number of an assessor
        ("1 0 a 1 by hand\n", "trec-qrels"),
        ("1 7 1\n1 8 2\n2 9 1\n", "trec-run"),  # of MS MARCO
        ("1 7 2\n1 8 2\n2 9 1\n", "trec-qrels"),  # of BEIR, without a header
        ("[10pt] 0 a 1\n[10pt] 0 b 0\n", "trec-qrels"),  # an id with a bracket is no JSON
        ('{"1": {"a": 1, "b": 0}}', "json-qrels"),
        ('{"1": {"a": 1.5, "b": 0}}', "json-run"),
        ('{"qid": 1, "docno": "a", "label": 2}\n', "json-qrels"),
        ('[{"qid": "1", "docno": "a", "score": 2.0, "rank": 0}]\n', "json-run"),
        ("query_id,doc_id,relevance\n1,a,1\n", "json-qrels"),
        ("qid;docid;rank\n1;a;1\n", "json-run"),
        ("1 Q0 d 0 9\n1 Q0 e 0\n1 Q0 f 0 9\n", "fol-qrels"),  # most lines tell
    ],
)
def test_lines_that_could_be_several_formats_are_taken_by_rule(tmp_path, lines, name):
    assert format_of(written(tmp_path, lines)).name == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('<assessments topic="1"><file name="d"/></assessments>', "assessments-2005"),
        ('<assessments topic="1" version="2"><file name="d"/></assessments>', "assessments-2007"),
        (
            '<all><assessments topic="1"><file name="d"><passage/></file></assessments></all>',
            "assessments-2007",
        ),
        (
            '<assessments topic="1"><inex_topic topic_id="1"/><file><element E="1"/></file></assessments>',
            "assessments-2005",
        ),
        ('<topics><inex_topic topic_id="1"/></topics>', "topics-2007"),
        ('<topic id="1"/>', "topics-2009"),
        ('<x><topic topic-id="1"/></x>', "submission"),
        ('<pools><pool topic="1"/></pools>', "pool"),
        ("<pools/>", "pool"),
    ],
)
def test_tags_tell_the_formats_in_xml(tmp_path, text, name):
    assert format_of(written(tmp_path, text)).name == name


def folder_of(path, **files):
    path.mkdir()
    for name, text in files.items():
        (path / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return path


ARTICLE = "<article><name>Otters</name></article>"


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"a_txt": "1 Q0 d 0 9\n", "b_xml": SAMPLES["assessments-2007"]}, "assessments-2007"),
        ({"a_XML": SAMPLES["topics-2007"], "b_xml": SAMPLES["topics-2007"]}, "topics-2007"),
        (
            {"a_xml": '<assessments topic="1"><file name="d"/></assessments>',
             "b_xml": SAMPLES["assessments-2007"], "c_xml": SAMPLES["assessments-2007"]},
            "assessments-2007",
        ),
        ({"a_xml": "<notes/>", "b_xml": SAMPLES["pool"]}, "pool"),
        ({"a_txt": SAMPLES["pool-list"], ".hidden": "x"}, "pool-list"),
        ({"a_xml": ARTICLE, "b_xml": SAMPLES["pool"], "c_xml": SAMPLES["pool"]}, "pool"),
    ],
)  # fmt: skip
def test_a_folder_is_recognised_by_its_common_files(tmp_path, options, files, name):
    folder = folder_of(tmp_path / "folder", **files)
    assert format_of(folder).name == name


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "folder: cannot be read: the folder holds no file"),
        ({"a_xml": ARTICLE}, "folder: is a collection (a folder of articles); expected one of"),
        (
            {"1_xml": ARTICLE, "2_xml": ARTICLE, "a_xml": SAMPLES["submission"]},
            "is a collection (a folder of articles",
        ),
        (
            {"a_xml": SAMPLES["submission"], "b_xml": SAMPLES["submission"]},
            "is a folder, but submission files are read one at a time: name one, such as a.xml",
        ),
        ({"a_txt": SAMPLES["fol-run"]}, "but fol-run files are read one at a time: name one, such as a.txt"),
        (
            {"a_xml": SAMPLES["submission"], "b_xml": SAMPLES["assessments-2007"]},
            "holds files that cannot be read together (a.xml: submission XML (INEX 2003–2008); b.xml",
        ),
        ({"a_xml": "<notes/>"}, "holds no file in a known format"),
    ],
)
def test_an_unsupported_folder_is_reported_by_its_contents(tmp_path, files, said):
    with pytest.raises(DataError) as raised:
        format_of(folder_of(tmp_path / "folder", **files))
    assert said in str(raised.value)


def test_the_requested_kind_is_read_from_a_mixed_folder(tmp_path):
    files = {"a_xml": SAMPLES["topics-2009"], "b_xml": SAMPLES["assessments-2007"]}
    folder = folder_of(tmp_path / "folder", **files)
    assert format_of(folder, *JUDGEMENTS).name == "assessments-2007"
    assert format_of(folder, FileKind.TOPICS).name == "topics-2009"


def test_a_folder_of_another_kind_is_reported(tmp_path):
    folder = folder_of(tmp_path / "folder", a_xml=SAMPLES["submission"], b_xml=SAMPLES["submission"])
    with pytest.raises(DataError) as raised:
        format_of(folder, *JUDGEMENTS)
    assert "holds submission XML (INEX 2003–2008) (a.xml); expected one of" in str(raised.value)


def test_a_folder_of_folders_is_a_collection(tmp_path):
    (tmp_path / "co" / "2000").mkdir(parents=True)
    with pytest.raises(DataError, match="is a collection"):
        format_of(tmp_path)


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_recognised_or_refused_with_the_file_s_name(tmp_path_factory, data):
    path = written(tmp_path_factory.getbasetemp(), data, "noise")
    try:
        found = format_of(path)
    except DataError as error:
        found = error
    assert found in formats() or "noise" in str(found)


@pytest.mark.shared
def test_the_samples_of_the_formats_paper_are_read_as_it_says(tmp_path, options, shared):
    paper = (shared / "formats.md").read_text(encoding="utf-8")
    line = re.search(r"Real line: `(.*)`", paper)[1]
    qrels = format_of(written(tmp_path, line)).read(tmp_path / "file", options)
    assert qrels.at(0) == Judgement(
        "2009001", "1528075", 49158, 58542, 126, Spans([(126, 28887), (28893, 49290)])
    )
    xml = re.search(r"```\n(<inex-submission.*?)```", paper, re.DOTALL)[1].replace("…", "")
    submission = format_of(written(tmp_path, xml)).read(tmp_path / "file", options)
    assert submission.topics == {"414": (Submitted("12345", "/article[1]/body[1]/p[3]", score=0.5),)}
    assert (submission.run_id, submission.task, submission.collections) == ("R", "Focused", ("wikipedia",))
    assert dict(submission.attributes) == {
        "participant-id": "19",
        "query": "automatic",
        "result-type": "element",
    }
    ieee = re.search(r'`(<file collection="ieee".*?)…`', paper)[1]
    file = written(tmp_path, f'<assessments topic="202">{ieee}</file></assessments>')
    (judged,) = format_of(file).read(file, options).topics[0].documents
    assert format_of(file).name == "assessments-2005"
    assert judged.elements == (ElementJudgement("/article[1]", 1, 13556, 5494),)


TEXT = [format.name for format in formats() if format.suffix == ".txt"]


@pytest.mark.parametrize("name", TEXT)
def test_comments_and_blank_lines_in_text_are_skipped(tmp_path, options, name):
    format, first, *others = format_named(name), *SAMPLES[name].splitlines(keepends=True)
    plain = written(tmp_path, SAMPLES[name])
    commented = "".join(("# made by hand\n\n", first, "#\n#7 Q0 x 1\n", *others, "# the end"))
    odd = written(tmp_path, commented, "odd")
    assert name in LIKE_OTHERS or format_of(odd) is format
    assert format.read(odd, options) == format.read(plain, options)


@pytest.mark.parametrize(
    "name", [name for name in TEXT if name not in ("pool-list", "genomics-gold", "topics-tab")]
)
def test_lines_are_counted_with_comments_among_them(tmp_path, options, name):
    broken = SAMPLES[name].splitlines()[0].split()[:3]
    path = written(tmp_path, f"# one\n# two\n\n{' '.join(broken)}\n")
    with pytest.raises(DataError) as raised:
        format_named(name).read(path, options)
    assert f"{path}:4: has 3 fields" in str(raised.value)


@pytest.mark.parametrize("name", ["fol-qrels", "trec-qrels", "fol-run", "trec-run", "pool-list"])
def test_a_topic_that_would_be_read_back_as_a_comment_is_not_written(tmp_path, options, name):
    format = format_named(name)
    text = SAMPLES[name].splitlines()[0].partition(" ")[2]
    content = format.read(written(tmp_path, f"7 {text}\n"), options)
    if name == "pool-list":
        content = replace(content, topics={"#7": content.topics["7"]})
    else:
        content = replace(content, topics=("#7",))
    with pytest.raises(DataError, match="begins with #, like a comment"):
        format.write(content, tmp_path / "out", options)


def test_the_place_of_a_source_is_not_asked_for_a_file_that_is_not_there_yet(tmp_path, monkeypatch):
    source, asked, realpath = tmp_path / "articles.zip", [], os.path.realpath
    source.write_bytes(b"")
    monkeypatch.setattr(os.path, "realpath", lambda path: asked.append(path) or realpath(path))
    check_free(tmp_path / "new.txt", [source])
    assert asked == []
    with pytest.raises(DataError, match="is also an input file"):
        check_free(source, [source], overwrite=True)
    assert source in asked
