"""The requests a node makes before it can start an image: GET and HEAD, and a POST where an identity token is exchanged.

A secret never follows to another host.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import new, sha256
from importlib import import_module
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

from runtriage.model.registry import ImagePull, ImageReference, RegistryAnswer
from runtriage.targets.errors import NO_ACCESS, TargetError
from runtriage.targets.registry_auth import Question, basic, challenge, question, safe_realm, token_of
from runtriage.targets.registry_manifest import Part, document_of, parts, platforms, refusal
from runtriage.targets.registry_reference import Credential, api_host

_TYPES: Final = (
    "application/vnd.docker.distribution.manifest.v2+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.oci.image.index.v1+json",
)
_ACCEPT: Final = ", ".join(_TYPES)
_LIMIT: Final = 4 << 20
_REDIRECTS: Final = 5
_DIGITS: Final = 19
_FIRST: Final = "linux/amd64"
_NESTED: Final = 4
_REASONS: Final = {
    "CERTIFICATE_VERIFY_FAILED": "shows a certificate that is not trusted here (name it in SSL_CERT_FILE if it is your own)",
    "WRONG_VERSION_NUMBER": "does not speak TLS (--plain-http asks without it)",
    "RECORD_LAYER_FAILURE": "does not speak TLS (--plain-http asks without it)",
    "SSL": "broke off the TLS handshake",
    "Name or service not known": "cannot be reached: no such name",
    "nodename nor servname": "cannot be reached: no such name",
    "No address associated": "cannot be reached: no such name",
    "name resolution": "cannot be reached: its name cannot be looked up now",
    "refused": "cannot be reached: it refuses the connection",
    "disconnected without": "broke off its answer",
    "decompressing": "sent an answer that cannot be unpacked",
}
_NOT_TAKEN: Final = {
    "registry": "the registry does not take the token that is kept for it",
    "identity": "the registry asks for a password, and what is kept for it is an identity token",
}
_LOCAL: Final = ("localhost", "127.", "[::1]")


class _Response(NamedTuple):
    status_code: int
    headers: Mapping[str, str]
    content: bytes


class Registry:
    """One registry host under at most one credential."""

    def __init__(self, image: ImageReference, credential: Credential | None, *, plain: bool = False) -> None:
        try:
            self._http: Any = import_module("httpx2")
        except ImportError:
            raise TargetError(
                "checking a registry needs an extra; install it with: pip install 'runtriage[remote]'", NO_ACCESS
            ) from None
        self._image = image
        self._credential = credential
        local = image.host.startswith(_LOCAL)
        self._base = f"{'http' if plain or local else 'https'}://{api_host(image.host)}"
        ready = credential is not None and credential.kind == "registry"
        self._authorization = f"Bearer {credential.secret}" if credential is not None and ready else ""
        self._answers: list[RegistryAnswer] = []
        self._client: Any = self._http.Client(
            timeout=self._http.Timeout(20.0, connect=5.0), follow_redirects=False, trust_env=True
        )

    def pull(self) -> ImagePull:
        """Ask for manifest, platform, config and layers until one of them is refused."""
        digest, layers, size, platform = "", 0, 0, ""
        with self._client:
            found = self._manifest(self._image.reference, "manifest")
            if found is not None:
                digest = self._answers[-1].digest
                found, platform = self._platform(found)
            if found is not None:
                layers, size = self._blobs(found)
        return ImagePull(
            image=str(self._image),
            authority=self._credential.authority if self._credential else "none",
            answers=tuple(self._answers),
            digest=digest,
            layers=layers,
            size=size,
            platform=platform,
        )

    def _manifest(self, reference: str, step: str) -> dict[str, Any] | None:
        url = f"{self._base}/v2/{self._image.repository}/manifests/{reference}"
        response = self._authorized("GET", url, step, {"Accept": _ACCEPT})
        if response is None or response.status_code != 200:
            return None
        content = response.content
        if len(content) > _LIMIT:
            text = f"the manifest is longer than {_LIMIT >> 20} MiB, which no node takes"
            self._note(step, response, message=text, status=-1)
            return None
        digest = f"sha256:{sha256(content).hexdigest()}"
        claims = {
            "they were asked for by": reference,
            "the registry gives for them": response.headers.get("Docker-Content-Digest", ""),
        }
        wrong = next((what for what, each in claims.items() if each.startswith("sha256:") and each != digest), None)
        if wrong is not None:
            self._note(step, response, message=f"the bytes do not have the digest {wrong}", status=-1)
            return None
        self._note(step, response, digest=digest)
        found = document_of(content)
        if found is None:
            self._note(step, response, message=f"the {step} is not a JSON document of an image", status=-1)
        return found

    def _platform(self, found: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
        """Return the manifest for linux/amd64 where the image is an index, else the first there is."""
        name = ""
        for _ in range(_NESTED):
            listed = platforms(found)
            if not listed:
                return found, name
            name = _FIRST if _FIRST in listed else next(iter(listed))
            inner = self._manifest(listed[name], "platform")
            if inner is None:
                return None, name
            found = inner
        text = "the index lists indexes of indexes, and no image is reached"
        self._answers.append(RegistryAnswer(step="platform", status=-1, message=text))
        return None, name

    def _blobs(self, found: dict[str, Any]) -> tuple[int, int]:
        """Look at config and layers; return how many layers are there and their bytes."""
        count = size = 0
        for part in parts(found):
            response = self._blob(part)
            if response is None:
                break
            if response.status_code not in (200, 206):
                self._note(part.step, response, subject=part.digest)
                break
            count += part.step == "layer"
            size += part.size
        return count, size

    def _blob(self, part: Part) -> _Response | None:
        """Ask for a config whole, as it is small, and for a layer by its length. Returns None where the end is noted already."""
        url = f"{self._base}/v2/{self._image.repository}/blobs/{part.digest}"
        method = "GET" if part.step == "config" else "HEAD"
        response = self._authorized(method, url, part.step, {})
        if response is not None and response.status_code == 405 and method == "HEAD":
            return self._authorized("GET", url, part.step, {"Range": "bytes=0-0"})
        if response is None or response.status_code != 200:
            return response
        if method == "HEAD":
            length = "" if response.headers.get("Content-Encoding") else response.headers.get("Content-Length", "")
            text = f"{part.digest[:19]} has {length[:20]} bytes, the manifest says {part.size}"
            wrong = length.isdecimal() and len(length) < _DIGITS and 0 < int(length) != part.size > 0
        else:
            text = f"the bytes of {part.digest[:19]} do not have this digest"
            own = new(part.digest.partition(":")[0], response.content).hexdigest()
            wrong = len(response.content) <= _LIMIT and own != part.digest.partition(":")[2]
        if wrong:
            self._note(part.step, response, message=f"{part.step} {text}", status=-1)
        return None if wrong else response

    def _authorized(self, method: str, url: str, step: str, headers: Mapping[str, str]) -> _Response | None:
        """Send a request; on a challenge answer it once and send again. Returns None where the end is noted already."""
        response = self._send(method, url, step, headers)
        if response is None or response.status_code != 401:
            return self._refused(response, step)
        scheme, fields = challenge(response.headers.get("WWW-Authenticate", ""))
        kind = self._credential.kind if self._credential else ""
        if kind == "registry" or (kind == "identity" and scheme == "basic"):
            self._note(step, response, message=_NOT_TAKEN[kind])
            return None
        if scheme == "bearer" and not self._token(fields):
            return None
        if scheme == "basic" and self._credential is not None:
            self._authorization = basic(self._credential)
        if scheme not in ("basic", "bearer") or not self._authorization:
            known = scheme in ("basic", "bearer", "")
            self._note(
                step, response, message="" if known else f"it asks to sign in by {scheme[:20]}, which no node does"
            )
            return None
        return self._refused(self._send(method, url, step, headers), step)

    def _refused(self, response: _Response | None, step: str) -> _Response | None:
        """Note a refusal of a manifest; blobs are noted by who asked for them."""
        if (
            response is not None
            and response.status_code >= 400
            and response.status_code != 405
            and step in ("manifest", "platform")
        ):
            self._note(step, response)
        if response is not None and response.status_code == 401 and step not in ("manifest", "platform"):
            self._note(step, response)
            return None
        return response

    def _token(self, fields: Mapping[str, str]) -> bool:
        """Fetch a token for pulling this repository and nothing else; having one proves nothing yet."""
        realm = fields.get("realm", "")
        if not safe_realm(realm, self._base):
            self._answers.append(
                RegistryAnswer(step="token", status=-1, message="the challenge names no realm that can be asked safely")
            )
            return False
        asked = question(self._credential, self._image.repository, fields.get("service", ""))
        response = self._send(asked.method, realm, "token", asked.headers, asked)
        if response is None:
            return False
        token = token_of(response.content) if response.status_code == 200 else ""
        if not token:
            self._note("token", response, scheme="bearer")
            return False
        self._authorization = f"Bearer {token}"
        return True

    def _send(
        self,
        method: str,
        url: str,
        step: str,
        headers: Mapping[str, str],
        token: Question | None = None,
    ) -> _Response | None:
        """Send one request, following redirects by hand: the authorization stays with the host it was given for, and a body is not sent on.

        With `token` it is one for a token, which carries its own credential.
        """
        sent, body = dict(headers), token.content if token else None
        if token is not None and token.params:
            url = f"{url}{'&' if urlsplit(url).query else '?'}{urlencode(token.params)}"
        if token is None and self._authorization:
            sent["Authorization"] = self._authorization
        for _ in range(_REDIRECTS + 1):
            try:
                response = self._answered(method, url, sent, body)
            except (self._http.HTTPError, self._http.InvalidURL) as error:
                self._answers.append(
                    RegistryAnswer(
                        step=step, status=0, message=_unreached(error, url), credential=bool(sent.get("Authorization"))
                    )
                )
                return None
            if response.status_code not in (301, 302, 303, 307, 308) or not response.headers.get("Location"):
                return response
            target = urljoin(url, response.headers["Location"])
            clear = url.startswith("https") and target.startswith("http:")
            if body is not None or clear or urlsplit(target).scheme not in ("http", "https"):
                break
            if urlsplit(target)[:2] != urlsplit(url)[:2]:
                sent.pop("Authorization", None)
            url = target
        self._answers.append(
            RegistryAnswer(step=step, status=-1, message="redirects lead nowhere that may be followed")
        )
        return None

    def _answered(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> _Response:
        """Return an answer with no more of its body than a manifest may have."""
        content = bytearray()
        with self._client.stream(method, url, headers=headers, content=body) as response:
            for piece in response.iter_bytes(1 << 16):
                content += piece
                if len(content) > _LIMIT:
                    break
            return _Response(response.status_code, response.headers, bytes(content))

    def _note(
        self,
        step: str,
        response: _Response,
        *,
        digest: str = "",
        message: str = "",
        status: int | None = None,
        scheme: str = "",
        subject: str = "",
    ) -> None:
        code, said = refusal(response.content) if response.status_code >= 400 else ("", "")
        pause = response.headers.get("Retry-After", "") if response.status_code in (429, 503) else ""
        said = f"{said} (again after {pause} s)".lstrip() if pause.isdecimal() and len(pause) < 8 else said
        kind, fields = challenge(response.headers.get("WWW-Authenticate", ""))
        self._answers.append(
            RegistryAnswer(
                step=step,
                status=response.status_code if status is None else status,
                code=code,
                message=message or said,
                scheme=scheme or kind,
                challenge_error=fields.get("error", ""),
                credential=self._credential is not None,
                digest=digest,
                subject=subject,
            )
        )


def _unreached(error: Exception, url: str) -> str:
    """Return why there was no answer, out of the words of the library and of the system below it."""
    text = str(error)
    why = "did not answer in time" if "Timeout" in type(error).__name__ else "cannot be reached"
    for sign, word in _REASONS.items():
        if sign in text:
            why = word
            break
    return f"{urlsplit(url).netloc} {why}"
