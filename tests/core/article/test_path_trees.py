"""Paths that name some semantic wrappers and leave out others: a walk over lxml's tree as the oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from inexview.core.article.document import Scan, scan
from inexview.core.article.elements import LONGEST_SEARCH, Paths, PathTarget, PathTree
from tests.core import xml_trees
from tests.core.article.test_paths import elements

Tree = etree._Element
Keep = Callable[[Tree], bool]


def article(xml: bytes) -> Scan:
    return scan(xml, "article")


ADA = article(
    b"<article><person wordnetid='1'><header><title>Ada</title></header>"
    b"<bdy><sec>one</sec><group wordnetid='2'><sec>two <p>a <person wordnetid='1'>b</person> c</p></sec>"
    b"</group><sec>three</sec></bdy></person></article>"
)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/article[1]/bdy[1]/group[1]/sec[1]/p[1]", "a b c"),
        ("/article[1]/bdy[1]/sec[2]/p[1]/person[1]", "b"),
        ("/article[1]/person[1]/bdy[1]/sec[2]/p[1]/person[1]", "b"),
        ("/article[1]/bdy[1]/group[1]", "two a b c"),
        ("/article/bdy/group/sec/p/person", "b"),
        ("/article[1]/bdy[1]/group[1]/sec[1]/p[1]/text()[1]", "a "),
        ("/article[1]/bdy[1]/group[1]/sec[1]/p[1]/text()[2]", " c"),
        ("/article[1]/bdy[1]/group[1]/sec[1]/p[1]/person[1]/text()[1]", "b"),
    ],
)
def test_a_path_may_name_some_wrappers_and_leave_out_others(path: str, text: str) -> None:
    place = Paths(ADA).point(path)
    assert place is not None
    assert ADA.text[place.start : place.end] == text
    assert place.skipping


@pytest.mark.parametrize(
    "path",
    [
        "/article[1]/bdy[1]/group[2]", "/article[1]/bdy[1]/group[1]/sec[2]", "/article[1]/group[1]",
        "/person[1]/bdy[1]", "/article[1]/bdy[1]/person[1]",
        "/article[1]/bdy[1]/group[1]/sec[1]/p[1]/text()[3]",
        "/article[1]/bdy[1]/group[1]/sec[1]/p[1]/text()[1].6",
    ],
)  # fmt: skip
def test_a_path_that_leads_nowhere_is_none(path: str) -> None:
    assert Paths(ADA).point(path) is None


def test_a_text_that_wrappers_part_can_be_counted_with_and_without_them() -> None:
    paths = Paths(ADA)
    p = "/article[1]/bdy[1]/group[1]/sec[1]/p[1]"
    assert paths.point(f"{p}/text()[1].2") == paths.point(f"{p}/person[1]/text()[1].0")
    # The second person is left out here: its text is part of the paragraph's only node.
    start = ADA.text.index("a b c")
    assert paths.point(f"{p}/text()[1].5") == PathTarget(start + 5, start + 5, skipping=True)


def test_a_step_is_taken_as_the_file_stands_before_wrappers_are_left_out() -> None:
    """Where several readings are possible, the first of the documented order is taken."""
    document = article(
        b"<a><w wordnetid='1'><v wordnetid='1'><s>in</s></v><s>out</s><v wordnetid='1'><b>x</b></v></w></a>"
    )
    paths = Paths(document)
    assert document.text == "inoutx"
    assert paths.element("/a/s[1]") == PathTarget(0, 2, skipping=True)  # all are left out
    assert paths.element("/a/w/s[1]") == PathTarget(2, 5)  # as the file stands
    assert paths.element("/a/v[2]/b[1]") == PathTarget(5, 6, skipping=True)
    assert paths.element("/a/w/s[2]") == PathTarget(
        2, 5, skipping=True
    )  # there is no second as the file stands


def named(element: Tree) -> str:
    """Return a tag as the file writes it."""
    return str(element.tag).replace("{x}", "x:")


def is_wrapper(element: Tree) -> bool:
    return element.getparent() is not None and "wordnetid" in element.attrib


def children(element: Tree, keep: Keep) -> Iterator[Tree]:
    """Yield the children of an element as they are where wrappers that are not kept have no tags."""
    for child in element.iterchildren(etree.Element):
        if is_wrapper(child) and not keep(child):
            yield from children(child, keep)
        else:
            yield child


def ways(tag: str) -> list[Keep]:
    """Return the ways to count the children of a tag, in the order in which they are tried."""
    return [lambda _: True, lambda wrapper: named(wrapper) == tag, lambda _: False]


def walks(root: Tree, steps: list[tuple[str, int]]) -> Iterator[Tree]:
    """Yield all elements that steps lead to from the root, the preferred first."""
    if (named(root), 1) == steps[0]:
        yield from further(root, steps[1:])


def further(element: Tree, steps: list[tuple[str, int]]) -> Iterator[Tree]:
    if not steps:
        yield element
        return
    tag, position = steps[0]
    for keep in ways(tag):
        family = [child for child in children(element, keep) if named(child) == tag]
        if position <= len(family):
            yield from further(family[position - 1], steps[1:])


def text_nodes(element: Tree, start: int, spans: dict[Tree, tuple[int, int]], keep: Keep) -> list[list[int]]:
    """Return the offsets of the characters of each text node, some of them empty."""
    nodes: list[list[int]] = [[]]
    at = start

    def read(inside: Tree) -> None:
        nonlocal at
        for text, child in [(inside.text, None), *((child.tail, child) for child in inside)]:
            if child is not None and child.tag in (etree.Comment, etree.PI):
                nodes.append([])
            elif child is not None and is_wrapper(child) and not keep(child):
                read(child)
            elif child is not None:
                nodes.append([])
                at = spans[child][1]
            nodes[-1].extend(range(at, at + len(text or "")))
            at += len(text or "")

    read(element)
    return [node for node in nodes if node]


@st.composite
def looser_paths(draw: st.DrawFn, root: Tree) -> list[tuple[str, int]]:
    """Draw a path to an element that leaves out some wrappers, its positions counted in any way."""
    element = draw(st.sampled_from(list(root.iter(etree.Element))))
    chain = [element, *element.iterancestors()][::-1]
    steps = [(named(root), 1)]
    above = root
    for at, below in enumerate(chain[1:], 1):
        if is_wrapper(below) and at < len(chain) - 1 and draw(st.booleans()):
            continue
        counted = [
            [child for child in children(above, keep) if named(child) == named(below)].index(below) + 1
            for keep in ways(named(below))
            if below in children(above, keep)
        ]
        steps.append((named(below), draw(st.sampled_from(counted or [1, 2]))))
        above = below
    return steps


@given(elements(), st.data())
@example("<a xmlns:x='x'><p wordnetid='1'><p>x</p></p><p>y</p></a>", None)
def test_paths_lead_where_a_walk_over_the_tree_does(xml: str, data: st.DataObject | None) -> None:
    root = etree.fromstring(xml)
    spans = xml_trees.spans(root)
    steps = [("a", 1), ("p", 2)] if data is None else data.draw(looser_paths(root))
    path = "".join(f"/{tag}[{position}]" for tag, position in steps)
    paths = Paths(article(xml.encode()))
    strictly = list(further_by(root, steps, lambda _: True))
    without = list(further_by(root, steps, lambda _: False))
    expected = (strictly or without or list(walks(root, steps)))[:1]
    assert paths.element(path) == (PathTarget(*spans[expected[0]], not strictly) if expected else None)
    if data is not None and not strictly and not without:
        number, offset = data.draw(st.integers(1, 3)), data.draw(st.integers(0, 4))
        places = [
            node[offset] if offset < len(node) else node[-1] + 1
            for element in walks(root, steps)
            for keep in ways(named(element))
            for node in text_nodes(element, spans[element][0], spans, keep)[number - 1 : number]
            if offset <= len(node)
        ]
        found = paths.point(f"{path}/text()[{number}].{offset}")
        assert found == (PathTarget(places[0], places[0], skipping=True) if places else None)


def further_by(root: Tree, steps: list[tuple[str, int]], keep: Keep) -> Iterator[Tree]:
    """Yield the element that steps lead to if these wrappers are kept, if there is one."""
    if steps[0] != (named(root), 1):
        return
    element: Tree | None = root
    for tag, position in steps[1:]:
        family = [child for child in children(element, keep) if named(child) == tag]
        element = family[position - 1] if position <= len(family) else None
        if element is None:
            return
    yield element


@given(elements(), st.data())
def test_a_path_that_leaves_out_any_wrappers_is_found_if_its_positions_are_counted_in_a_known_way(
    xml: str, data: st.DataObject
) -> None:
    root = etree.fromstring(xml)
    steps = data.draw(looser_paths(root))
    if any(True for _ in walks(root, steps)):
        path = "".join(f"/{tag}[{position}]" for tag, position in steps)
        assert Paths(article(xml.encode())).element(path) is not None


def test_an_endless_search_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 600
    xml = b"<a>" + b"<a wordnetid='1'><a>" * count + b"</a></a>" * count + b"</a>"
    paths = Paths(article(xml))
    looked_at = 0
    child = PathTree.child

    def counted(self: PathTree, parent: int, tag: str, position: int) -> int | None:
        nonlocal looked_at
        looked_at += 1
        return child(self, parent, tag, position)

    monkeypatch.setattr(PathTree, "child", counted)
    assert paths.element("/a" * count + "/b") is None
    assert looked_at <= 4 * LONGEST_SEARCH
