"""Where cells stand that reach over rows and columns, against a table that is filled square by square."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from inexview.core.article.blocks import BlockKind
from inexview.core.article.document import Document

Spans = tuple[int, int]  # (rows, columns)
CELLS = st.tuples(st.integers(1, 4), st.integers(1, 4))
ROWS = st.lists(st.lists(CELLS, max_size=5), min_size=1, max_size=6)


def written(rows: list[list[Spans]]) -> Document:
    """Write a table in HTML's words; each cell holds its number."""
    count = 0
    parts = []
    for row in rows:
        parts.append("<tr>")
        for down, across in row:
            parts.append(f'<td rowspan="{down}" colspan="{across}">c{count}</td>')
            count += 1
        parts.append("</tr>")
    return Document.from_bytes(f"<article><table>{''.join(parts)}</table></article>".encode())


def filled(rows: list[list[Spans]]) -> list[tuple[int, int, int, int]]:
    """Place the cells as HTML's table model does, on a sheet whose squares are taken one by one."""
    taken: set[tuple[int, int]] = set()
    places = []
    for row, cells in enumerate(rows):
        column = 0
        for down, across in cells:
            while (row, column) in taken:
                column += 1
            places.append((row, column, down, across))
            taken |= {(row + y, column + x) for y in range(down) for x in range(across)}
            column += across
    return places


def places(document: Document) -> list[tuple[int, int, int, int]]:
    return [
        (block.row, block.column, block.row_span, block.column_span)
        for block in document.blocks
        if block.kind is BlockKind.CELL
    ]


def columns(body: str) -> dict[str, tuple[int, int]]:
    """Return row and column of each cell of a table by its text."""
    document = Document.from_bytes(f"<article>{body}</article>".encode())
    return {
        document.text[block.start : block.end].strip(): (block.row, block.column)
        for block in document.blocks
        if block.kind is BlockKind.CELL
    }


@given(ROWS)
@example([[(1, 2), (4, 1)], [(1, 1), (2, 2)], [(2, 2)], [(1, 1)]])  # two cells overlap
def test_cells_stand_where_a_sheet_filled_square_by_square_has_them(rows: list[list[Spans]]) -> None:
    assert places(written(rows)) == filled(rows)


def test_a_cell_below_one_that_reaches_down_gets_the_next_column() -> None:
    assert columns(
        "<table><row><col rowspan='2'>a</col><col>b</col></row><row><col>c</col></row>"
        "<row><col>d</col></row></table>"
    ) == {"a": (0, 0), "b": (0, 1), "c": (1, 1), "d": (2, 0)}


def test_no_cell_reaches_from_one_group_of_rows_into_the_next() -> None:
    assert columns(
        "<table><thead><tr><th rowspan='0'>a</th><th>b</th></tr><tr><th>c</th></tr></thead>"
        "<tbody><tr><td>d</td></tr></tbody></table>"
    ) == {"a": (0, 0), "b": (0, 1), "c": (1, 1), "d": (2, 0)}


def test_the_columns_of_a_cals_table_go_by_their_names() -> None:
    assert columns(
        '<tbl><tgroup cols="4"><colspec colname="one"/><colspec colname="two"/>'
        '<colspec colnum="4" colname="four"/>'
        '<spanspec spanname="both" namest="one" nameend="two"/>'
        '<thead><row><entry spanname="both">a</entry><entry colname="four" morerows="1">b</entry></row>'
        '<row><entry namest="one">c</entry><entry>d</entry></row></thead>'
        '<tbody><row><entry namest="two" nameend="four">e</entry></row></tbody></tgroup></tbl>'
    ) == {"a": (0, 0), "b": (0, 3), "c": (1, 0), "d": (1, 1), "e": (2, 1)}


def test_the_columns_of_a_cals_table_without_specifications_go_by_the_number_in_their_names() -> None:
    assert columns(
        '<tbl><row><entry namest="c2" nameend="c3">a</entry><entry>b</entry></row>'
        '<row><entry namest="" nameend="x">c</entry><entry colname="c9999">d</entry></row></tbl>'
    ) == {"a": (0, 1), "b": (0, 3), "c": (1, 0), "d": (1, 1)}


def test_a_table_within_a_cell_has_rows_and_columns_of_its_own() -> None:
    document = Document.from_bytes(
        b"<article><table><tr><td>a</td><td>b<table><tr><td>x</td><td>y</td></tr></table></td></tr>"
        b"<tr><td>c</td><td>d</td></tr></table></article>"
    )
    cells = {document.text[b.start : b.end]: (b.table, b.row, b.column) for b in document.blocks}
    assert cells == {
        "a": (0, 0, 0),
        "b": (0, 0, 1),
        "x": (1, 0, 0),
        "y": (1, 0, 1),
        "c": (0, 1, 0),
        "d": (0, 1, 1),
    }


def test_header_cells_before_the_first_row_are_a_row_of_their_own() -> None:
    assert columns("<table><header>a</header><header>b</header><row><col>c</col></row></table>") == {
        "a": (0, 0),
        "b": (0, 1),
        "c": (1, 0),
    }
