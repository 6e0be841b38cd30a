"""What exit codes and signals prove, and no more."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from runtriage.detect.claims import match_of
from runtriage.detect.endings import SHELL_BASE, TIMED_OUT
from runtriage.detect.engine import Detector
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import EXIT, LAUNCHER, SIGNATURE, Event
from runtriage.model.event_names import ASKED
from runtriage.model.facts import Facts
from runtriage.model.finding import Match
from runtriage.model.place import line_of

_COMMAND_NOT_FOUND = (126, 127)


class _Meaning(Struct, frozen=True):
    mode: str
    role: str
    text: str
    fixes: tuple[str, ...] = ()


_SIGNALS = {
    int(signal.SIGKILL): _Meaning(
        "crash/sigkill-unknown",
        "symptom",
        "was killed by SIGKILL; who sent it is not in the exit code",
        ("find-who-killed",),
    ),
    int(signal.SIGSEGV): _Meaning("crash/segv", "cause", "died of a segmentation fault", ("capture-native-stack",)),
    int(signal.SIGBUS): _Meaning("crash/sigbus", "cause", "died of a bus error", ("check-shared-memory",)),
    int(signal.SIGILL): _Meaning(
        "crash/illegal-instruction", "cause", "met an illegal instruction", ("match-build-to-cpu",)
    ),
    int(signal.SIGFPE): _Meaning(
        "crash/fpe", "cause", "died of an arithmetic fault (SIGFPE)", ("capture-native-stack",)
    ),
    int(signal.SIGABRT): _Meaning("crash/abort", "symptom", "aborted itself (SIGABRT)", ("capture-native-stack",)),
    int(signal.SIGTERM): _Meaning(
        "crash/sigterm-external", "symptom", "was asked to stop by SIGTERM", ("find-who-killed", "restart-unchanged")
    ),
    int(signal.SIGHUP): _Meaning("crash/sighup", "symptom", "lost its terminal (SIGHUP)", ("detach-from-terminal",)),
    int(signal.SIGINT): _Meaning("crash/sigint-user", "cause", "was interrupted (SIGINT)", ("restart-unchanged",)),
    int(signal.SIGQUIT): _Meaning("crash/sigint-user", "cause", "was interrupted (SIGQUIT)", ("restart-unchanged",)),
    int(signal.SIGPIPE): _Meaning("crash/sigpipe", "symptom", "wrote to a closed pipe (SIGPIPE)", ("find-who-killed",)),
    int(signal.SIGXCPU): _Meaning(
        "crash/cpu-limit", "cause", "used up its CPU-time limit (SIGXCPU)", ("raise-process-limit",)
    ),
    int(signal.SIGXFSZ): _Meaning(
        "io/quota", "cause", "wrote past its file-size limit (SIGXFSZ)", ("raise-process-limit",)
    ),
    **{
        int(number): _Meaning(
            "crash/other-signal",
            "cause",
            f"was ended by {number.name}, which it did not handle",
            ("find-sender", "checkpoint-on-signal"),
        )
        for number in (signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGTRAP, signal.SIGVTALRM, signal.SIGPROF)
    },
    int(signal.SIGSYS): _Meaning(
        "crash/seccomp", "cause", "made a forbidden system call (SIGSYS)", ("capture-native-stack",)
    ),
}

_NOT_STARTED = _Meaning(
    "crash/command-not-found",
    "symptom",
    "could not be started: the command was not found or may not be run",
    ("fix-command-path",),
)
_MEGATRON = {
    16: _Meaning(
        "nan/sdc-transient",
        "symptom",
        "ended with exit code 16, with which Megatron asks to be started again to see whether an odd result comes back",
        ("gpu-read-health", "restart-unchanged"),
    ),
    17: _Meaning(
        "nan/sdc-persistent-gpu",
        "symptom",
        "ended with exit code 17, with which Megatron says that a result was wrong again",
        ("gpu-read-health", "gpu-leave-node"),
    ),
}
"""What Megatron-LM's check of repeated results leaves with."""
_ANSWER: Final = 60
"""Lines that a command may print between the prompt and the code that was asked for."""
_SIBLING = _Meaning(
    "elastic/sigterm-siblings",
    "symptom",
    "was asked to stop by the launcher (SIGTERM) because another worker had failed",
)
_NO_ERROR = _Meaning("crash/exit-no-error", "symptom", "ended with an exit code", ("rerun-unbuffered",))


def find(facts: Facts, catalogue: Catalogue) -> Iterator[Match]:
    """Yield a match for each process that ended badly."""
    first = _failed_first(facts)
    explained = _memory_named(facts)
    asked = _asked(facts)
    for event in facts.events:
        if event.kind in (EXIT, LAUNCHER):
            if id(event) in asked or (signal_of(event) == signal.SIGKILL and _line(event) in explained):
                continue
            meaning = _sibling(event, first) or _of_framework(event, facts) or read(event)
            if meaning is not None:
                yield _match(event, meaning)


