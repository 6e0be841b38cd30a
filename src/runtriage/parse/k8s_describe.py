"""What `kubectl describe` prints for pods, nodes and jobs of any kind: container states, conditions and events."""

from __future__ import annotations

import re

from msgspec import Struct, field
from msgspec.structs import replace

from runtriage.model.amount import quantity
from runtriage.model.artifact import Artifact
from runtriage.model.pattern import deferred
from runtriage.model.raw import RawEvent
from runtriage.model.subject import NOBODY, Subject
from runtriage.model.target import ByteStream
from runtriage.parse.document import Parsed, Parser, read_all
from runtriage.parse.k8s_describe_status import Conditions, stamp
from runtriage.parse.tables import Line, age, cells, cite, headings, lines, state

_LIMIT = 16 << 20
_CLAIM = deferred(rb"\AName:\s+\S", re.MULTILINE)
_ABOUT = deferred(
    rb"^(?:Namespace|Roles): .*^(?:Containers|Init Containers|Conditions|Events|Taints):", re.MULTILINE | re.DOTALL
)
_NODES = deferred(rb"^STEP +TEMPLATE +PODNAME", re.MULTILINE)
"""The heading of the tree that `argo get` prints below fields of the same names."""
_FIELD = deferred(r"^( *)([A-Za-z][\w ./()-]*?):(?:\s+(.*))?$")
_SLOTS = {"State": "state", "Last State": "lastState"}
_CONTAINER_INDENT, _SLOT_INDENT = 2, 4
_QUOTED_LINES = 3
"""A message on more lines ends with the output of the tool that failed; that line is cited."""


def claims(artifact: Artifact, head: bytes) -> bool:
    """Tell whether the text is a description of a pod, a node or another object that has states."""
    start = head.lstrip()
    return bool(_CLAIM.match(start)) and bool(_ABOUT.search(start)) and not _NODES.search(start)


def read(artifact: Artifact, stream: ByteStream) -> Parsed:
    """Return the states a description holds."""
    content, cut = read_all(stream, _LIMIT)
    reader = _Reader(artifact.path)
    for line in lines(content):
        reader.take(line)
    reader.close()
    return Parsed(events=reader.events, bytes_read=len(content), cut="longer than 16 MiB" if cut else None)


class _Slot(Struct):
    """The state of a container while its lines are read; `places` holds the line of each field."""

    kind: str
    values: dict[str, str] = field(default_factory=dict[str, str])
    places: dict[str, Line] = field(default_factory=dict[str, Line])

    def goes_on(self, line: Line) -> None:
        """Add a further line of the message; the last one, of the tool that failed, is cited."""
        if "Message" in self.values:
            self.values["Message"] = f"{self.values['Message']}\n{line.text}"
            self.places["Message"] = line


