"""The root of all exceptions, and the errors that data can cause.

Every error caused by a user's data is an :class:`InexviewError`, whose text is a sentence that can be shown.
Any other exception is a defect of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_LONGEST_VALUE = 60  # characters of a field that are shown


class InexviewError(Exception):
    """Root of all errors that a user can cause; ``str()`` is a sentence to show.

    Errors of all kinds can be pickled, with any arguments.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.args), vars(self)


class DataError(InexviewError):
    """Invalid data: where (file, line, field), what was found, and what to do."""

    def __init__(
        self,
        problem: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str | None = None,
        value: str | None = None,
    ) -> None:
        self.problem = problem
        self.path = None if path is None else str(path)
        self.line = line
        self.column = column
        self.field = field
        self.value = value
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = ":".join(str(part) for part in (self.path, self.line, self.column) if part is not None)
        what = f"field '{self.field}' = {_quoted(self.value)}" if self.field is not None else ""
        return ": ".join(part for part in (where, what, self.problem) if part)


@contextmanager
def reported(path: str | Path, problem: str, *errors: type[Exception]) -> Iterator[None]:
    """Convert errors into a problem of a path, with their reason in place of ``{}``."""
    try:
        yield
    except errors as error:
        raise DataError(problem.format(getattr(error, "strerror", None) or error), path=path) from error


class DataErrors(DataError):  # noqa: N818 (the plural says what it holds)
    """Several data errors of one file, collected up to a limit, in ``errors``."""

    def __init__(self, errors: Sequence[DataError], *, more: bool = False) -> None:
        self.errors = tuple(errors)
        self.more = more
        first = self.errors[0]
        super().__init__(
            first.problem,
            path=first.path,
            line=first.line,
            column=first.column,
            field=first.field,
            value=first.value,
        )

    def __str__(self) -> str:
        lines = [str(error) for error in self.errors]
        if self.more:
            lines.append("… and more; only the first are listed")
        return "\n".join(lines)


class DocumentError(DataError):
    """An article that cannot be read: not XML, hostile, too deep, or in an unknown encoding."""


class ProjectError(InexviewError):
    """A project file that cannot be opened, or an action that could not be written to it."""


class BusyError(ProjectError):
    """Another program is writing to the project file, so that nothing was written."""


class DiskFullError(ProjectError):
    """There is no disk space for the write."""


class JudgementError(InexviewError):
    """An action that the rules of assessment do not allow, e.g. finishing without a best entry point."""


def _made_again(kind: type[InexviewError], args: tuple[object, ...]) -> InexviewError:
    """Return an error with the text that it had; its fields follow."""
    return kind.__new__(kind, *args)


def _quoted(value: str | None) -> str:
    text = "" if value is None else value
    return repr(text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…")
