"""Whether an image can be pulled, and if not, the one reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from runtriage.api.workflow import clean
from runtriage.judge.workflow_registry import diagnosed
from runtriage.model.exit_code import FAILED, NO_ACCESS, OK, USAGE
from runtriage.targets.errors import TargetError
from runtriage.targets.registry import Registry
from runtriage.targets.registry_helper import operator_credential
from runtriage.targets.registry_reference import Credential, of_secret, reference
from runtriage.targets.workflow_kube import Kube

_FAILED: Final = frozenset({"not_found", "forbidden", "unauthorized", "no_credentials"})


def check(
    image: str,
    *,
    pull_secret: str | None = None,
    kube_context: str | None = None,
    credential: tuple[str, str] | None = None,
    plain: bool = False,
) -> dict[str, Any]:
    """Return the diagnosis of one image. A secret is read only where `pull_secret` names it as NAMESPACE/NAME.

    `credential` is a user and a password, else what the user's container tools keep, their helpers included. Raises `TargetError` for wrong
    usage.
    """
    found = reference(image)
    if isinstance(found, str):
        return _row(image, "invalid", None, found, "write the reference as HOST/REPOSITORY:TAG", {"authority": "none"})
    said = ""
    if pull_secret is not None:
        chosen = _from_cluster(pull_secret, found.host, kube_context)
        if isinstance(chosen, str):
            return _unverified(str(found), chosen)
    elif credential is not None:
        chosen = Credential("operator", *credential)
    else:
        chosen, said = operator_credential(found.host)
    pull = Registry(found, chosen, plain=plain).pull()
    result = diagnosed(pull)
    extra = _targets(pull.authority, ok=result.status == "ok") | {
        "credential_note": said or None,
        "digest": pull.digest or None,
        "layers": pull.layers,
        "steps": [
            {"step": answer.step, "status": answer.status, "code": answer.code or None} for answer in pull.answers
        ],
    }
    return _row(str(found), result.status, result.http_status, result.detail, result.remedy, extra)


def _unverified(image: str, why: str) -> dict[str, Any]:
    """Return that a pull secret could not be tried."""
    remedy = "repair the secret, or the right to read it"
    targets = _targets("kubernetes_image_pull_secret", ok=False)
    return _row(image, "target_pull_unverified", None, why, remedy, targets)


def exit_code(found: Mapping[str, Any]) -> int:
    """Return 0 for an image that can be pulled, 1 for one that cannot, 2 for no reference, 4 where nothing could be proven."""
    if found["status"] == "ok":
        return OK
    return FAILED if found["status"] in _FAILED else USAGE if found["status"] == "invalid" else NO_ACCESS


def _from_cluster(pull_secret: str, host: str, context: str | None) -> Credential | str:
    namespace, slash, name = pull_secret.partition("/")
    if not slash or not namespace or not name or "/" in name:
        raise TargetError(f"--pull-secret: {pull_secret!r} is not NAMESPACE/NAME", USAGE)
    answer = Kube(context).secret(namespace, name)
    if answer.refused:
        return (
            f"there is no secret {pull_secret}"
            if answer.absent
            else f"the secret cannot be read ({answer.refused}); this does not say whether it exists"
        )
    return of_secret(answer.out, host)


def _targets(authority: str, *, ok: bool) -> dict[str, Any]:
    secret = authority == "kubernetes_image_pull_secret"
    target = "unverified" if not ok else "verified_pull_secret" if secret else "satisfied_by_operator_credential"
    return {
        "authority": authority,
        "operator_status": None if secret else ("ok" if ok else "failed"),
        "target_status": target,
    }


def _row(
    image: str, status: str, http_status: int | None, detail: str, remedy: str, extra: Mapping[str, Any]
) -> dict[str, Any]:
    return clean(
        {
            "image": image,
            "status": status,
            "http_status": http_status,
            "detail": detail,
            "remedy": remedy or None,
            **extra,
        }
    )
