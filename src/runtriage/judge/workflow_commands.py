"""Exact commands for the next move on a workflow run. Only what is shown: nothing here is ever run."""

from __future__ import annotations

import shlex
from typing import Final

_TOOL: Final = "npa workbench workflow"


class Commands:
    """Commands about one run: `prefix` is where its records lie, `project` the alias it was asked for under."""

    def __init__(self, run_id: str, prefix: str, project: str) -> None:
        self._run = shlex.quote(run_id)
        self._prefix = shlex.quote(prefix)
        self._project = f" --project {shlex.quote(project)}" if project else ""

    def watch(self) -> str:
        """Follow the run to its end."""
        return f"runtriage workflow status {self._prefix} --watch{self._project}"

    def logs(self, stage: str) -> str:
        """Read what a stage printed."""
        return f"runtriage workflow logs {self._prefix} --stage {shlex.quote(stage)}{self._project}"

    def status(self) -> str:
        """Look again."""
        return f"runtriage workflow status {self._prefix}{self._project}"

    def cancel(self) -> str:
        """Stop the run's jobs; changes something."""
        return f"{_TOOL} cancel {self._run}{self._project}"

    def reload(self) -> str:
        """Load the final artifact again; changes something."""
        return f"{_TOOL} load-artifact {self._run}{self._project}"

    def fresh(self) -> str:
        """Start a new run with a corrected spec; changes something."""
        return f"{_TOOL} submit workflow.yaml{self._project}"

    def resume(self, *, retries: bool = False, absent: bool = False) -> str:
        """Go on under the same run id; changes something."""
        more = (" --retries 1" if retries else "") + (" --retry-absent-in-flight" if absent else "")
        return f"{_TOOL} submit workflow.yaml --resume-run {self._run}{more}{self._project}"
