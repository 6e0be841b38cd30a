"""What to do about a failed workload, by its category and by what the signal itself says, and who can do it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from runtriage.model import amount
from runtriage.model.pattern import deferred
from runtriage.model.workload import Memory, Workload

RECURRING: Final = 2
"""So many failures of one category within the look-back are recurring."""
OWNERS: Final[Mapping[str, str]] = {
    "CRASH_APP_ERROR": "user",
    "OOM_KILLED": "user",
    "IMAGE_PULL_FAILED": "user",
    "INIT_FAILED": "user",
    "DATASOURCE_MOUNT_FAILED": "storage administrator",
    "NODE_FAILURE": "infrastructure/SRE",
    "SCHEDULING_POLICY_TERMINATED": "user",
    "UNKNOWN": "undetermined",
}
_ADMINISTRATOR: Final = "administrator"
_MISSING: Final = deferred(
    r"manifest (?:for \S+ )?(?:unknown|not found)|\bnot found\b|name unknown|repository does not exist|invalid reference",
    re.IGNORECASE,
)
_AUTH: Final = deferred(
    r"\b401\b|\b403\b|unauthorized|authentication required|access denied|forbidden|no basic auth|pull access denied",
    re.IGNORECASE,
)
_RATE: Final = deferred(r"toomanyrequests|\b429\b|rate limit", re.IGNORECASE)
_TLS: Final = deferred(r"x509|certificate|tls:", re.IGNORECASE)
_NET: Final = deferred(
    r"no such host|dial tcp|i/o timeout|connection refused|lookup \S+|network is unreachable|deadline exceeded",
    re.IGNORECASE,
)
_FORMAT: Final = deferred(
    r"no match(?:ing manifest)? for platform|unsupported manifest|exec format|media type", re.IGNORECASE
)


def recurring(workload: Workload) -> bool:
    """Tell whether the failure came at least twice within the look-back."""
    return max(workload.occurrences, workload.restarts) >= RECURRING


def owner(category: str | None, workload: Workload) -> str:
    """Return who can recover the workload."""
    if category == "IMAGE_PULL_FAILED" and _AUTH.search(workload.signal) and not _MISSING.search(workload.signal):
        return _ADMINISTRATOR
    if category == "IMAGE_PULL_FAILED" and (_TLS.search(workload.signal) or _NET.search(workload.signal)):
        return _ADMINISTRATOR
    return OWNERS.get(category or "UNKNOWN", "undetermined")


def recommendations(category: str | None, workload: Workload, *, line: str = "") -> tuple[str, ...]:
    """Return what to do, first things first; `line` is where a log shows the failing line."""
    if category is None:
        return ()
    found = list(_BY_CATEGORY[category](workload, line))
    if recurring(workload) and category != "UNKNOWN":
        found.append("It recurs: remove the cause for good; starting it again unchanged will fail again.")
    return tuple(found)


def _oom(workload: Workload, _: str) -> Iterator[str]:
    yield f"Profile host memory and raise {_limit(workload.memory)}: {_headroom(workload.memory)}."
    yield "Lower the batch size, the number of data-loading workers or what they prefetch."
    yield "If the model itself is what grows, turn on gradient checkpointing or save less often."


def _limit(memory: Memory) -> str:
    limit = f"the limit of {amount.memory(memory.limit)}" if memory.limit else "the memory limit"
    return (
        f"{limit} (request {amount.memory(memory.request)})"
        if memory.request and memory.request != memory.limit
        else limit
    )


def _headroom(memory: Memory) -> str:
    limit = amount.quantity(memory.limit)
    if memory.peak is not None and limit:
        share = memory.peak / limit
        return (
            f"the highest sample, {amount.sampled(memory.peak)}, is {share:.0%} of it, and samples miss the last moment"
        )
    if memory.peak is not None:
        return f"the highest sample is {amount.sampled(memory.peak)}, and the limit is not known"
    return "no peak was observed, so find the need with a run that measures it"


def _image(workload: Workload, _: str) -> Iterator[str]:
    text = workload.signal
    if _RATE.search(text):
        yield "The registry limits the rate of pulls: wait, or pull through a mirror or with an account of its own."
    elif _MISSING.search(text):
        yield "The registry has no such image: correct the name or the tag, or push it."
    elif _AUTH.search(text):
        yield "The registry refuses the pull: correct the registry credentials of the project."
    elif _TLS.search(text):
        yield "The certificate of the registry is not trusted by the node: install its authority or correct the address."
    elif _NET.search(text):
        yield "The node does not reach the registry: check the registry's name, DNS and network from the node."
    elif _FORMAT.search(text):
        yield "The image does not fit the node: build it for the node's architecture and a current manifest format."
    else:
        yield "What the registry answered is not known: read it from the pod's events before changing anything."


def _crash(workload: Workload, line: str) -> Iterator[str]:
    yield (
        f"Correct the code or configuration at {line}." if line else _said("Correct what the program reports", workload)
    )
    if not line:
        yield "Read the previous container's log for the failing line."


def _said(what: str, workload: Workload) -> str:
    text = " ".join(workload.signal.split())
    return f'{what}: "{text[:160]}"' if text else f"{what}."


def _init(workload: Workload, _: str) -> Iterator[str]:
    yield _said("Correct the init container's script or configuration", workload)


def _mount(workload: Workload, _: str) -> Iterator[str]:
    yield _said("Correct the volume, claim or secret that the workload mounts", workload)
    yield "Check that the claim exists in the project's namespace and is bound."


def _node(workload: Workload, _: str) -> Iterator[str]:
    if workload.restart_policy.lower() == "onfailure":
        yield "Let it be retried on a healthy node: its restart policy is OnFailure."
    else:
        yield "Submit it again on a healthy node, from its last checkpoint."
    yield "Have the node looked at before it takes work again."


def _policy(workload: Workload, _: str) -> Iterator[str]:
    yield _said("A policy or a person ended it as intended", workload)
    yield "Ask an administrator to review the policy only if the end was not intended; resume from the last checkpoint."


def _unknown(workload: Workload, _: str) -> Iterator[str]:
    yield "Read the pod's previous log, container states and events before changing anything."


_BY_CATEGORY: Final[Mapping[str, Callable[[Workload, str], Iterator[str]]]] = {
    "OOM_KILLED": _oom,
    "IMAGE_PULL_FAILED": _image,
    "CRASH_APP_ERROR": _crash,
    "INIT_FAILED": _init,
    "DATASOURCE_MOUNT_FAILED": _mount,
    "NODE_FAILURE": _node,
    "SCHEDULING_POLICY_TERMINATED": _policy,
    "UNKNOWN": _unknown,
}
