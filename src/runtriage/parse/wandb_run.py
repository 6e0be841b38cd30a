"""Offline runs of Weights & Biases: metrics, system metrics, configuration, console and how the run ended."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator

from runtriage.model.artifact import Artifact
from runtriage.model.place import Citation
from runtriage.model.raw import RawEvent, RawSetting, RawText
from runtriage.model.subject import Subject
from runtriage.model.target import ByteStream
from runtriage.parse.config_roles import role_of
from runtriage.parse.document import Parsed, Parser
from runtriage.parse.metrics_board import Board
from runtriage.parse.metrics_progress import progress_of
from runtriage.parse.path_rank import subject_of
from runtriage.parse.piecewise import Pieces
from runtriage.parse.protobuf import Value, WireError, fields, signed, submessage, text
from runtriage.parse.tables import state
from runtriage.parse.wandb_console import Console
from runtriage.parse.wandb_frames import MAGIC, Frames
from runtriage.parse.wandb_rows import Rows, item_of

_HISTORY, _STATS, _OUTPUT, _RUN, _EXIT, _CONFIG, _PREEMPTING, _ENVIRONMENT = 2, 7, 13, 17, 18, 5, 23, 26
_MEMORY = ("proc.memory.rssMB", "memoryAllocatedBytes", "memory_percent", "proc.memory.percent")
_RUN_CONFIG = 4
_RUN_NAMES = {6: "group", 8: "run", 12: "sweep"}
"""Fields of the record that opens a run."""
_SETTINGS = 400
_VALUE = 200


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the file is an offline run."""
    return head.startswith(MAGIC)


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return what the run recorded. A run whose writer was killed has no record of its end; what was flushed before is read."""
    pieces = Pieces(stream)
    frames = Frames(pieces)
    run = _Run(artifact)
    for record in frames:
        try:
            run.take(record)
        except WireError:
            frames.cut = frames.cut or f"a record before byte {pieces.at:,} is no message; what follows was read"
    run.rows.settle()
    series = run.metrics.series(artifact.path, run.subject)
    return Parsed(
        events=[*run.events, run.ended()],
        settings=list(run.settings.values()),
        progress=progress_of(artifact, series),
        series=series + run.system.series(artifact.path, run.subject),
        logs={"console": run.console.text()},
        bytes_read=pieces.at,
        cut=frames.cut or run.metrics.cut() or run.console.cut,
    )


class _Run:
    """What the records of one run add up to."""

    def __init__(self, artifact: Artifact) -> None:
        self._path = artifact.path
        self._size = artifact.size or 0
        self.subject: Subject = subject_of(artifact)
        self.metrics = Board()
        self.rows = Rows(self.metrics)
        self.system = Board()
        self.console = Console()
        self.events: list[RawEvent] = []
        self.settings: dict[str, RawSetting] = {}
        self._exit: int | None = None
        self._belongs: dict[str, str] = {}
        self._samples = 0

    def take(self, record: bytes) -> None:
        """Take one record in. Raises `WireError`."""
        for number, value in fields(record):
            if number == _HISTORY:
                self.metrics.expect(self._size // len(record))
                self.rows.take(value)
            elif number == _OUTPUT:
                self._output(value)
            elif number == _STATS:
                self._stats(value)
            elif number == _RUN:
                self._started(value)
            elif number == _CONFIG:
                self._config(value)
            elif number == _EXIT:
                codes = [signed(held) for field, held in submessage(value) if field == 1]
                self._exit = codes[0] if codes else 0
            elif number == _PREEMPTING:
                self.events.append(state("wandb/run", self._at("exit", "preempting"), state="preempting"))
            elif number == _ENVIRONMENT:
                self._environment(value)

    def ended(self) -> RawEvent:
        """Return the state the records end in."""
        known = self._exit is not None
        return state(
            "wandb/run",
            self._at("exit", "exit_code" if known else "missing"),
            self.subject,
            numbers={"code": float(self._exit)} if self._exit is not None else None,
            state=("failed" if self._exit else "finished") if known else "unclosed",
            run=self._belongs.get("run", ""),
            sweep=self._belongs.get("sweep", ""),
            group=self._belongs.get("group", ""),
        )

    def _started(self, value: Value) -> None:
        for field, held in submessage(value):
            if field == _RUN_CONFIG:
                self._config(held)
            elif field in _RUN_NAMES:
                self._belongs[_RUN_NAMES[field]] = text(held)[:_VALUE]

    def _stats(self, value: Value) -> None:
        time = math.nan
        for field, held in submessage(value):
            if field == 2:
                time = float(next((signed(number) for key, number in submessage(held) if key == 1), 0))
            elif field == 3:
                for name, number in _numbers(held):
                    role = "memory" if name.endswith(_MEMORY) else None
                    column = self.system.column(f"system/{name}", role)
                    if column is not None:
                        column.add(float(self._samples), number, time)
        self._samples += 1

    def _output(self, value: Value) -> None:
        stream, line = 0, ""
        for field, held in submessage(value):
            if field == 1:
                stream = signed(held)
            elif field == 3:
                line = text(held)
        self.console.add(stream, line)

    def _config(self, content: Value) -> None:
        for field, item in submessage(content):
            if field != 1:
                continue
            name, told = item_of(item)
            if told is not None and name and not name.startswith("_wandb") and len(self.settings) < _SETTINGS:
                value = told.strip('"')
                role = role_of(name, value)
                if role is None or len(value) > _VALUE:
                    continue
                self.settings[name] = RawSetting(
                    name=name, value=RawText(value), citation=self._at("config", name), role=role
                )

    def _environment(self, value: Value) -> None:
        words: list[str] = []
        for field, held in submessage(value):
            if field == 6:
                words.insert(0, text(held))
            elif field == 5:
                words.append(text(held))
            elif field == 12:
                self.subject = Subject(rank=self.subject.rank, node=text(held))
        if words:
            command = " ".join(words)[:2000]
            self.events.append(
                RawEvent(
                    kind="command",
                    name="command",
                    citation=self._at("environment", "args"),
                    excerpt=RawText(command),
                    captures={"command": RawText(command)},
                )
            )

    def _at(self, table: str, key: str) -> Citation:
        return Citation(artifact=self._path, table=table, key=key)


def _numbers(content: Value) -> Iterator[tuple[str, float]]:
    name, told = item_of(content)
    if told is not None and name:
        with contextlib.suppress(ValueError):
            yield name, float(told.strip('"'))


PARSERS = (Parser(id="metrics-wandb", claims=claims, read=read),)
