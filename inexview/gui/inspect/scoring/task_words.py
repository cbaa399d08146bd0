"""What tasks are called on the screen."""

from __future__ import annotations

from inexview.core.judgements.runs import Task

TASK_WORDS = {task: task.value.replace("-", " ").capitalize() for task in Task}
"""``Relevant in context`` for ``relevant-in-context``."""
