"""`python -m benchmarks.bare FOLDER`: diagnoses each log of a folder in a bare loop; what a fleet is measured against."""

from __future__ import annotations

import sys
from pathlib import Path

from runtriage.api.diagnosis import diagnose
from runtriage.api.prepared import prepare
from runtriage.model.options import Options
from runtriage.store.cache import user_cache


def main() -> None:
    """Diagnose them one after another."""
    cache = user_cache()
    prepared = prepare((), cache, compile=True)
    for place in sorted(Path(sys.argv[1]).iterdir()):
        diagnose(str(place), options=Options(workers=1), cache=cache, prepared=prepared)


if __name__ == "__main__":
    main()
