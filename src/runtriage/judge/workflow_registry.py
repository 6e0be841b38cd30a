"""What a registry's answers mean for pulling an image: one answer, one diagnosis."""

from __future__ import annotations

from typing import Final

from runtriage.model.registry import ImageDiagnosis, ImagePull, RegistryAnswer

_GRANT: Final = (
    "grant this identity the right to pull from the repository; listing tags is another right and proves nothing"
)
_SIGN_IN: Final = "sign in again, or replace the pull secret: user, password or token is wrong or expired"
_MISSING: Final = "push the image under this tag, or name a tag or digest that exists"
_CREDENTIAL: Final = "the registry is private: give the pods a pull secret for it, or sign in"
_NETWORK: Final = "check name, network and proxy; this says nothing about rights or existence"
_SERVER: Final = "look at the registry's own status; this says nothing about rights or existence"
_OCI: Final = "ask again with the media types of OCI images; the image exists"


def diagnosed(pull: ImagePull) -> ImageDiagnosis:
    """Return the one diagnosis the last answer calls for. Only a manifest that was delivered, with its parts, is success."""
    last = pull.answers[-1] if pull.answers else RegistryAnswer(step="manifest", status=0)
    if last.step in ("manifest", "platform") and last.status == 200:
        return ImageDiagnosis(status="ok", http_status=200, detail=_whole(pull), remedy="")
    return _of(last, pull)


def _of(last: RegistryAnswer, pull: ImagePull) -> ImageDiagnosis:
    said = " ".join(part for part in (last.code, last.message) if part)
    what = f"{last.step} {last.status}" + (f" {said}" if said else "")
    if last.status == 0:
        return ImageDiagnosis(status="unreachable", http_status=None, detail=last.message, remedy=_NETWORK)
    if last.status == 429:
        return ImageDiagnosis(
            status="rate_limited", http_status=429, detail=what, remedy="wait, or sign in for a higher limit"
        )
    if last.status >= 500:
        return ImageDiagnosis(status="error", http_status=last.status, detail=what, remedy=_SERVER)
    if last.status == 401:
        return _unauthorized(last, pull, what)
    if last.step == "token" and last.status >= 400:
        word = "unauthorized" if last.credential else "no_credentials"
        return ImageDiagnosis(
            status=word, http_status=last.status, detail=what, remedy=_SIGN_IN if last.credential else _CREDENTIAL
        )
    if last.status == 403:
        detail = f"{what}: permission first; whether the image exists is not known"
        if last.step in ("config", "layer"):
            detail = f"{what}: the manifest may be read, its {last.step} may not"
        return ImageDiagnosis(status="forbidden", http_status=403, detail=detail, remedy=_GRANT)
    if last.status == 404:
        return _not_found(last, what)
    status = last.status if last.status > 0 else None
    return ImageDiagnosis(
        status="error",
        http_status=status,
        detail=what if status else last.message,
        remedy=_SERVER,
    )


def _unauthorized(last: RegistryAnswer, pull: ImagePull, what: str) -> ImageDiagnosis:
    if last.challenge_error == "insufficient_scope":
        if pull.authority == "none":
            return ImageDiagnosis(
                status="no_credentials",
                http_status=401,
                detail=f"{what} (insufficient_scope without a credential)",
                remedy=_CREDENTIAL,
            )
        return ImageDiagnosis(
            status="forbidden",
            http_status=401,
            detail=f"{what} (insufficient_scope: the token holds no right to pull)",
            remedy=_GRANT,
        )
    if last.challenge_error == "invalid_token":
        return ImageDiagnosis(status="unauthorized", http_status=401, detail=f"{what} (invalid_token)", remedy=_SIGN_IN)
    if pull.authority == "none":
        return ImageDiagnosis(status="no_credentials", http_status=401, detail=what, remedy=_CREDENTIAL)
    return ImageDiagnosis(status="unauthorized", http_status=401, detail=what, remedy=_SIGN_IN)


def _not_found(last: RegistryAnswer, what: str) -> ImageDiagnosis:
    if "accept header" in last.message.lower():
        return ImageDiagnosis(
            status="error", http_status=404, detail=f"{what}: the image exists in another form", remedy=_OCI
        )
    if last.step in ("config", "layer", "platform"):
        detail = f"{what}: the manifest is there, its {last.step} {last.subject[:19]} is not"
        return ImageDiagnosis(status="not_found", http_status=404, detail=detail, remedy="push the image again, whole")
    return ImageDiagnosis(status="not_found", http_status=404, detail=what, remedy=_MISSING)


def _whole(pull: ImagePull) -> str:
    platform = f", {pull.platform}" if pull.platform else ""
    return f"manifest, config and {pull.layers} layers are there ({pull.size} bytes{platform})"
