from __future__ import annotations

import gzip
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from runtriage.store.history import History
from runtriage.store.history_database import Database
from tests.render.large import HOSTILE, full
from tests.store.entries import entry
from tests.web.conftest import Asking
from tests.web.filled import filled

FAILED = "step 1 loss=2\nTraceback (most recent call last):\n  File \"t.py\", line 3, in <module>\nValueError: the widget has no colour\n"  # fmt: skip


def awaited(client: TestClient, address: str) -> str:
    """Return the address of the diagnosis that an upload leads to."""
    for _ in range(600):
        answer = client.get(address)
        if answer.status_code == 303:
            return answer.headers["location"]
        assert "<progress" in answer.text, answer.text
        time.sleep(0.05)
    raise AssertionError(address)


def test_an_empty_history_says_what_to_do(asking: Asking) -> None:
    page = asking().get("/")
    assert page.status_code == 200
    assert "Nothing has been diagnosed yet" in page.text
    assert asking().get("/fleet").status_code == 200


def test_a_pasted_log_becomes_a_page_without_any_script(asking: Asking) -> None:
    client = asking()
    sent = client.post("/new", files={"file": ("", b"")}, data={"text": FAILED})
    assert sent.status_code == 303
    place = awaited(client, sent.headers["location"])
    page = client.get(place)
    assert "the widget has no colour" in page.text
    assert "<script" not in page.text
    assert "/tmp/" not in page.text
    assert place in client.get("/").text
    assert client.get(f"{place}/markdown").text.startswith("## ")


def test_a_packed_file_is_diagnosed_under_its_own_name(asking: Asking) -> None:
    client = asking()
    sent = client.post("/new", files={"file": ("../../etc/tr ain<b>.log.gz", gzip.compress(FAILED.encode()))})
    awaited(client, sent.headers["location"])
    assert "upload:tr_ain_b_.log.gz" in client.get("/").text


def test_what_holds_nothing_to_judge_says_so(asking: Asking) -> None:
    client = asking()
    assert client.post("/new", files={"file": ("", b"")}, data={"text": " \n"}).status_code == 400
    sent = client.post("/new", files={"file": ("x.gz", b"\x1f\x8b" + bytes(100))})
    for _ in range(200):
        page = client.get(sent.headers["location"])
        if page.status_code != 200 or "No diagnosis" in page.text:
            break
        time.sleep(0.05)
    assert page.status_code in {200, 303}


