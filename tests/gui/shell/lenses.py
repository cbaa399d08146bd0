"""A project on lenses and lamps, and how tests judge in its window."""

from inexview.core.project.project import Project
from inexview.gui.article.article_view import Notice
from tests.gui.driving import (
    drag,
    text_area,
)

TOPICS = """<?xml version="1.0"?>
<inex-topic-file>
<topic id="7" ct_no="1"><title>lenses</title><castitle>//article[about(., lenses)]</castitle>
<phrasetitle>"lens"</phrasetitle><description>How lenses were made.</description>
<narrative>Relevant is what says how a lens was made.</narrative></topic>
<topic id="8" ct_no="2"><title>oil</title><castitle></castitle><phrasetitle></phrasetitle>
<description>Oil.</description><narrative>Anything on oil.</narrative></topic>
</inex-topic-file>
"""
WIKI_2006 = """<article><name id="11">Lens 🔭</name><conversionwarning>0</conversionwarning><body>
<p>The first lens was cast. It was 𝒳-shaped, says Dr. Vell; e\u0301tude in glass.
A third sentence\u00a0ends here.</p>
<section><title>Making</title>
<p>Glass was ground for weeks. Then it was polished.</p>
<normallist><item>First, sand and soda.</item><item>Second, fire &amp; patience.</item></normallist></section>
</body></article>"""
WIKI_2009 = """<article><header><title>Lamp</title><id>12</id></header><bdy>
<p>A lamp burns oil. <person confidence="0.8"><link>Argand</link></person> gave it a round wick.</p>
<sec><st>Light</st><p>東京 is bright. Its lamps burn all night.\r\nA new line in the source. Last one.</p>
<table><row><col>Year</col><col>Lamps</col></row><row><col>1784</col><col>one</col></row></table></sec>
</bdy></article>"""
IEEE = """<article><fno>R7108</fno><fm><tig><atl>On grinding</atl></tig>
<au><fnm>A.</fnm><snm>Mol</snm></au></fm>
<bdy><sec><st>Tools</st><ip1>A lathe turns. It needs a steady hand.</ip1>
<p>Water cools the glass. No one hurries.</p>
</sec></bdy></article>"""


def make_project(folder):
    """Make a project of three articles in three markups, with two topics."""
    collection = folder / "articles"
    collection.mkdir()
    for name, xml in (("11", WIKI_2006), ("12", WIKI_2009), ("13", IEEE)):
        (collection / f"{name}.xml").write_bytes(xml.encode("utf-8"))
    (folder / "topics.xml").write_text(TOPICS, encoding="utf-8")
    path = folder / "lenses.inexview"
    pool = folder / "pool.txt"
    pool.write_text("".join(f"{topic} {document}\n" for topic in (7, 8) for document in (11, 12, 13)))
    topics = folder / "topics.xml"
    Project.create(path, collection=collection, topics=topics, pool=pool, assessor="ada").close()
    return path


def settle(qtbot, window):
    qtbot.waitUntil(lambda: bool(text_area(window.article).visible().lines))
    window.article.setFocus()


def go_to(qtbot, window, document_id):
    window.session.open_document(document_id)
    qtbot.waitUntil(lambda: window.session.document_id == document_id)
    settle(qtbot, window)


def text_of(window, span):
    return window.session.document.text[span[0] : span[1]]


def find(window, words):
    return window.session.document.text.index(words)


def drag_over(window, words, **how):
    start = find(window, words)
    drag(window.article, start, start + len(words), **how)


def notice_of(window):
    return window.article.findChild(Notice)