def _asked(facts: Facts) -> set[int]:
    """Return the ids of codes that a shell told of a command with which somebody only looked at a machine."""
    found: set[int] = set()
    for prompt in facts.events:
        if prompt.name == ASKED:
            here = prompt.citation
            behind = [
                event
                for event in facts.events
                if event.kind == EXIT
                and event.citation.artifact == here.artifact
                and 0 <= line_of(event.citation) - line_of(here) <= _ANSWER
            ]
            found.update(id(event) for event in behind[:1])
    return found


def _memory_named(facts: Facts) -> set[tuple[str, int | None]]:
    """Return the lines that say themselves that memory ran out: who sent SIGKILL is no question there."""
    return {
        _line(event)
        for event in facts.events
        if event.kind == SIGNATURE and event.name.startswith("oom/") and event.citation.first_line is not None
    }


def _line(event: Event) -> tuple[str, int | None]:
    return event.citation.artifact, event.citation.first_line


def _failed_first(facts: Facts) -> dict[tuple[str, int], Event]:
    """Return for each artifact and attempt the worker that its launcher names as the first that failed, where nobody had asked it to stop."""
    return {
        (event.citation.artifact, event.subject.attempt): event
        for event in facts.events
        if event.kind == LAUNCHER
        and event.captures.get("section") == "root-cause"
        and signal_of(event) != signal.SIGTERM
    }


def _sibling(event: Event, first: Mapping[tuple[str, int], Event]) -> _Meaning | None:
    """Return what SIGTERM means for a worker beside the one that its launcher names as the first that failed."""
    root = first.get((event.citation.artifact, event.subject.attempt))
    if root is None or signal_of(event) != signal.SIGTERM:
        return None
    told = event.kind == LAUNCHER or event.captures.get("by") == "launcher"
    return _SIBLING if told and event is not root else None


def _of_framework(event: Event, facts: Facts) -> _Meaning | None:
    """Return what a code means to the framework that was seen at work; the same code of another program means nothing."""
    code = event.numbers.get("code")
    return _MEGATRON.get(int(code)) if code is not None and "megatron" in facts.frameworks else None


def signal_of(event: Event) -> int | None:
    """Return the signal that ended the process: as printed, from a negative code, or from a shell's 128 + n."""
    printed = event.numbers.get("signal")
    if printed:
        return int(printed)
    code = event.numbers.get("code")
    if code is None:
        return None
    if code < 0:
        return int(-code)
    if SHELL_BASE < code < SHELL_BASE + signal.NSIG:
        return int(code - SHELL_BASE)
    return None


def read(event: Event) -> _Meaning | None:
    """Return what an exit event means, or None when the process ended well or nothing is known."""
    number = signal_of(event)
    if number is not None:
        return _SIGNALS.get(number, _Meaning("crash/abort", "symptom", f"was ended by signal {number}"))
    code = event.numbers.get("code")
    if code is None or code == 0:
        return None
    if code == TIMED_OUT:
        return _Meaning(
            "crash/sigterm-external",
            "symptom",
            "used up the time it was given (exit code 124)",
            ("find-who-killed",),
        )
    if code in _COMMAND_NOT_FOUND:
        return _not_started(event)
    return replace(_NO_ERROR, text=f"ended with exit code {int(code)}")


def _not_started(event: Event) -> _Meaning:
    """Return what it means that nothing ran: with the program's name and the reason where whoever started it tells them."""
    program, problem = event.captures.get("program"), event.captures.get("problem")
    if not program or not problem:
        return _NOT_STARTED
    return replace(_NOT_STARTED, text=f"could not be started: {program}: {problem}")


def _match(event: Event, meaning: _Meaning) -> Match:
    rank = event.subject.rank if event.subject.rank is not None else event.subject.local_rank
    who = "The process" if rank is None else f"Rank {rank}" if event.subject.rank is not None else f"Local rank {rank}"
    return match_of(
        event,
        f"{who} {meaning.text}",
        rule=f"exit/{meaning.mode.partition('/')[2]}",
        mode=meaning.mode,
        role=meaning.role,
        tier="launcher" if event.kind == LAUNCHER else "exit",
        fixes=meaning.fixes,
        title=meaning.text,
    )


DETECTORS = (
    Detector(
        id="exits",
        modes=(),
        find=find,
        remedies=lambda: {
            meaning.mode: meaning.fixes
            for meaning in (*_SIGNALS.values(), *_MEGATRON.values(), _NOT_STARTED, _NO_ERROR)
        },
    ),
)
