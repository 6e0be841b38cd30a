"""A run under watch has a page of its own that keeps up with it."""

from __future__ import annotations

from pathlib import Path

from runtriage.api.history import Memory
from runtriage.launch.watch import Plan, Watch
from tests.web.conftest import Asking
from tests.web.test_pages import FAILED

HEALTHY = "".join(f"step {n}/900 loss={3 - n / 200:.4f}\n" for n in range(1, 41))


def test_the_page_of_a_run_under_watch_follows_it_and_stops_with_it(
    asking: Asking, place: Path, tmp_path: Path
) -> None:
    log = tmp_path / "train.log"
    log.write_text(HEALTHY)
    client = asking()
    pages: list[str] = []

    def pause(_: float) -> None:
        rows = client.get("/api/v1/runs").json()["runs"]
        pages.append(client.get(f"/runs/{rows[0]['id']}").text)
        with log.open("a") as more:
            more.write(HEALTHY if len(pages) == 1 else FAILED if len(pages) == 2 else "")

    with Memory(place) as memory:
        Watch([str(log)], Plan(interval=1.0, stall=5.0), lambda *_: None, None, pause, history=memory).run()
    runs = client.get("/api/v1/runs").json()
    assert runs["total"] == 1
    last = client.get(f"/runs/{runs['runs'][0]['id']}").text
    assert "the widget has no colour" in last
    assert 'http-equiv="refresh"' in pages[0]
    assert 'http-equiv="refresh"' not in last
