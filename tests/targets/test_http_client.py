"""Asking over HTTP: what is not listed is not asked, waiting is bounded, every refusal is one clear line."""

from __future__ import annotations

import socket
import threading
from collections.abc import Generator

import pytest

from runtriage.targets.errors import TargetError
from runtriage.targets.http_client import Allowed, HttpClient, Refused
from tests.servers.answering import Asked, Status, answering

LISTED = (Allowed("GET", r"/thing"), Allowed("GET", r"/jump"), Allowed("POST", r"/find"))


_OPEN: list[HttpClient] = []


@pytest.fixture(autouse=True)
def closed_in_the_end() -> Generator[None]:
    yield
    while _OPEN:
        _OPEN.pop().close()


def failing(code: int):
    def reply(_: Asked) -> None:
        raise Status(code, {"error": {"message": "told\nin two lines"}})

    return reply


def client(url: str, paused: list[float] | None = None) -> HttpClient:
    note = paused if paused is not None else []
    made = HttpClient(
        "Tracker", url, LISTED, headers=lambda: {"authorization": "Bearer hunter2"}, login="log in", pause=note.append
    )
    _OPEN.append(made)
    return made


@pytest.mark.parametrize(
    ("code", "exit_code", "words"),
    [
        (401, 4, "wrong or expired; log in"),
        (403, 4, "may not read"),
        (404, 3, "no such thing"),
        (500, 4, "server failed"),
        (418, 3, "418"),
    ],
)
def test_each_refusal_has_its_line_and_its_exit_code(code: int, exit_code: int, words: str) -> None:
    with answering({("GET", "/thing"): failing(code)}) as server, pytest.raises(Refused) as refused:
        client(server.url).get("/thing")
    fatal = refused.value.fatal()
    assert fatal.code == exit_code
    assert words in str(fatal)
    assert "told in two lines" in str(fatal)
    assert "hunter2" not in str(fatal)


@pytest.mark.parametrize("header", ["Bearer hunter2secret", "hunter2secret", "Basic dXNlcjpodW50ZXIyc2VjcmV0"])
def test_a_server_that_quotes_the_login_it_was_sent_does_not_have_it_shown(header: str) -> None:
    def quoting(asked: Asked) -> None:
        sent = f"{asked.headers['authorization']} that is user:hunter2secret"
        raise Status(403, {"message": f"{'x' * 190} may not: {sent}" if asked.path.endswith("find") else f"not {sent}"})

    with answering({("GET", "/thing"): quoting, ("POST", "/find"): quoting}) as server:
        asking = HttpClient("Tracker", server.url, LISTED, headers=lambda: {"authorization": header})
        _OPEN.append(asking)
        for ask in (lambda: asking.get("/thing"), lambda: asking.post("/find", {})):
            with pytest.raises(Refused) as refused:
                ask()
            assert "hunter2" not in str(refused.value)
            assert "dXNlcjpo" not in str(refused.value)


def test_what_is_not_listed_is_never_asked() -> None:
    with answering({}) as server:
        asking = client(server.url)
        for ask in (lambda: asking.get("/other"), lambda: asking.post("/thing", {}), lambda: asking.get("/thing/../x")):
            with pytest.raises(Refused, match="not among"):
                ask()
    assert server.asked == []


def test_a_busy_server_is_asked_again_after_the_pause_it_wants_and_not_for_ever() -> None:
    replies = iter([Status(429, headers={"retry-after": "2"}), Status(503), {"ok": 1}])

    def reply(_: Asked) -> object:
        found = next(replies)
        if isinstance(found, Status):
            raise found
        return found

    paused: list[float] = []
    with answering({("GET", "/thing"): reply}) as server:
        assert client(server.url, paused).get("/thing").data() == {"ok": 1}
    assert paused[0] == 2.0
    with answering({("GET", "/thing"): failing(503)}) as server, pytest.raises(Refused):
        client(server.url).get("/thing")
    assert len(server.asked) == 3


def test_credentials_do_not_follow_to_another_place() -> None:
    def jump(_: Asked) -> None:
        raise Status(302, headers={"location": "http://127.0.0.1:9/elsewhere"})

    with answering({("GET", "/jump"): jump}) as server, pytest.raises(Refused, match="points elsewhere"):
        client(server.url).get("/jump")
    assert len(server.asked) == 1


def test_a_server_that_is_not_there_is_said_to_be_out_of_reach_without_its_password() -> None:
    with pytest.raises(Refused, match="cannot be reached") as refused:
        client("http://user:secret@127.0.0.1:9").get("/thing")
    assert "secret" not in str(refused.value)
    assert refused.value.status == 0


def test_a_long_answer_is_cut() -> None:
    with answering({("GET", "/thing"): lambda _: b"x" * 100_000}) as server:
        answer = client(server.url).get("/thing", most=1000)
    assert (len(answer.content), answer.cut) == (1000, True)


def test_an_answer_that_trickles_is_given_up_after_a_time() -> None:
    hours = iter(range(0, 10**9, 3600))
    with answering({("GET", "/thing"): lambda _: b"x" * 100_000}) as server:
        slow = HttpClient("Tracker", server.url, LISTED, clock=lambda: next(hours))
        _OPEN.append(slow)
        with pytest.raises(Refused, match="after 120 s") as refused:
            slow.get("/thing")
    assert refused.value.fatal().code == 4


def test_an_answer_nested_too_deep_to_be_read_is_refused() -> None:
    with answering({("GET", "/thing"): lambda _: b"[" * 200_000}) as server, pytest.raises(Refused, match="no JSON"):
        client(server.url).get("/thing").data()


def test_a_connection_that_breaks_in_an_answer_is_told_from_one_that_cannot_be_made() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def broken() -> None:
            for _ in range(3):
                with listening.accept()[0] as connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")

        thread = threading.Thread(target=broken, daemon=True)
        thread.start()
        with pytest.raises(Refused, match="broke off its answer") as refused:
            client(f"http://127.0.0.1:{listening.getsockname()[1]}").get("/thing")
        thread.join()
    assert refused.value.fatal().code == 4


def test_an_answer_that_is_no_json_is_refused() -> None:
    with answering({("GET", "/thing"): lambda _: b"<html>"}) as server, pytest.raises(Refused, match="no JSON"):
        client(server.url).get("/thing").data()


def test_an_answer_that_is_a_page_names_the_service() -> None:
    with answering({("GET", "/thing"): lambda _: b"<html>log in</html>"}) as server:
        answer = client(server.url).get("/thing")
        with pytest.raises(Refused, match=f"Tracker at {server.url} answers with something that is no JSON"):
            answer.data()


def test_a_password_in_an_address_is_not_shown_and_goes_over_no_open_connection() -> None:
    def quoting(_: Asked) -> None:
        raise Status(401, {"message": "wrong: s3cret/word and s3cret%2Fword"})

    with answering({("GET", "/thing"): quoting}) as server, pytest.raises(Refused) as refused:
        client(server.url.replace("//", "//owl:s3cret%2Fword@")).get("/thing")
    assert "s3cret" not in str(refused.value)
    with pytest.raises(TargetError, match=r"http://tracker\.example is not encrypted") as usage:
        client("http://owl:s3cret@tracker.example")
    assert usage.value.code == 2


@pytest.mark.parametrize("address", ["http://[::1", "http://", "http://a b/", "http://host:port"])
def test_an_address_that_is_none_is_one_line(address: str) -> None:
    with pytest.raises(Refused):
        client(address).get("/thing")
