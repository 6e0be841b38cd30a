"""Pages about failure modes, from what the catalogue and the detectors know.

`python -m runtriage.api.pages FOLDER` writes `FOLDER/<family>/<name>.md` for each mode and an index.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from runtriage.detect.known import finders
from runtriage.model.page import Page
from runtriage.render.page import index, markdown
from runtriage.signatures import SignatureWarning
from runtriage.signatures.pages import pages as catalogue_pages


def pages(folders: Sequence[Path] = ()) -> dict[str, Page]:
    """Return a page for every failure mode by id, with the signatures in `folders` too. Raises and warns as `signatures.load` does."""
    return catalogue_pages(finders(), folders)


def documents() -> dict[str, str]:
    """Return the Markdown files of all pages by path relative to their folder, and `README.md`, the index."""
    found = pages()
    return {"README.md": index(found.values())} | {f"{mode}.md": markdown(page) for mode, page in found.items()}


def main(arguments: Sequence[str]) -> int:
    """Write all pages; return 2 unless one folder is named."""
    if len(arguments) != 1:
        print("usage: python -m runtriage.api.pages FOLDER", file=sys.stderr)
        return 2
    warnings.simplefilter("error", SignatureWarning)  # pages without a part of the catalogue would pass for the whole
    for name, content in documents().items():
        place = Path(arguments[0]) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
