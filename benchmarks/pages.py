"""`python -m benchmarks.pages`: milliseconds that the site spends on each page with 10,000 remembered diagnoses.

The median on the clock is what a visitor waits for; the median of CPU time is the same on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from starlette.testclient import TestClient
from tests.web.filled import filled

from runtriage.model.options import Options
from runtriage.web.app import application
from runtriage.web.serve import site

_HEAD: Final = f"{'page':<44}{'clock ms':>10}{'cpu ms':>10}{'kB':>8}"


def pages(identity: str) -> list[str]:
    """Return the addresses that are measured."""
    return [
        "/",
        "/?page=150",
        "/?cause=oom&status=crashed",
        "/?text=gpu+oom",
        "/fleet",
        f"/runs/{identity}",
        "/api/v1/runs?limit=200",
        "/api/v1/fleet",
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.pages", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="remembered diagnoses (default 10000)")
    parser.add_argument("--runs", type=int, default=9, help="counted requests of each page, after one warm-up")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "history.sqlite3"
        identity = filled(place, chosen.count)[-1]
        built = site(place, host="127.0.0.1", token=None, options=Options())
        print(f"{chosen.count:,} diagnoses\n{_HEAD}")
        with TestClient(application(built), base_url="http://127.0.0.1:8642") as client:
            for address in pages(identity):
                print(row(client, address, chosen.runs), flush=True)
        built.jobs.close()


def row(client: TestClient, address: str, count: int) -> str:
    """Ask for a page and return its line of the table."""
    took: list[float] = []
    busy: list[float] = []
    size = 0
    for _ in range(count + 1):
        started, used = time.perf_counter(), time.process_time()
        answer = client.get(address)
        took.append((time.perf_counter() - started) * 1000)
        busy.append((time.process_time() - used) * 1000)
        assert answer.status_code == 200, address
        size = len(answer.content)
    shown = address if len(address) < 44 else f"{address[:40]}..."
    return f"{shown:<44}{statistics.median(took[1:]):>10.1f}{statistics.median(busy[1:]):>10.1f}{size / 1000:>8.0f}"


if __name__ == "__main__":
    main()
