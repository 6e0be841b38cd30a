"""Hosts, addresses, users and e-mail addresses, replaced by ordinals."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.redact.marker import is_placeholder
from runtriage.redact.pseudonyms import Pseudonyms

_PUBLIC: Final = (
    "localhost", "github.com", "githubusercontent.com", "gitlab.com", "huggingface.co", "hf.co", "pytorch.org",
    "wandb.ai", "docker.io", "nvcr.io", "nvidia.com", "quay.io", "ghcr.io", "gcr.io", "googleapis.com", "conda.io", "anaconda.org", "openai.com",
    "anthropic.com", "python.org", "numpy.org", "tensorflow.org", "keras.io", "readthedocs.io", "wikipedia.org", "deepspeed.ai", "kernel.org",
)  # fmt: skip
_V4: Final = deferred(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\w)")
_V6: Final = deferred(
    r"(?<![\w:.])(?=[0-9A-Fa-f:]{0,40}:[0-9A-Fa-f:]{0,40}:[0-9A-Fa-f:]{0,40}:)[0-9A-Fa-f:]{4,45}(?:\.\d{1,3}){0,3}(?![\w:])"
)
_MAC: Final = deferred(r"(?<![\w:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\w:])")
_EMAIL: Final = deferred(r"(?<![\w.+@/-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w@-])")
_AT: Final = deferred(r"(?<![\w.@/-])(?P<user>[A-Za-z_][\w.-]{0,63})@(?P<host>[A-Za-z][\w.-]{0,253}\w)")
_QUALIFIED: Final = deferred(
    r"(?<![\w./@-])[A-Za-z0-9](?:[\w-]{0,62}\.){1,8}(?:com|org|edu|gov|mil|internal|local|lan|corp|intra|intranet|cloud|svc|amazonaws\.com)(?![\w-]|\.\w)"
)
_CLOUD_NODE: Final = deferred(r"(?<![\w-])ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[\w.-]{1,100})?(?![\w-])")
_HOST_FIELD: Final = deferred(
    r"(?P<keep>(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,20}[_-])?(?:host_?names?|hosts?|node_?names?|node_?lists?|nodes?|server|master_addr|addr|machine|endpoint|peer|remote|rdzv_endpoint)"
    r"[\"']?[ \t]{0,12}[:=][ \t]{0,4}[\"'\[]?)(?P<name>[A-Za-z](?:[\w.-]{0,253}\w)?)(?![\w(/])",
    re.IGNORECASE,
)
_HOST_SPOKEN: Final = deferred(
    r"(?P<keep>\b(?:node|host|hostname|machine|server)[ \t]{1,3}[\"'`]?)(?P<name>[A-Za-z][\w.-]{0,253}\d[\w-]{0,100}(?:\.[\w-]{1,63}){0,8})",
    re.IGNORECASE,
)
_HOST_LINES: Final = (
    deferred(
        r"(?P<keep>(?:^|(?<=[\s\]]))(?=\S))(?P<name>[A-Za-z][\w.-]{0,253})(?=:\d{1,9}:\d{1,9} \[\d)", re.MULTILINE
    ),
    deferred(r"(?P<keep>\b(?:srun|slurmstepd): error: )(?P<name>[A-Za-z][\w.-]{0,253})(?=: )"),
    deferred(r"(?P<keep> ON )(?P<name>[A-Za-z][\w.-]{0,253})(?= CANCELLED)"),
    deferred(
        r"(?P<keep>\d\d:\d\d:\d\d(?:\.\d{1,9})? )(?P<name>[A-Za-z][\w.-]{0,253})(?= (?:kernel|systemd|slurmd|kubelet|sshd)\b)"
    ),
)
_USER_FIELD: Final = deferred(
    r"(?P<keep>(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,20}[_-])?(?:user|user_?name|user_?id|login|log_?name|owner|author|entity)[\"']?[ \t]{0,4}(?:[:=][ \t]{0,4}[\"']?|[\"']?[ \t](?=[\"'`])[\"'`]))"
    r"(?P<name>[A-Za-z_][\w.-]{0,63})(?![\w(/.])",
    re.IGNORECASE,
)
_LOGGED_IN: Final = deferred(
    r"(?P<keep>\blogged in as:?[ \t]{1,3})(?P<name>[\w.-]{1,64})(?P<team>[ \t]\([\w.-]{1,64}\))?", re.IGNORECASE
)
_HOME: Final = deferred(r"(?<=/)(?:home|Users|users)/(?P<name>[\w.-]{1,64})")


def host_label(host: str, names: Pseudonyms) -> str:
    """Return what stands for a host name or address; names of public services and the local host stay."""
    bare = host.strip("[]")
    if not bare or bare.lower().endswith(_PUBLIC):
        return host
    address = _address(bare)
    if address is None:
        return names.label("host", host)
    return host if address.is_loopback or address.is_unspecified else names.label("ip", str(address))


def without_people(text: str, names: Pseudonyms) -> str:
    """Replace e-mail addresses and user names."""
    for found in _HOME.finditer(text):
        names.label("user", found["name"])
    if "@" in text:
        text = _EMAIL.sub(lambda found: names.label("email", found[0]), text)
        text = _AT.sub(lambda found: f"{names.label('user', found['user'])}@{host_label(found['host'], names)}", text)
    text = _USER_FIELD.sub(lambda found: _field(found, "user", names), text)
    return _LOGGED_IN.sub(lambda found: _logged_in(found, names), text)


def without_hosts(text: str, names: Pseudonyms) -> str:
    """Replace addresses and host names."""
    if ":" in text:
        text = _MAC.sub(lambda found: names.label("mac", found[0]), text)
        text = _V6.sub(lambda found: _numeric(found[0], names), text)
    if "." in text:
        text = _V4.sub(lambda found: _numeric(found[0], names), text)
        text = _QUALIFIED.sub(lambda found: host_label(found[0], names), text)
    text = _CLOUD_NODE.sub(lambda found: names.label("host", found[0]), text)
    for pattern in (_HOST_FIELD, _HOST_SPOKEN, *_HOST_LINES):
        text = pattern.sub(lambda found: _field(found, "host", names), text)
    return text


def _field(found: re.Match[str], kind: str, names: Pseudonyms) -> str:
    name = found["name"]
    if is_placeholder(name):
        return found[0]
    return found["keep"] + (host_label(name, names) if kind == "host" else names.label(kind, name))


def _logged_in(found: re.Match[str], names: Pseudonyms) -> str:
    team = f" ({names.label('user', found['team'].strip(' ()'))})" if found["team"] else ""
    return found["keep"] + names.label("user", found["name"]) + team


def _numeric(text: str, names: Pseudonyms) -> str:
    address = _address(text)
    if address is None or address.is_loopback or address.is_unspecified or text == "255.255.255.255":
        return text
    return names.label("ip", str(address))


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