def test_an_upload_that_unpacks_to_too_much_ends_and_the_next_is_read(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = asking()
    monkeypatch.setattr("runtriage.web.jobs._SECONDS", 0.0)
    bomb = client.post("/new", files={"file": ("x.log.gz", gzip.compress(b"INFO nothing happens here\n" * 400_000))})
    for _ in range(600):
        page = client.get(bomb.headers["location"])
        if "No diagnosis" in page.text:
            break
        time.sleep(0.05)
    assert "took longer than 0 minutes" in page.text
    monkeypatch.setattr("runtriage.web.jobs._SECONDS", 60.0)
    assert awaited(client, client.post("/new", data={"text": FAILED}, files={"file": ("", b"")}).headers["location"])


def test_feedback_is_kept_without_secrets_and_shown(asking: Asking, place: Path) -> None:
    (identity,) = filled(place, 1, reports=1)
    client = asking()
    sent = client.post(f"/runs/{identity}/feedback", data={"says": "fixed", "note": "token=hunter2hunter2hunter2 <i>"})
    assert sent.headers["location"] == f"/runs/{identity}#feedback"
    page = client.get(f"/runs/{identity}").text
    assert "hunter2" not in page
    assert "&lt;i&gt;" in page
    client.post(f"/runs/{identity}/feedback", data={"says": "wrong", "cause": "oom", "note": "n"})
    assert ": wrong (oom): n</li>" in client.get(f"/runs/{identity}").text
    assert client.post(f"/runs/{identity}/feedback", data={"says": "maybe"}).status_code == 400
    assert client.post(f"/runs/{identity}/feedback", data={"says": "wrong", "cause": "x"}).status_code == 400


def test_the_listing_filters_and_turns_pages_by_links_alone(asking: Asking, place: Path) -> None:
    filled(place, 300)
    client = asking()
    first = client.get("/?cause=oom").text
    following = re.search(r'rel="next" href="([^"]+)"', first)
    assert following is not None
    second = client.get(following[1].replace("&amp;", "&")).text
    assert set(re.findall(r"/runs/(\w+)", first)).isdisjoint(re.findall(r"/runs/(\w+)", second))
    assert 'rel="prev"' in second
    assert client.get("/?text=%27%22%3E%3Cscript%3E").text.count("<script") == 0
    assert client.get("/?page=0").status_code == 400
    assert client.get("/?page=").status_code == 400
    for day in ("yesterday", "20260501", "2026-W18-5", "%C2%85", "%20"):
        assert client.get(f"/?since={day}").status_code == 400
    assert client.get("/?since=&until=2026-05-01").status_code == 200


def test_large_numbers_of_the_fleet_are_grouped(asking: Asking, place: Path) -> None:
    filled(place, 2_000)
    page = asking().get("/fleet").text
    assert re.search(r">\d,\d{3}\.\d</td>", page)
    assert not re.search(r">\d{4,}(\.\d)?</td>", page)


def test_ten_thousand_diagnoses_cost_a_page_few_statements(
    asking: Asking, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(place, 10_000)
    client, statements, rows = asking(), list[str](), Database.rows

    def counted(database: Database, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        statements.append(statement)
        return rows(database, statement, parameters)

    monkeypatch.setattr(Database, "rows", counted)
    for address in ("/", "/?text=gpu%20oom", "/fleet"):
        statements.clear()
        page = client.get(address)
        assert page.status_code == 200
        assert 0 < len(statements) < 20
        assert len(page.content) < 60_000


def test_a_hostile_run_stays_inert_in_every_page(asking: Asking, place: Path) -> None:
    with History(place) as history:
        kept = entry(1, summary=HOSTILE, target=HOSTILE, node=HOSTILE, failure_mode=HOSTILE, mechanism=HOSTILE)
        for number in (1, 2):
            changed = entry(
                number,
                **{name: getattr(kept, name) for name in ("summary", "target", "node", "failure_mode", "mechanism")},
            )
            history.save(changed, full(HOSTILE).to_json().encode(), None, [])
    client = asking()
    for address in ("/", "/fleet", f"/runs/{entry(1).id}", f"/?node={'%22%3E%3Cscript%3E'}"):
        page = client.get(address)
        assert page.status_code == 200
        assert not re.search(r"<script|<img|onerror=[^&]*>(?!.*&gt;)|<svg onload|javascript:\w+\(\d\)[\"']", page.text)


def test_every_page_forbids_scripts_frames_and_other_hosts(asking: Asking, place: Path) -> None:
    (identity,) = filled(place, 1, reports=1)
    client = asking()
    for address in ("/", "/fleet", "/new", f"/runs/{identity}", "/nothing", "/static/site.css"):
        headers = client.get(address).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; style-src 'self'") or (
            address.startswith("/runs") and "style-src 'sha256-" in headers["content-security-policy"]
        )
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("address", ["/runs/none", "/runs/none/markdown", "/jobs/none", "/nothing", "/runs/%00"])
def test_what_is_not_there_is_a_page_with_a_way_back(asking: Asking, address: str) -> None:
    page = asking().get(address)
    assert page.status_code == 404
    assert '<a href="/">History</a>' in page.text


def test_a_damaged_history_is_said_and_ends_nothing(asking: Asking, place: Path) -> None:
    place.write_bytes(b"nonsense " * 1000)
    client = asking()
    page = client.get("/")
    assert page.status_code == 503
    assert "move the file away" in page.text
    assert client.get("/api/v1/runs").status_code == 503
    assert client.get("/new").status_code == 200


def test_controls_have_labels_and_the_page_a_language_and_one_heading(asking: Asking, place: Path) -> None:
    (identity,) = filled(place, 60, reports=1)
    client = asking()
    for address in ("/", "/fleet", "/new", f"/runs/{identity}"):
        page = client.get(address).text
        ids = re.findall(r"<(?:input|select|textarea|progress)(?![^>]*type=\"hidden\")[^>]*\bid=\"([^\"]+)\"", page)
        controls = re.findall(r"<(?:input|select|textarea|progress)(?![^>]*type=\"hidden\")", page)
        assert len(ids) == len(controls)
        assert set(ids) <= set(re.findall(r"<label for=\"([^\"]+)\"", page))
        assert page.count("<h1") == 1
        assert '<html lang="en">' in page
        assert 'class="skip"' in page


@pytest.mark.parametrize("damage", ["nonsense", "folder", "gone"])
def test_an_upload_that_no_history_takes_is_shown_all_the_same(asking: Asking, place: Path, damage: str) -> None:
    if damage == "nonsense":
        place.write_bytes(b"nonsense " * 1000)
    elif damage == "folder":
        place.mkdir()
    client = asking(history=place if damage != "gone" else "/dev/null/history.sqlite3")
    address = client.post("/new", files={"file": ("", b"")}, data={"text": FAILED}).headers["location"]
    for _ in range(600):
        page = client.get(address).text
        if "<progress" not in page:
            break
        time.sleep(0.05)

    assert "the widget has no colour" in page
    assert "could not be kept" in page and 'role="alert"' in page
    job = client.get(f"/api/v1{address}").json()
    assert (job["state"], job["run"], job["fault"]) == ("done", None, None) and "history: " in job["warning"]
    assert client.get(f"/api/v1{address}/report").json()["run_status"] == "crashed"
