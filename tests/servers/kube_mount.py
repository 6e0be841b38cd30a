"""What a pod finds of its service account: a token, the authority that signed the API server, and a namespace."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.servers.kube_server import TOKEN

SUBJECT = ["-subj", "/CN=kubernetes", "-addext", "subjectAltName=IP:127.0.0.1"]


def certificate(folder: Path) -> Path:
    """Write a certificate of 127.0.0.1 that is its own authority, with its key, into one file, and return its path."""
    key, signed = folder / "key.pem", folder / "signed.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *SUBJECT]
    subprocess.run([*made, "-keyout", key, "-out", signed], check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_bytes(signed.read_bytes() + key.read_bytes())
    return both


def mount(folder: Path, authority: Path, namespace: str = "ml", token: str = TOKEN) -> Path:
    """Write the folder that a pod sees and return it."""
    place = folder / "serviceaccount"
    place.mkdir()
    (place / "token").write_text(token, encoding="utf-8")
    (place / "ca.crt").write_bytes(authority.read_bytes())
    (place / "namespace").write_text(namespace, encoding="utf-8")
    return place
