"""What README and guide show of commands and of Python: compared with what they print, or rewritten.

``pytest --rewrite-shown tests/test_readme.py tests/test_guide_python.py -n 0`` puts what is printed in place
of what is shown.
"""

from __future__ import annotations

import doctest
from pathlib import Path
from textwrap import indent

WIDEST = 140  # characters of a line that is printed whole
CUT = 120  # characters of a longer one


class ShownPage:
    """A page, and how far its blocks are indented."""

    def __init__(self, path: Path, margin: str, *, rewrites: bool) -> None:
        self.path, self._margin, self._rewrites = path, margin, rewrites

    def shows(self, command: str, output: str, printed: str) -> None:
        """Fail where a command prints something else than its output here, or write what it prints."""
        shown = output.strip("\n").splitlines()
        lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
        if self._rewrites:
            made = "\n".join(_cut(line) for line in lines)
            self._replace(f"$ {command}\n{output.strip()}", f"$ {command}\n{made}")
            return
        widths = [len(line) - 1 if line.endswith("…") else None for line in shown]
        widths += [None] * (len(lines) - len(widths))
        cut = [line if at is None else f"{line[:at]}…" for line, at in zip(lines, widths, strict=False)]
        assert cut == shown, command

    def runs(self, examples: str, names: dict[str, object]) -> dict[str, object]:
        """Run examples in Python, fail where they give something else, or write what they give."""
        test = doctest.DocTestParser().get_doctest(examples, names, self.path.name, str(self.path), 0)
        runner = _Collector(optionflags=doctest.NORMALIZE_WHITESPACE)
        said: list[str] = []
        runner.run(test, clear_globs=False, out=said.append)
        for example, got in runner.others if self._rewrites else ():
            prompts = [
                f"{'...' if number else '>>>'} {line}"
                for number, line in enumerate(example.source.rstrip("\n").split("\n"))
            ]
            source = "".join(f"{line.rstrip()}\n" for line in prompts)
            self._replace(source + example.want.rstrip("\n"), source + got.rstrip("\n"))
        assert self._rewrites or not runner.failures, "".join(said)
        return test.globs

    def _replace(self, shown: str, made: str) -> None:
        text = self.path.read_text(encoding="utf-8")
        before, after = (indent(part, self._margin) for part in (shown, made))
        assert before in text, before
        self.path.write_text(text.replace(before, after, 1), encoding="utf-8")


class _Collector(doctest.DocTestRunner):
    """Keeps the examples that give something else, and what that is."""

    def __init__(self, optionflags: int) -> None:
        super().__init__(optionflags=optionflags)
        self.others: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out, test, example, got) -> None:
        self.others.append((example, got))
        super().report_failure(out, test, example, got)


def _cut(line: str) -> str:
    if len(line) <= WIDEST:
        return line
    return line[:CUT].rpartition(" ")[0].rstrip() + " …"
