"""Where a file lies in the repository that a workflow of GitHub checked out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def path_in(target: str) -> Callable[[str], str]:
    """Return what turns the path of an artifact into one from the root of the repository; a file that is not there keeps its path.

    The root is `GITHUB_WORKSPACE`, or else the folder above the working one that holds `.git`. A target that is a folder counts.
    """
    here = Path.cwd()
    root = os.environ.get("GITHUB_WORKSPACE")
    base = Path(root) if root else next((each for each in (here, *here.parents) if (each / ".git").exists()), here)

    def placed(artifact: str) -> str:
        candidates = (here / artifact, here / target / artifact, here / Path(target).parent / artifact)
        try:
            found = next((each for each in candidates if each.is_file()), None)
            return artifact if found is None else found.resolve().relative_to(base.resolve()).as_posix()
        except (OSError, ValueError):  # a name that no file can have, or a file outside the repository
            return artifact

    return placed
