"""The pages in a real browser, at the widths of a phone, a tablet and a desk, in light and dark."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from importlib.resources import files
from pathlib import Path

import pytest
import uvicorn

from runtriage.model.options import Options
from runtriage.store.history import History
from runtriage.web.app import application
from runtriage.web.serve import site
from tests.render.large import HOSTILE, full
from tests.render.test_html_browser import attack, listening
from tests.servers.browser import CHROMIUM, Browser, browsing
from tests.store.entries import entry
from tests.web.filled import filled
from tests.web.test_pages import FAILED

pytestmark = [pytest.mark.server, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]

LAYOUT = """(() => {
  const root = document.documentElement, text = [...document.querySelectorAll("p,td,th,a,button,dd,h1,label")];
  return {title: document.title, overflow: root.scrollWidth - root.clientWidth, tiny: text.filter(
    item => item.offsetParent && item.innerText && parseFloat(getComputedStyle(item).fontSize) < 11).length};
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Browser]:
    with browsing(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[str, list[str]]]:
    """Serve a history of which one diagnosis tries to take the page over; yields the address and what else was asked for."""
    place: Path = tmp_path_factory.mktemp("served") / "history.sqlite3"
    filled(place, 120)
    with listening() as (port, asked):
        text = attack(port) + HOSTILE
        with History(place) as history:
            kept = entry(
                27,
                id="hostile",
                seen_at="2027-01-01T00:00:00+00:00",
                summary=text,
                target=text,
                node=text,
                mechanism=text,
            )
            history.save(kept, full(text).to_json().encode(), None, [("node", text)])
        built = site(place, host="127.0.0.1", token=None, options=Options())
        config = uvicorn.Config(application(built), port=0, log_level="error")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", asked
        server.should_exit = True
        thread.join(20)
        built.jobs.close()


@pytest.mark.parametrize("width", [390, 820, 1440])
@pytest.mark.parametrize("path", ["/", "/fleet", "/new", "/login", "/runs/hostile", "/?text=nothing-fits"])
def test_a_page_fits_its_width_logs_nothing_and_asks_nobody_else(
    browser: Browser, hostile: tuple[str, list[str]], path: str, width: int
) -> None:
    address, asked = hostile
    for dark in (False, True):
        seen = browser.open(address + path, LAYOUT, width=width, dark=dark)
        assert seen.answer["title"] != "taken"
        assert seen.answer["overflow"] <= 0
        assert seen.answer["tiny"] == 0
        assert seen.logged == []
        assert [name for name in seen.asked if not name.startswith((address, "data:image/svg"))] == []
        assert len(seen.picture) > 5_000
    assert [line for line in asked if line] == []


def test_a_log_is_pasted_and_diagnosed_with_the_keyboard_alone(
    browser: Browser, hostile: tuple[str, list[str]]
) -> None:
    address, _ = hostile
    browser.open(f"{address}/new")
    browser.type_into("#text", FAILED)
    for _ in range(100):
        seen = browser.look("location.pathname + ' ' + document.querySelector('h1').innerText")
        if seen.startswith("/runs/"):
            break
        time.sleep(0.2)
    assert seen.startswith("/runs/")
    assert "ValueError" in browser.look("document.body.innerText")
    browser.type_into("#note", "painted it")
    for _ in range(50):
        if "painted it" in browser.look("document.body.innerText"):
            break
        time.sleep(0.1)
    assert ": right: painted it" in browser.look("document.body.innerText")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_a_checker_of_accessibility_finds_no_fault(
    browser: Browser, hostile: tuple[str, list[str]], width: int, *, dark: bool
) -> None:
    checker = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    address, _ = hostile
    browser.open(f"{address}/new", width=width, dark=dark)
    browser.look("document.querySelector('label').remove()")
    assert any("label" in fault for fault in browser.faults(checker))
    for path in ("/", "/fleet", "/new", "/runs/hostile", "/?text=nothing-fits"):
        browser.open(address + path, width=width, dark=dark)
        assert browser.faults(checker) == [], path


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_told_from_its_background(browser: Browser, hostile: tuple[str, list[str]], dark: bool) -> None:
    contrast = """(() => {
      const parts = colour => colour.match(/[\\d.]+/g).map(Number);
      const light = colour => parts(colour).slice(0, 3).map(value => value / 255).map(
        value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
      ).reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
      const behind = item => { for (; item; item = item.parentElement) {
        const colour = getComputedStyle(item).backgroundColor;
        if ((parts(colour)[3] ?? 1) > 0) return colour; } return "rgb(255,255,255)"; };
      return [...document.querySelectorAll("p,td,th,a,button,dd,dt,h1,h2,label,span,small,code")].filter(
        item => item.offsetParent && [...item.childNodes].some(node => node.nodeType === 3 && node.data.trim())
      ).map(item => { const pair = [light(getComputedStyle(item).color), light(behind(item))].sort((a, b) => b - a);
        return [(pair[0] + 0.05) / (pair[1] + 0.05), item.outerHTML.slice(0, 80)]; }).filter(found => found[0] < 4.5);
    })()"""
    address, _ = hostile
    for path in ("/", "/fleet", "/new", "/runs/hostile"):
        assert browser.open(address + path, contrast, dark=dark).answer == [], path
