"""Shows a file in the user's browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path


def show(path: Path) -> bool:
    """Open a local file in the browser; False when there is none."""
    try:
        return webbrowser.open(path.resolve().as_uri())
    except (OSError, webbrowser.Error):
        return False
