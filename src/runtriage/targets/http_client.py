"""Reading over HTTP: an allow-list of what may be asked, bounded waiting, bounded answers, and one clear line for each refusal."""

from __future__ import annotations

import contextlib
import json
import random
import time
from base64 import b64decode
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from urllib.parse import unquote, urlsplit

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.http_lines import Lines

if TYPE_CHECKING:
    import httpx2

_TRIES: Final = 3
_LONGEST_PAUSE: Final = 5.0
_CONNECT: Final = 10.0
_READ: Final = 30.0
_ANSWER: Final = 120.0
"""Seconds for the whole of one answer: a server that sends a byte now and then never runs into the time for one read."""
LARGEST: Final = 64 << 20
"""Bytes of one answer that are kept."""
_LARGEST_REFUSAL: Final = 1 << 20
_QUIET: Final = 300.0
"""Seconds without a byte after which an answer that goes on is taken for broken; servers that stream send a beat every half minute."""
AGAIN: Final = frozenset({429, 500, 502, 503, 504})
"""Answers after which the same is asked again."""
_OPEN: Final = frozenset({"accept", "content-type", "user-agent"})
"""Headers that carry no login."""
_HIDDEN: Final = deferred(r"//[^/@\s]*@")


class Refused(Exception):
    """A question that got no answer. `status` is 0 where no connection was made; the message holds no credential.

    `content` is what came with the status, at most 1 MiB of it; `unreached` says that nobody answered.
    """

    def __init__(self, message: str, status: int = 0, content: bytes = b"", *, unreached: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.content = content
        self.unreached = unreached

    def fatal(self) -> TargetError:
        """Return the same as the end of a command: 4 where nobody answers who knows, or rights are lacking; 3 for what is not there."""
        unasked = self.unreached or self.status in (401, 403, 429) or self.status >= 500
        return TargetError(str(self), NO_ACCESS if unasked else NOT_FOUND)


class Allowed(NamedTuple):
    """One thing that may be asked: a method and a pattern that the whole path fits."""

    method: str
    path: str


class Answer(NamedTuple):
    """A document, whether it was cut, when the server answered (seconds since 1970) where it says so, and its headers in lower case.

    `who` names the service and its address.
    """

    content: bytes
    cut: bool
    date: float | None
    headers: Mapping[str, str]
    who: str = "the server"

    def data(self) -> Any:
        """Return the document read as JSON. Raises `Refused` where it is none."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise Refused(
                f"{self.who} answers with something that is no JSON: another service, or a page to log in, is at this address"
            ) from None

    def members(self) -> dict[str, Any]:
        """Return the members of the object that the document is. Raises `Refused` where it is none."""
        held = self.data()
        if not isinstance(held, dict):
            raise Refused(f"{self.who} answers with JSON that is no object: another service is at this address")
        return cast("dict[str, Any]", held)


class HttpClient:
    """Asks one server. `name` is what the service is called in messages, `login` how a user gives his credentials."""

    def __init__(
        self,
        name: str,
        base: str,
        allowed: Sequence[Allowed],
        *,
        headers: Callable[[], Mapping[str, str]] = dict[str, str],
        login: str = "",
        verify: bool = True,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._base = base.rstrip("/")
        self._allowed = [(each.method, deferred(each.path)) for each in allowed]
        self._headers = headers
        self._login = login
        self._pause = pause
        self._clock = clock
        self._secrets = set(_secrets_in(self._base))
        if self._secrets and not secure(self._base):
            raise TargetError(f"{name}: {self.place} is not encrypted (http): the login in it is not sent", USAGE)
        self._client = _client(verify)

    @property
    def place(self) -> str:
        """The address without credentials."""
        return _HIDDEN.sub("//", self._base)

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def get(self, path: str, params: Mapping[str, str | int] | None = None, *, most: int = LARGEST) -> Answer:
        """Return a document. Raises `Refused`."""
        return self._ask("GET", path, params, None, most)

    def post(self, path: str, body: Mapping[str, object], *, most: int = LARGEST, within: float = _ANSWER) -> Answer:
        """Return the answer to a question that is asked by POST; the path must be on the list of those that only read. Raises `Refused`.

        `within` are the seconds it may take to arrive once it began.
        """
        return self._ask("POST", path, None, body, most, within)

    @contextmanager
    def lines(self, path: str, body: Mapping[str, object]) -> Generator[Lines]:
        """Ask by POST for an answer that goes on, and give its lines as they come; asked once, since half of it may be told already.

        Raises `Refused`, also while the lines are read.
        """
        self._check("POST", path)
        import httpx2

        try:
            headers, timeout = self._signed(), httpx2.Timeout(_QUIET, connect=_CONNECT)
            with self._client.stream(
                "POST", self._base + path, json=body, headers=headers, timeout=timeout
            ) as response:
                if response.status_code != 200:
                    told, _ = self._content(response, _LARGEST_REFUSAL)
                    raise Refused(self._why(response.status_code, told), response.status_code, told)
                yield Lines({name.lower(): value for name, value in response.headers.items()}, response.iter_bytes)
        except httpx2.TransportError as error:
            raise Refused(self._unreached(error, 1), unreached=True) from None
        except (httpx2.HTTPError, httpx2.InvalidURL):
            raise Refused(f"{self._name}: {self.place} is no address that can be asked") from None

    def _check(self, method: str, path: str) -> None:
        if not any(method == known and pattern.fullmatch(path) for known, pattern in self._allowed):
            raise Refused(f"{method} {path} is not among the things that may be asked")

    def _ask(
        self,
        method: str,
        path: str,
        params: Mapping[str, str | int] | None,
        body: Mapping[str, object] | None,
        most: int,
        within: float = _ANSWER,
    ) -> Answer:
        self._check(method, path)
        import httpx2

        for attempt in range(1, _TRIES + 1):
            try:
                with self._client.stream(
                    method, self._base + path, params=params, json=body, headers=self._signed()
                ) as response:
                    if response.status_code in AGAIN and attempt < _TRIES:
                        self._pause(_wait(response, attempt))
                        continue
                    return self._answer(response, most, within)
            except httpx2.TransportError as error:
                if attempt == _TRIES:
                    raise Refused(self._unreached(error), unreached=True) from None
                self._pause(0.2 * attempt)
            except (httpx2.HTTPError, httpx2.InvalidURL):
                raise Refused(f"{self._name}: {self.place} is no address that can be asked") from None
        raise Refused(f"{self._name} at {self.place} gave no answer")

    def _answer(self, response: httpx2.Response, most: int, within: float) -> Answer:
        if response.status_code != 200:
            told, _ = self._content(response, _LARGEST_REFUSAL)
            raise Refused(self._why(response.status_code, told), response.status_code, told)
        content, cut = self._content(response, most, within)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(content, cut, _date(response), headers, f"{self._name} at {self.place}")

    def _content(self, response: httpx2.Response, most: int, within: float = _ANSWER) -> tuple[bytes, bool]:
        """Return at most so many bytes of an answer, and whether there are more. Raises `Refused` where it trickles for too long."""
        content, until = bytearray(), self._clock() + within
        for piece in response.iter_bytes():
            content += piece
            if len(content) > most:
                return bytes(content[:most]), True
            if self._clock() > until:
                told = f"{self._name} at {self.place} had not sent all of its answer after {within:.0f} s"
                raise Refused(told, unreached=True)
        return bytes(content), False

    def _unreached(self, error: Exception, tries: int = _TRIES) -> str:
        kind = type(error).__name__
        broken = kind in ("RemoteProtocolError", "ReadError")
        why = (
            "did not answer in time" if "Timeout" in kind else "broke off its answer" if broken else "cannot be reached"
        )
        again = f", tried {tries} times" if tries > 1 else ""
        return f"{self._name}: {self.place} {why} ({kind}{again})"

    def _signed(self) -> dict[str, str]:
        headers = dict(self._headers())
        self._secrets.update(
            secret for name, value in headers.items() if name.lower() not in _OPEN for secret in _secrets_of(value)
        )
        return headers

    def without_credentials(self, text: str) -> str:
        """Return what a server said without what it was sent: some quote it."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, "[hidden]")
        return text

    def _why(self, status: int, content: bytes) -> str:
        host = f"{self._name} at {self.place}"
        said = self.without_credentials(_said(content))[:200]
        said = f": {said}" if said else ""
        login = f"; {self._login}" if self._login else ""
        if status == 401:
            return f"{host} answers 401, the credentials are missing, wrong or expired{login}{said}"
        if status == 403:
            return f"{host} answers 403, this login may not read it{said}"
        if status == 404:
            return f"{host} answers 404, there is no such thing{said}"
        if status == 429:
            return f"{host} answers 429, too many requests, also after waiting{said}"
        if status >= 500:
            return f"{host} answers {status}, the server failed (tried {_TRIES} times){said}"
        if 300 <= status < 400:
            return f"{host} answers {status} and points elsewhere; credentials do not follow there, give that address itself"
        return f"{host} answers {status}{said}"


def _client(verify: bool) -> httpx2.Client:
    try:
        import httpx2
    except ImportError:
        raise TargetError(
            "reading over HTTP needs one more package: pip install 'runtriage[remote]'", NO_ACCESS
        ) from None
    timeout = httpx2.Timeout(_READ, connect=_CONNECT)
    return httpx2.Client(timeout=timeout, follow_redirects=False, verify=verify)


def _secrets_of(header: str) -> Iterator[str]:
    """Yield what must not be shown of a header that carries a login: its words but the scheme, and what Basic packs."""
    scheme, _, rest = header.strip().rpartition(" ")
    found = [rest]
    if scheme.lower() == "basic":
        with contextlib.suppress(ValueError):
            found += b64decode(rest, validate=True).decode("utf-8", "replace").split(":", 1)[1:]
    yield from (secret for secret in found if len(secret) > 3)


def _secrets_in(address: str) -> Iterator[str]:
    """Yield the password that an address carries, or its name where that is all the login there is, as written and as meant."""
    login = address.partition("://")[2].partition("/")[0].rpartition("@")[0]
    name, _, password = login.partition(":")
    yield from (secret for secret in {password or name, unquote(password or name)} if secret)


def _wait(response: httpx2.Response, attempt: int) -> float:
    told = response.headers.get("retry-after", "")
    spread = random.uniform(0.5, 1.5)  # so that many that were turned away together do not come back together
    return min(float(told) if told.isdecimal() else 0.3 * 2**attempt * spread, _LONGEST_PAUSE)


def _date(response: httpx2.Response) -> float | None:
    try:
        return parsedate_to_datetime(response.headers.get("date", "")).timestamp()
    except (TypeError, ValueError):
        return None


def _said(content: bytes) -> str:
    """Return the message of an error answer on one line."""
    try:
        held: object = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    for key in ("message", "error", "detail"):
        value = cast("dict[str, object]", held).get(key) if isinstance(held, dict) else None
        value = cast("dict[str, object]", value).get("message") if isinstance(value, dict) else value
        if isinstance(value, str) and value:
            return " ".join(value.split())
    return ""


def secure(url: str) -> bool:
    """Tell whether credentials may go to an address: it is encrypted, or on this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1", "::1")
