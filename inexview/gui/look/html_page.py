"""A page of HTML that needs no other file, in the colours of a theme."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from inexview.gui.look.theme import Theme


def page(title: str, body: str, theme: Theme, link: str = "", looks: str = "") -> str:
    """Return a page; ``body`` is HTML, ``link`` leads back to the place it shows, ``looks`` are CSS."""
    back = f'<p><a href="{escape(link)}">Open this place in inexview</a></p>\n' if link else ""
    style = (
        f"body{{font:16px/1.6 Inter,system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
        f"background:{theme.page};color:{theme.text}}}"
        f"a{{color:{theme.accent}}}svg{{max-width:100%;height:auto}}table{{border-collapse:collapse;"
        f"font-variant-numeric:tabular-nums;font-size:.85rem}}td,th{{padding:.1rem .6rem;text-align:left;"
        f"border-bottom:1px solid {theme.line}}}"
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        f"<title>{escape(title)}</title>\n<style>{style}{looks}</style>\n<h1>{escape(title)}</h1>\n{back}{body}</html>\n"
    )


def html_table(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return a table of text; nothing in it is taken for HTML."""
    above = "".join(f"<th>{escape(name)}</th>" for name in head)
    rows = ("".join(f"<td>{escape(str(cell))}</td>" for cell in line) for line in lines)
    return f"<table><tr>{above}</tr>\n" + "".join(f"<tr>{row}</tr>\n" for row in rows) + "</table>\n"
