"""The one file that knows the order of the stages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from runtriage.collect import Budget, collect
from runtriage.detect.engine import detect, detectors
from runtriage.judge import judge
from runtriage.model.artifact import (
    NOT_UNDERSTOOD,
    Artifact,
    Collected,
    Empty,
    Failed,
    Outcome,
    Read,
    Request,
    Skipped,
    Unavailable,
)
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import CHECKPOINT, Event
from runtriage.model.facts import Facts, RankProgress, Setting
from runtriage.model.finding import Finding
from runtriage.model.options import Options
from runtriage.model.plan import Plan
from runtriage.model.raw import RawEvent, RawSetting
from runtriage.model.series import Series
from runtriage.model.table import DataTable
from runtriage.model.target import ByteStream, Cache, Progress, Target
from runtriage.model.verdict import Verdict
from runtriage.parse import HEAD, Parsed, Parser, Piece, Waiting, assemble, of_commands, recognise, reconcile
from runtriage.parse.data_table import is_table, profile
from runtriage.plan import plan
from runtriage.redact import Policy, clean, redact, redact_setting, redact_table
from runtriage.scan import Rules, ScanResult, compile_rules, scan_many
from runtriage.scan.numbered import numbered_alone, unranked
from runtriage.scan.recall import Recall, Scanned
from runtriage.scan.seated import seated, seats_of
from runtriage.scan.workers import forked, in_order, may_fork, worth
from runtriage.targets.fetched import Kept

_ROUNDS = 40
"""How often the judge may ask for more before what is still wanted becomes `missing`."""

_SCANNED = frozenset({"log", "kernel", "slurm", "gpu", "stacks", "recorder"})
_DOCUMENTS = frozenset({"config", "k8s", "metrics", "record"})
"""Kinds that parsers read: who names such a file himself is told when none of them claims it."""
_TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")


class Diagnosis(Struct, frozen=True, kw_only=True):
    """Everything one run of the pipeline learnt and concluded."""

    label: str
    facts: Facts
    findings: tuple[Finding, ...]
    verdict: Verdict
    plan: Plan
    rules: int


class _Gathered(Struct):
    """What was read so far, raw events already redacted."""

    events: list[Event] = field(default_factory=list[Event])
    series: list[Series] = field(default_factory=list[Series])
    progress: list[RankProgress] = field(default_factory=list[RankProgress])
    settings: list[Setting] = field(default_factory=list[Setting])
    pieces: list[Piece] = field(default_factory=list[Piece])
    tables: list[DataTable] = field(default_factory=list[DataTable])
    reads: list[Read] = field(default_factory=list[Read])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    frameworks: dict[str, None] = field(default_factory=dict[str, None])
    world_size: int | None = None


class _Document(Struct):
    """What a parser read, or why it could not; `scanned` where the log engine reads the file as well."""

    said: Parsed | Outcome
    scanned: bool
    waits: Parser | None = None
    """The parser, where it reads what the scan finds for it; nothing is `said` before."""


class Pipeline:
    """Collect, scan or parse, redact, detect, judge, plan; asks for more while the judge wants it and policy allows."""

    def __init__(
        self,
        target: Target,
        catalogue: Catalogue,
        options: Options,
        *,
        policy: Policy,
        cache: Cache | None = None,
        progress: Progress | None = None,
        budget: Budget | None = None,
        rules: Rules | None = None,
        scans: Cache | None = None,
    ) -> None:
        """`cache` keeps what was compiled; `scans` keeps what files said, so that those that did not change are not read again."""
        self._target = target
        self._catalogue = catalogue
        self._options = options
        self._policy = policy
        self._cache = cache
        self._progress = progress
        self._budget = budget or Budget()
        self._rules = rules
        self._scans = scans
        self._gathered = _Gathered()
        self._carried: dict[str, bytes] = {}
        self._asked: set[tuple[object, ...]] = set()
        self._waiting: list[Waiting] = []

    def run(self) -> Diagnosis:
        """Return the diagnosis."""
        self._gather(self._target.first_requests())
        found, verdict = self._conclude()
        for _ in range(_ROUNDS):
            wanted = [request for request in verdict.missing if request_key(request) not in self._asked]
            if not wanted or not self._gather(wanted):
                break
            found, verdict = self._conclude()
        facts = self._facts()
        return Diagnosis(
            label=self._label(),
            facts=facts,
            findings=found,
            verdict=verdict,
            plan=plan(verdict, facts, self._catalogue),
            rules=len(self._catalogue.signatures) + len(detectors()),
        )

    def _label(self) -> str:
        try:
            return clean(self._target.label, self._policy)
        except ValueError:
            return "a name that cannot be shown"

    def _conclude(self) -> tuple[tuple[Finding, ...], Verdict]:
        facts = self._facts()
        findings = detect(facts, self._catalogue)
        return findings, judge(findings, facts)

    def _gather(self, requests: Sequence[Request]) -> bool:
        """Answer the requests and all they lead to; tell whether anything new was learnt, be it that something cannot be had."""
        queue = deque(requests)
        logs: list[Artifact] = []
        before = len(self._gathered.outcomes)
        while queue:
            request = queue.popleft()
            if request_key(request) in self._asked:
                continue
            self._asked.add(request_key(request))
            outcome = self._clean(collect(request, self._target, self._budget))
            self._gathered.outcomes.append(outcome)
            if isinstance(outcome, Collected):
                for artifact, document in self._documents(outcome.artifacts):
                    queue.extend(self._take(artifact, document, logs))
        self._scan(logs)
        return any(not isinstance(outcome, Skipped) for outcome in self._gathered.outcomes[before:])

    def _clean(self, outcome: Outcome) -> Outcome:
        """Return an outcome whose reason may be shown: what a server says of a refusal may quote what it was sent."""
        if isinstance(outcome, Unavailable | Skipped):
            return replace(outcome, reason=clean(outcome.reason, self._policy))
        if isinstance(outcome, Empty):
            return replace(outcome, detail=clean(outcome.detail, self._policy))
        return replace(outcome, error=clean(outcome.error, self._policy)) if isinstance(outcome, Failed) else outcome

    def _documents(self, artifacts: Sequence[Artifact]) -> Iterator[tuple[Artifact, _Document | None]]:
        """Yield artifacts in order with the document each holds; many long metrics are read side by side."""
        metrics = [artifact for artifact in artifacts if artifact.kind == "metrics"]
        workers = worth(self._target.open, metrics, self._options.workers) if len(metrics) > 1 and may_fork() else 1
        if workers < 2:
            yield from ((artifact, self._document(artifact)) for artifact in artifacts)
            return
        with forked(self._document, workers) as submit:
            read = in_order(submit, metrics, 4 * workers)
            for artifact in artifacts:
                yield artifact, next(read)[1] if artifact.kind == "metrics" else self._document(artifact)

    def _document(self, artifact: Artifact) -> _Document | None:
        """Read a structured document; None for what no parser claims. Looks at nothing but the file."""
        if artifact.kind == "data":
            return None
        scanned = False
        try:
            with self._target.open(artifact) as stream:
                head = bytearray(HEAD)
                count = stream.readinto(memoryview(head))
            parser = recognise(artifact, bytes(head[:count]))
            if parser is None:
                return None
            scanned = parser.scanned
            if parser.read_spots is not None and not self._options.last:
                return _Document(said=Parsed(), scanned=True, waits=parser)
            with self._target.open(artifact) as stream:
                return _Document(said=parser.read(artifact, stream), scanned=scanned)
        except Exception as error:  # noqa: BLE001 - a document that breaks its parser must not hide the others
            return _Document(said=_unread(artifact, error), scanned=scanned)

    def _take(self, artifact: Artifact, document: _Document | None, logs: list[Artifact]) -> Sequence[Request]:
        """Take in what a document says, keep a log for the scan; return what the document asks for."""
        got = self._gathered
        if artifact.kind == "data":
            try:
                self._add_table(artifact)
            except Exception as error:  # noqa: BLE001 - as above
                got.outcomes.append(_unread(artifact, error))
            return ()
        if document is None:
            if artifact.kind in _SCANNED or _line_by_line(artifact):
                logs.append(artifact)
            elif artifact.named and artifact.kind in _DOCUMENTS:
                got.outcomes.append(Skipped(_file(artifact), NOT_UNDERSTOOD))
            return ()
        if document.scanned:
            logs.append(artifact)
        if document.waits is not None:
            self._waiting.append(Waiting(artifact, document.waits, len(got.events)))
        if not isinstance(document.said, Parsed):
            got.outcomes.append(document.said)
            return ()
        self._add_parsed(artifact, document.said, scanned=document.scanned)
        logs.extend(self._carry(artifact, document.said))
        return document.said.requests

    def _carry(self, artifact: Artifact, parsed: Parsed) -> list[Artifact]:
        """Keep the logs that a document carries inside and return them as artifacts of their own."""
        found = [
            replace(artifact, path=f"{artifact.path}!{name}", kind="log", size=len(content), encoding=None, reach=None)
            for name, content in parsed.logs.items()
            if content
        ]
        self._carried.update({each.path: parsed.logs[each.path.rpartition("!")[2]] for each in found})
        return found

    def _open(self, artifact: Artifact) -> ByteStream:
        content = self._carried.get(artifact.path)
        return self._target.open(artifact) if content is None else Kept(content)

    def _add_table(self, artifact: Artifact) -> None:
        if not is_table(artifact.path):
            self._gathered.outcomes.append(Skipped(_file(artifact), "is no table that can be looked through"))
            return
        with self._target.open(artifact) as stream:
            table = profile(artifact.path, stream, self._options.label_column)
        self._gathered.tables.append(redact_table(table, self._policy))
        self._gathered.reads.append(
            Read(artifact=artifact, bytes_read=artifact.size or 0, lines=table.rows, cut=table.cut)
        )

    def _scan(self, logs: Sequence[Artifact]) -> None:
        if not logs:
            return
        rules = self._rules or compile_rules(self._catalogue, self._cache)
        told_first = sorted(logs, key=lambda artifact: artifact.kind == "metrics")
        recall = (
            None if self._scans is None else Recall(self._scans, self._catalogue.digest, rules.digest, self._options)
        )
        known = {} if recall is None else recall.known(told_first)
        unread = [artifact for artifact in told_first if artifact.path not in known]
        fresh = list(map(self._cleaned, scan_many(self._open, unread, rules, self._options, self._progress)))
        if recall is not None:
            recall.keep(unread, fresh)
        following = iter(fresh)
        scans = [(artifact.path, known.get(artifact.path) or next(following)) for artifact in told_first]
        for _, scan in scans:
            self._add_scanned(scan)
        self._read_spots(dict(scans))

    def _read_spots(self, scans: Mapping[str, Scanned]) -> None:
        """Let parsers read what the scans found for them; their events stand where they would if they had not waited."""
        events = self._gathered.events
        for each in reversed(self._waiting):
            end, scan = len(events), scans[each.artifact.path]
            try:
                said = each.read(self._target.open, scan.spots, complete=scan.read.cut is None)
            except Exception as error:  # noqa: BLE001 - as above
                self._gathered.outcomes.append(_unread(each.artifact, error))
                continue
            self._add_parsed(each.artifact, said, scanned=True)
            fresh = events[end:]
            del events[end:]
            events[each.before : each.before] = fresh
        self._waiting.clear()

    def _cleaned(self, result: ScanResult) -> Scanned:
        events, dropped = self._redacted(result.events)
        return Scanned(
            events=events,
            series=result.series,
            progress=result.progress,
            frameworks=result.frameworks,
            world_size=result.world_size,
            spots=result.spots,
            read=replace(result.read, dropped=dropped),
        )

    def _add_scanned(self, scan: Scanned) -> None:
        got = self._gathered
        got.events.extend(scan.events)
        got.series.extend(scan.series)
        got.progress.extend(scan.progress)
        got.reads.append(scan.read)
        got.frameworks.update(dict.fromkeys(scan.frameworks))
        if scan.world_size is not None:
            got.world_size = max(scan.world_size, got.world_size or 0)

    def _add_parsed(self, artifact: Artifact, parsed: Parsed, *, scanned: bool) -> None:
        got = self._gathered
        events, dropped = self._redacted(parsed.events)
        got.events.extend(events)
        got.settings.extend(self._redact_settings(parsed.settings))
        got.series.extend(parsed.series)
        got.progress.extend(parsed.progress)
        got.pieces.extend(parsed.pieces)
        got.frameworks.update(dict.fromkeys(parsed.frameworks))
        if parsed.left_out is not None:
            got.outcomes.append(Skipped(_file(artifact), parsed.left_out))
        elif not scanned:
            got.reads.append(Read(artifact=artifact, bytes_read=parsed.bytes_read, cut=parsed.cut, dropped=dropped))

    def _redacted(self, events: Sequence[RawEvent]) -> tuple[list[Event], int]:
        """Return clean events, and how many could not be made clean."""
        cleaned = [redact(event, self._policy) for event in events]
        kept = [event for event in cleaned if event is not None]
        return kept, len(cleaned) - len(kept)

    def _redact_settings(self, settings: Sequence[RawSetting]) -> list[Setting]:
        cleaned = [redact_setting(setting, self._policy) for setting in settings]
        return [setting for setting in cleaned if setting is not None]

    def _facts(self) -> Facts:
        got = self._gathered
        seats = seats_of(got.events)
        alone = numbered_alone({read.artifact.path for read in got.reads}, got.events)
        return Facts(
            target=self._target.label,
            options=self._options,
            events=seated(unranked(got.events, alone), seats),
            series=tuple(reconcile(unranked(got.series, alone))),
            progress=seated(unranked(got.progress, alone), seats),
            settings=(*of_commands(got.events), *got.settings),
            checkpoints=assemble(got.pieces, _saved(got.events)),
            reads=tuple(got.reads),
            outcomes=tuple(got.outcomes),
            frameworks=tuple(got.frameworks),
            world_size=got.world_size,
            tables=tuple(got.tables),
        )


def _saved(events: Sequence[Event]) -> dict[str, int]:
    """Return the last step at which each checkpoint was said to be saved, by the last part of its path."""
    steps: dict[str, int] = {}
    for event in events:
        if event.kind == CHECKPOINT and event.name == "saved" and "path" in event.captures:
            step = event.numbers.get("step", event.step)
            if step is not None:
                steps[event.captures["path"].rstrip("/").rpartition("/")[2]] = int(step)
    return steps


def _file(artifact: Artifact) -> Request:
    return Request(kind="file", args={"path": artifact.path})


def _unread(artifact: Artifact, error: Exception) -> Outcome:
    """Return why a file says nothing, without the words of an error, which may quote it."""
    if isinstance(error, PermissionError):
        return Unavailable(_file(artifact), "permission denied")
    if isinstance(error, OSError):
        return Failed(_file(artifact), error.strerror or type(error).__name__)
    return Failed(_file(artifact), f"{type(error).__name__} while reading")


def _line_by_line(artifact: Artifact) -> bool:
    """Tell whether the log engine reads a file whose name promised something else: metrics with one record a line, or plain text."""
    name = artifact.path.lower().removesuffix(".gz").removesuffix(".zst")
    return (artifact.kind == "metrics" and name.endswith(_TABLES)) or (artifact.kind == "k8s" and name.endswith(".txt"))


def request_key(request: Request) -> tuple[object, ...]:
    """Return what makes two requests the same: the kind and the arguments, not the reason."""
    return (request.kind, *sorted(request.args.items()))
