"""What an image registry answered, step by step."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Authority = Literal["none", "operator", "kubernetes_image_pull_secret"]


class ImageReference(Struct, frozen=True, kw_only=True):
    """A registry-qualified image: `reference` is a digest where one is given, else a tag."""

    host: str
    repository: str
    reference: str

    def __str__(self) -> str:
        separator = "@" if self.reference.startswith("sha256:") else ":"
        return f"{self.host}/{self.repository}{separator}{self.reference}"


class RegistryAnswer(Struct, frozen=True, kw_only=True):
    """One answer. `status` is 0 where there was no connection; `code` and `message` are the registry's own words.

    `step` is `manifest`, `token`, `platform`, `config` or `layer`; `credential` whether one was sent along.
    """

    step: str
    status: int
    code: str = ""
    message: str = ""
    scheme: str = ""
    """The challenge of a 401: `bearer`, `basic` or another word."""
    challenge_error: str = ""
    credential: bool = False
    digest: str = ""
    subject: str = ""


class ImagePull(Struct, frozen=True, kw_only=True):
    """Every answer on the way to an image, the last one decisive; `layers` were all there where nothing is wrong."""

    image: str
    authority: Authority
    answers: tuple[RegistryAnswer, ...]
    digest: str = ""
    layers: int = 0
    size: int = 0
    platform: str = ""
    user: str = ""


class ImageDiagnosis(Struct, frozen=True, kw_only=True):
    """What the answers mean for a pull: `status` is one word, `detail` what was seen, `remedy` what to do."""

    status: str
    http_status: int | None
    detail: str
    remedy: str
