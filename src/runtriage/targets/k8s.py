"""A pod, a job or a selection of pods of a Kubernetes cluster as a target."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from types import TracebackType
from typing import Final, Self

from runtriage.model import kube
from runtriage.model.artifact import Artifact, Collected, Empty, Outcome, Request, Unavailable
from runtriage.model.target import ByteStream
from runtriage.targets.errors import NO_ACCESS, NOT_FOUND, USAGE, TargetError
from runtriage.targets.fetched import Shelf
from runtriage.targets.grammar import Spec
from runtriage.targets.kube import Cluster
from runtriage.targets.kube_context import namespace_of
from runtriage.targets.kube_reader import KubeReader, reader

_ALIASES: Final = {
    "po": "pod",
    "pods": "pod",
    "jobs": "job",
    "deploy": "deployment",
    "sts": "statefulset",
    "rs": "replicaset",
    "vj": "vcjob",
}


class KubeTarget:
    """Reads what `first` names and all that it points at; nothing that is read changes anything."""

    def __init__(self, label: str, first: Sequence[Request], reads: KubeReader) -> None:
        self.label = label
        self._first = first
        self._shelf = Shelf()
        self._cluster = Cluster(reads, self._shelf)
        self._opening: dict[int, Outcome] = {}

    def first_requests(self) -> Sequence[Request]:
        """The named object, or the pods of the selection."""
        return self._first

    def collect(self, request: Request) -> Outcome:
        """Answer one request; the first one was answered when the target was opened."""
        return self._opening.pop(id(request), None) or self._cluster.collect(request)

    def open(self, artifact: Artifact) -> ByteStream:
        """Open a collected document. Raises OSError."""
        return self._shelf.open(artifact)

    def __enter__(self) -> Self:
        """Read the first object. Raises `TargetError` where it is not there or may not be read."""
        first = self._first[0]
        outcome = self._cluster.collect(first)
        if isinstance(outcome, Empty):
            what = "no pod has these labels" if first.kind == f"{kube.KIND}pods" else outcome.detail
            raise TargetError(f"{self.label}: {what}", NOT_FOUND)
        if isinstance(outcome, Unavailable):
            raise TargetError(f"{self.label}: {outcome.reason}", NO_ACCESS)
        if not isinstance(outcome, Collected):
            raise TargetError(f"{self.label}: {getattr(outcome, 'reason', 'cannot be read')}", USAGE)
        self._opening[id(first)] = outcome
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        return


def target(
    *,
    what: str | None,
    namespace: str | None,
    selector: str | None,
    context: str | None,
    reads: KubeReader | None = None,
) -> KubeTarget:
    """Return the target of `KIND/NAME` or of a label selector. Raises `TargetError` for what cannot be named."""
    home = namespace or namespace_of(context)
    if selector is not None:
        label = f"k8s:{context or ''}/{home}/pods?{selector}"
        return KubeTarget(label, [kube.pods(home, selector, "the pods of the selection")], reads or reader(context))
    kind, slash, name = (what or "").partition("/")
    if not slash or not name:
        raise TargetError(f"{what}: name the object as KIND/NAME, such as pod/trainer-0", USAGE)
    label = f"k8s:{context or ''}/{home}/{kind}/{name}"
    return KubeTarget(label, _first(_known(kind), name, home), reads or reader(context))


def _first(kind: str, name: str, home: str) -> list[Request]:
    if kind == "pod":
        return [kube.pod(home, name, "the named pod")]
    found = [kube.owner(home, kind, name, "the named object")]
    if kind in kube.SELECTORS:
        found.append(kube.pods(home, f"{kube.SELECTORS[kind]}={name}", "the pods of the named object"))
    return found


def _known(kind: str) -> str:
    plain = kind.lower().partition(".")[0]
    plain = _ALIASES.get(plain, plain)
    if plain == "pod" or plain in kube.PLAIN_PATHS:
        return plain
    if plain.endswith("s") and plain[:-1] in kube.PLAIN_PATHS:
        return plain[:-1]
    known = ["pod", *kube.PLAIN_PATHS]
    near = get_close_matches(plain, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    raise TargetError(f"{kind}: no kind that can be diagnosed; {hint}", USAGE)


def open_target(spec: Spec) -> KubeTarget:
    """Return the target of `k8s:CONTEXT/NAMESPACE/KIND/NAME`; an empty context is the current one. Raises `TargetError`."""
    context, _, rest = spec.rest.partition("/")
    namespace, _, what = rest.partition("/")
    if not namespace or what.count("/") != 1:
        raise TargetError("a Kubernetes target is k8s:CONTEXT/NAMESPACE/KIND/NAME; CONTEXT may be empty", USAGE)
    return target(what=what, namespace=namespace, selector=None, context=context or None)
