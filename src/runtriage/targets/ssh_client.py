"""The OpenSSH client: one connection that all questions share, no prompts, no change of what the user trusts."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from runtriage.model.pattern import deferred
from runtriage.targets.errors import NO_ACCESS, TargetError
from runtriage.targets.names import shown

COMMAND: Final = "RUNTRIAGE_SSH"
"""Environment variable that names another ssh command, with options, as `GIT_SSH_COMMAND` does for git."""

_SECONDS: Final = 60
_LARGEST: Final = 16 << 20
_OPTIONS: Final = (
    "-oBatchMode=yes",
    "-oConnectTimeout=10",
    "-oServerAliveInterval=10",
    "-oServerAliveCountMax=2",
    "-oForwardAgent=no",
    "-oForwardX11=no",
    "-oPermitLocalCommand=no",
    "-oClearAllForwardings=yes",
    "-T",
)
_READING: Final = frozenset({"head", "tail", "stat", "find", "ls"})
"""What may be run there; each only reads."""
_FAILED: Final = 255
_NOISE: Final = deferred(
    r"^(?:\s*|\*\*.*|Warning: .*|debug\d.*|Connection to .* closed.*|@+.*|mux_client.*|ControlSocket.*)$"
)


class Unanswered(Exception):
    """The machine could not be asked: what is on it is not known, whether it is not reached or lets nobody in."""


class Ssh:
    """Runs reading commands on one machine."""

    def __init__(self, host: str, port: str | None, variables: Mapping[str, str]) -> None:
        command = shlex.split(variables.get(COMMAND) or "ssh")
        binary = shutil.which(command[0]) if command else None
        if binary is None:
            raise TargetError("reading over ssh needs the OpenSSH client; install openssh-client", NO_ACCESS)
        self._folder = Path(tempfile.mkdtemp(prefix="rt-"))
        sharing = ("-oControlMaster=auto", f"-oControlPath={self._folder / 's'}", "-oControlPersist=60")
        self._start = [binary, *command[1:], *_OPTIONS, *sharing, *(("-p", port) if port else ())]
        self._host = host.replace("[", "").replace("]", "")

    def close(self) -> None:
        """End the shared connection."""
        if (self._folder / "s").exists():
            self._run([*self._start, "-Oexit", "--", self._host])
        shutil.rmtree(self._folder, ignore_errors=True)

    def output(self, words: Sequence[str]) -> bytes:
        """Return what a reading command prints; its own failure counts as what it printed before. Raises `Unanswered`."""
        return self.script(quoted(words))[0]

    def script(self, text: str) -> tuple[bytes, str]:
        """Return what a line for the shell there prints on both streams. Raises `Unanswered`."""
        done = self._run([*self._start, "--", self._host, text])
        said = done.stderr.decode("utf-8", "replace")
        if done.returncode == _FAILED:
            raise unanswered(said)
        return done.stdout[:_LARGEST], said

    def lines_before(self, path: str, stop: int) -> int:
        """Return how many lines end before an offset of a file there. Raises `Unanswered`."""
        output, _ = self.script(f"head -c {int(stop)} -- {shlex.quote(path)} | wc -l")
        return int(output.strip() or 0)

    def start(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a reading command whose output is read as it comes. Raises OSError."""
        return subprocess.Popen(
            [*self._start, "--", self._host, quoted(words)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _run(self, command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False, env=_english()
            )
        except subprocess.TimeoutExpired:
            raise Unanswered(f"no answer within {_SECONDS} s") from None
        except OSError as error:
            raise Unanswered(f"ssh cannot be started: {(error.strerror or '').lower()}") from None


def quoted(words: Sequence[str]) -> str:
    """Return words as one line for the shell there. Raises ValueError for a command that does more than read."""
    if not words or words[0] not in _READING:
        raise ValueError("not a reading command")
    return shlex.join(words)


def unanswered(said: str) -> Unanswered:
    """Return why the client could not connect, from what it printed."""
    lines = [line for line in said.splitlines() if not _NOISE.match(line)]
    if "Host key verification failed" in said or "REMOTE HOST IDENTIFICATION" in said:
        return Unanswered("its host key is not known or has changed; connect once with ssh and check the key")
    why = shown(lines[-1])[:200] if lines else "the connection failed"
    return Unanswered(why)


def _english() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C"}
