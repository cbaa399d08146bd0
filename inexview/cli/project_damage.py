"""A damaged project is told of by each command that reads one."""

from __future__ import annotations

from inexview.cli.common import FINE, PROBLEMS, complain
from inexview.core.project.project import Project


def tell_damage(project: Project) -> int:
    """Say on stderr what of a project cannot be read; return the exit status: 0 where nothing is damaged."""
    if project.damage is None:
        return FINE
    complain(str(project.damage))
    return PROBLEMS
