"""The page in a real browser: nothing of a run's text runs or loads."""

from __future__ import annotations

import shutil
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runtriage.render.html import document
from tests.render.large import full

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [pytest.mark.server, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]


@contextmanager
def listening() -> Iterator[tuple[int, list[str]]]:
    """Listen on a local port; yields it and the request lines that arrive."""
    asked: list[str] = []

    class Answer(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            asked.append(self.rfile.readline().decode("latin-1"))
            self.wfile.write(b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], asked
        server.shutdown()


def opened(path: Path, profile: Path) -> tuple[str, str]:
    """Open a file without a window; returns the document after loading, and what the browser logged."""
    assert CHROMIUM is not None
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--enable-logging=stderr",
    ]
    done = subprocess.run(
        [CHROMIUM, *flags, f"--user-data-dir={profile}", "--dump-dom", path.as_uri()],
        capture_output=True,
        timeout=120,
        check=True,
    )
    return done.stdout.decode(), done.stderr.decode()


def attack(port: int) -> str:
    place = f"http://127.0.0.1:{port}"
    return (
        f"</title></style></code></pre><script>document.title='taken'</script><script src={place}/s></script>"
        f"<img src={place}/i onerror=\"document.title='taken'\"><link rel=stylesheet href={place}/c>"
        f"<style>body{{background:url({place}/b)}}</style><svg><image href={place}/v /></svg><iframe src={place}/f></iframe>"
    )


def test_a_hostile_report_loads_nothing_runs_nothing_and_logs_no_error(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with listening() as (port, asked):
        page.write_text(document(full(attack(port))), encoding="utf-8")
        shown, logged = opened(page, tmp_path / "profile")
    assert "<h1>&lt;/title&gt;" in shown
    assert "<title>taken" not in shown
    assert "CONSOLE" not in logged
    assert asked == []


def test_the_policy_alone_stops_what_escaping_would_let_through(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with listening() as (port, asked):
        text = document(full("quiet")).replace("<h1>quiet", f"<h1>{attack(port)}", 1)
        page.write_text(text, encoding="utf-8")
        shown, logged = opened(page, tmp_path / "profile")
        assert "<title>taken" not in shown
        assert "Content Security Policy" in logged
        # Browsers connect ahead to hosts a page names; what counts is that nothing is asked there.
        assert [line for line in asked if line] == []
        page.write_text(f"<h1>{attack(port)}", encoding="utf-8")
        shown, _ = opened(page, tmp_path / "profile")
    assert "<title>taken" in shown
    assert any("/s " in line for line in asked)
