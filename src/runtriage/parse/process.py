"""What the kernel shows of a running process, and what a wrapper noted when a run went silent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from runtriage.model.amount import mib
from runtriage.model.artifact import Artifact
from runtriage.model.event import EXIT
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent, RawText
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.pointer import Node, load_json
from runtriage.parse.tables import state

_LIMIT: Final = 4 << 20
_SCHEMA: Final = deferred(rb'"schema"\s*:\s*"runtriage\.(?:process|silence|gpu)/')
_STATES: Final = {
    "R": "running",
    "S": "sleeping",
    "D": "in uninterruptible sleep",
    "T": "stopped",
    "t": "stopped by a debugger",
    "Z": "a zombie",
    "X": "dead",
    "I": "idle",
    "gone": "gone",
}
_GPU: Final = "runtriage.gpu/"
_RLIMIT: Final = "rlimit"


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the document is such a record."""
    return bool(_SCHEMA.search(head[:200]))


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the state of the process, its memory group and the files it writes to, as far as the record holds them."""
    content, cut = read_all(stream, _LIMIT)
    root = load_json(content, artifact.path)
    events = [] if root is None else list(_events(root))
    return Parsed(events=events, bytes_read=len(content), cut="longer than 4 MiB" if cut else None)


def _events(root: Node) -> Iterator[RawEvent]:
    silent = root.number("silent_seconds")
    if silent is not None:
        yield state(
            "stack/timeout",
            root.get("silent_seconds").cite(),
            numbers={"seconds": silent},
            message=f"no output for {silent:.0f} s",
        )
        return
    if root.text("schema").startswith(_GPU):
        for card in root.get("gpus").items():
            yield from _card(card)
        return
    rank = root.number("rank")
    subject = Subject(
        rank=int(rank) if rank is not None else None,
        pid=int(root.number("pid") or 0) or None,
        node=root.text("node") or None,
    )
    yield _state(root, subject)
    counts = root.get("helper").value is not True
    if counts and (code := root.number("exit_status")) is not None and root.text("state") == "Z":
        yield _ended(root, int(code), subject)
    yield from _memory(root, subject)
    for output in root.get("outputs").items():
        yield state(
            "process/output",
            output.cite(),
            subject,
            numbers={"free": output.number("free_bytes"), "inodes": output.number("free_inodes")},
            message=output.text("path"),
        )


def _state(root: Node, subject: Subject) -> RawEvent:
    threads = list(root.get("threads").items())
    busy = sum(thread.number("cpu") or 0.0 for thread in threads)
    letter = root.text("state")
    shown = [f"{root.text('name') or 'the process'} is {_STATES.get(letter, letter)}"]
    if letter not in ("Z", "X", "gone"):
        shown.append(f"{busy:.2f} CPUs in {len(threads)} threads{_busiest(threads)}")
        shown.append(f"{mib(root.number('resident_bytes') or 0)} MiB resident")
    if root.text("waits_in"):
        shown.append(f"in the kernel at {root.text('waits_in')}")
    if (idle := root.number("idle_seconds")) is not None:
        shown.append(f"last wrote {idle:,.0f} s ago")
    return state(
        "process/state",
        root.get("state").cite(),
        subject,
        numbers={
            "idle_seconds": root.number("idle_seconds"),
            "run_idle_seconds": root.number("run_idle_seconds"),
            "age_seconds": root.number("age_seconds"),
            "cpu": busy,
            "resident": root.number("resident_bytes"),
            "blocked": 1.0 if root.text("state_before") == letter == "D" else None,
        },
        state=letter,
        wchan=root.text("waits_in"),
        helper="yes" if root.get("helper").value is True else "",
        what=_STATES.get(letter, letter),
        message=", ".join(shown),
    )


def _busiest(threads: list[Node]) -> str:
    """Say which thread uses most of a CPU, where there are several and one does."""
    first = threads[0].number("cpu") or 0.0 if len(threads) > 1 else 0.0
    return f" (busiest: {threads[0].text('name')} {first:.2f})" if first else ""


def _card(card: Node) -> Iterator[RawEvent]:
    """Read one GPU: a fault of any, the use of those that the run uses."""
    number, name = card.number("index") or 0, card.text("name") or "GPU"
    subject = Subject(gpu=f"{number:.0f}")
    if card.get("lost").value is True:
        yield state("gpu/lost", card.get("lost").cite(), subject, message=f"GPU {number:.0f} is lost to its driver")
    errors = card.number("uncorrected_errors")
    if errors:
        told = f"GPU {number:.0f} counts {errors:.0f} uncorrectable memory errors since its driver was loaded"
        yield state("gpu/ecc", card.get("uncorrected_errors").cite(), subject, message=told)
    used, total, own = (card.number(f"{key}_bytes") for key in ("used", "total", "own"))
    if not card.number("own_processes") or used is None or total is None:
        return
    mine = "" if own is None else f", {mib(own)} of them this run's"
    busy = card.number("busy_percent")
    shown = f"GPU {number:.0f} ({name}): {mib(used)} of {mib(total)} MiB in use{mine}"
    yield state(
        "gpu/use",
        card.get("used_bytes").cite(),
        subject,
        numbers={"used": used, "total": total, "own": own, "busy": busy, "celsius": card.number("celsius")},
        message=shown if busy is None else f"{shown}, busy {busy:.0f} % of the time",
    )


def _ended(root: Node, status: int, subject: Subject) -> RawEvent:
    """Read the status a parent would get from `wait`: the low bits are the signal, the rest the code."""
    number, code = status & 0x7F, status >> 8
    return RawEvent(
        kind=EXIT,
        name="signal" if number else "exit-code",
        citation=root.get("exit_status").cite(),
        excerpt=RawText(f"ended by signal {number}" if number else f"exit code {code}"),
        captures={"by": RawText("kernel")},
        numbers={"code": float(-number), "signal": float(number)} if number else {"code": float(code)},
        subject=subject,
    )


def _memory(root: Node, subject: Subject) -> Iterator[RawEvent]:
    mapped, room = root.number("mapped_bytes"), root.get("limits").number("address_space")
    if mapped and room:
        told = f"its address space is {mib(mapped)} of {mib(room)} MiB that its limit allows (ulimit -v)"
        where = root.get("mapped_bytes").cite()
        yield state(
            "process/memory", where, subject, numbers={"used": mapped, "limit": room}, group=_RLIMIT, message=told
        )
    group = root.get("memory_group")
    used, limit = group.number("used"), group.number("limit")
    if used is None:
        return
    of = f" of {mib(limit)} MiB" if limit else ""
    yield state(
        "process/memory",
        group.get("used").cite(),
        subject,
        numbers={
            "used": used,
            "limit": limit,
            "pressure": group.number("pressure"),
            "oom_kills": group.number("oom_kills"),
        },
        group=group.text("path"),
        message=f"its memory group uses {mib(used)} MiB{of}",
    )


PARSERS = (Parser(id="process", claims=claims, read=read),)
