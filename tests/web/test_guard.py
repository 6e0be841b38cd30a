from __future__ import annotations

from tests.web.conftest import Asking

TOKEN = "a-token-of-some-length"


def test_without_the_token_nothing_but_the_form_for_it_is_shown(asking: Asking) -> None:
    client = asking(token=TOKEN)
    for address in ("/", "/fleet", "/new", "/runs/x", "/jobs/x"):
        answer = client.get(address)
        assert (answer.status_code, answer.headers["location"]) == (303, "/login")
    for address in ("/api/v1/runs", "/api/v1/fleet", "/api/v1/openapi.json"):
        assert client.get(address).status_code == 401
    assert client.post("/new", data={"text": "x"}).status_code == 303
    assert client.get("/login").status_code == 200
    assert TOKEN not in client.get("/login").text


def test_the_token_opens_the_site_as_a_bearer_or_by_the_form(asking: Asking) -> None:
    client = asking(token=TOKEN)
    assert client.get("/api/v1/runs", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert client.get("/api/v1/runs", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert client.post("/login", data={"token": "wrong"}).status_code == 403
    answer = client.post("/login", data={"token": TOKEN})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/").status_code == 200


def test_another_name_for_this_machine_does_not_lead_in(asking: Asking) -> None:
    client = asking()
    for host in ("evil.example", "evil.example:8642", "127.0.0.1.evil.example", ""):
        assert client.get("/", headers={"host": host}).status_code == 421
    for host in ("127.0.0.1:8642", "localhost:8642", "localhost", "[::1]:8642"):
        assert client.get("/", headers={"host": host}).status_code == 200


def test_a_form_on_another_site_changes_nothing(asking: Asking) -> None:
    client = asking()
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        assert client.post("/new", data={"text": "step 1"}, headers=headers).status_code == 403
        assert client.post("/api/v1/runs", content=b"step 1", headers=headers).status_code == 403
    own = {"origin": "http://127.0.0.1:8642", "sec-fetch-site": "same-origin"}
    assert client.post("/new", files={"file": ("", b"")}, data={"text": "step 1"}, headers=own).status_code == 303