class _Reader:
    """Follows the indentation of a description."""

    def __init__(self, artifact: str) -> None:
        self.events: list[RawEvent] = []
        self._artifact = artifact
        self._subject = NOBODY
        self._name = ""
        self._space = ""
        self._node = False
        self._kind = "pod"
        self._told = Conditions(artifact)
        self._section = ""
        self._container = ""
        self._named: Line | None = None
        self._group = ""
        self._memory: dict[str, tuple[str, Line]] = {}
        self._slot: _Slot | None = None
        self._columns: dict[str, int] = {}
        self._row: dict[str, str] = {}
        self._rows: list[Line] = []

    def take(self, line: Line) -> None:
        """Read one line."""
        found = _FIELD.match(line.text)
        indent = len(found[1]) if found else len(line.text) - len(line.text.lstrip())
        if found and indent == 0 and not self._goes_on(found[2]):
            self._top(line, found[2], (found[3] or "").strip())
        elif self._slot is not None and line.text.strip() and indent == 0:
            self._slot.goes_on(line)
        elif self._section in ("Containers", "Init Containers"):
            self._container_line(line, found, indent)
        elif self._section in ("Conditions", "Events"):
            self._table_line(line)
        elif found and self._section == "Allocatable" and self._node:
            self._offer(line, found[2], (found[3] or "").strip())
        elif found and self._section == "Status" and self._kind != "pod":
            self._told.take(line, indent, found[2], (found[3] or "").strip())

    def _goes_on(self, key: str) -> bool:
        """Tell whether what looks like a field belongs to a message: kubectl prints its further lines without indentation."""
        if self._section == "Events" and self._rows:
            return not _is_top(key)
        return self._slot is not None and "Message" in self._slot.places and not key[0].isupper()

    def close(self) -> None:
        """Emit what is still open."""
        self._end_slot()
        self._end_container()
        self._end_row()
        self.events.extend(self._told.close())

    def _top(self, line: Line, key: str, value: str) -> None:
        self.close()
        self._section, self._columns = key, {}
        if key == "Name":
            self._name, self._space, self._node, self._kind = value, "", False, "pod"
            self._subject = Subject(pod=value)
        elif key == "Namespace":
            self._space = value
        elif key == "Kind" and value and value != "Pod":
            self._kind, self._subject = value.lower(), NOBODY
        elif key in ("Roles", "CreationTimestamp"):
            self._node = True
            self._subject = Subject(node=self._name)
        elif key == "Node" and value and not value.startswith("<"):
            self._subject = replace(self._subject, node=value.partition("/")[0])
        elif key == "Status" and value:
            phase, where = value.partition(" ")[0], cite(self._artifact, line)
            self.events.append(state("k8s/pod-phase", where, self._subject, reason=phase, namespace=self._space))
        elif key in ("Reason", "Message"):
            self._pod_reason(line, key, value)

    def _pod_reason(self, line: Line, key: str, value: str) -> None:
        """Emit why the pod ended: a message joins the reason printed before it."""
        reason = value if key == "Reason" else ""
        if key == "Message" and self.events and self.events[-1].name == "k8s/pod-reason":
            printed = self.events.pop().captures.get("reason")
            reason = printed.raw if printed else ""
        self.events.append(
            state(
                "k8s/pod-reason",
                cite(self._artifact, line),
                self._subject,
                reason=reason,
                message=value if key == "Message" else "",
            )
        )

    def _container_line(self, line: Line, found: re.Match[str] | None, indent: int) -> None:
        if found is None:
            return
        key, value = found[2], (found[3] or "").strip()
        if indent == _CONTAINER_INDENT:
            self._end_slot()
            self._end_container()
            self._container, self._named = key, line
        elif indent == _SLOT_INDENT:
            self._end_slot()
            self._group = key
            if key in _SLOTS:
                self._slot = _Slot(_SLOTS[key], {"is": value})
        elif key == "memory" and self._group in ("Limits", "Requests"):
            self._memory[self._group] = (value, line)
        elif self._slot is not None:
            self._slot.values[key], self._slot.places[key] = value, line

    def _end_container(self) -> None:
        """Emit what a container that ran out of memory may use and asked for; a description of a pod says it after the states."""
        memory, named, self._memory, self._named = self._memory, self._named, {}, None
        ended = self.events[-2:]
        if named is None or not any(_killed(event, self._container) for event in ended):
            return
        _, place = memory.get("Limits") or memory.get("Requests") or ("", named)
        limit, request = (memory[group][0] if group in memory else "" for group in ("Limits", "Requests"))
        where = cite(self._artifact, place)
        self.events.append(
            state(
                "k8s/container-memory",
                where,
                self._subject,
                container=self._container,
                limit=limit,
                request=request,
            )
        )

    def _offer(self, line: Line, resource: str, amount: str) -> None:
        number = quantity(amount)
        if number is not None:
            numbers = {"amount": number}
            where = cite(self._artifact, line)
            self.events.append(
                state("k8s/node-offer", where, self._subject, numbers=numbers, resource=resource, amount=amount)
            )

    def _end_slot(self) -> None:
        slot, self._slot = self._slot, None
        if slot is None or "Reason" not in slot.places:
            return
        ended = slot.values["is"] == "Terminated"
        code = slot.values.get("Exit Code", "")
        self.events.append(
            state(
                "k8s/container-ended" if ended else "k8s/container-waiting",
                cite(self._artifact, slot.places.get("Message", slot.places["Reason"])),
                self._subject,
                when=stamp(slot.values.get("Finished", "")),
                numbers={"code": float(code) if code.isdecimal() else None},
                reason=slot.values["Reason"],
                message=slot.values.get("Message", ""),
                container=self._container,
                init="yes" if self._section == "Init Containers" else "no",
                slot=slot.kind,
            )
        )

    def _table_line(self, line: Line) -> None:
        if not self._columns:
            columns = headings(line.text)
            self._columns = columns if "Type" in columns else {}
        elif line.text.strip() and not set(line.text) <= {" ", "-"}:
            if line.text.startswith("  "):
                self._end_row()
                self._row, self._rows = cells(self._columns, line.text), [line]
            elif self._row and self._section == "Events":
                self._row["Message"] = f"{self._row.get('Message', '')}\n{line.text}"
                self._rows.append(line)

    def _end_row(self) -> None:
        row, rows = self._row, self._rows
        self._row, self._rows = {}, []
        if not row:
            return
        line = rows[0] if len(rows) <= _QUOTED_LINES else rows[-1]
        where = cite(self._artifact, line)
        if self._section == "Conditions":
            name = "k8s/node-condition" if self._node else "k8s/pod-condition"
            self.events.append(
                state(
                    name,
                    where,
                    self._subject,
                    when=stamp(row.get("LastTransitionTime", "")),
                    type=row["Type"],
                    status=row.get("Status", ""),
                    reason=row.get("Reason", ""),
                    message=row.get("Message", ""),
                )
            )
            return
        kind = "node" if self._node else self._kind
        self.events.append(
            state(
                "k8s/event",
                where,
                self._subject,
                numbers={"age": age(row.get("Age", ""))},
                reason=row.get("Reason", ""),
                message=row.get("Message", ""),
                severity=row["Type"],
                object=f"{kind}/{self._name}",
            )
        )


def _killed(event: RawEvent, container: str) -> bool:
    """Tell whether a state says that a container ran out of memory."""
    reason, of = event.captures.get("reason"), event.captures.get("container")
    return reason is not None and of is not None and (reason.raw, of.raw) == ("OOMKilled", container)


def _is_top(key: str) -> bool:
    return key in ("Name", "Namespace")


PARSERS = (Parser(id="k8s-describe", claims=claims, read=read),)
