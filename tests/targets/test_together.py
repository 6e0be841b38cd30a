"""Several targets are one run; documents from a wire read like files."""

import pytest

from runtriage.model.artifact import Artifact, Collected, Outcome, Request, Skipped
from runtriage.targets.fetched import Shelf
from runtriage.targets.together import Together


class _One:
    def __init__(self, kind: str) -> None:
        self.label = kind
        self.closed = False
        self._kind = kind
        self._shelf = Shelf()

    def first_requests(self) -> list[Request]:
        return [Request(kind=self._kind)]

    def collect(self, request: Request) -> Outcome:
        if request.kind != self._kind:
            return Skipped(request, "another's")
        kept = self._shelf.keep(f"{self._kind}.log", self._kind.encode() * 3, kind="log", source=self._kind)
        return Collected(request, (kept,))

    def open(self, artifact: Artifact):
        return self._shelf.open(artifact)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


def _read(target: Together, artifact: Artifact) -> bytes:
    buffer = bytearray(100)
    with target.open(artifact) as stream:
        return bytes(buffer[: stream.readinto(memoryview(buffer))])


def test_each_member_answers_its_own_requests_and_opens_its_own_documents() -> None:
    members = [_One("a"), _One("b")]
    with Together("a b", members) as both:
        outcomes = [both.collect(request) for request in both.first_requests()]
        read = [
            _read(both, artifact)
            for outcome in outcomes
            if isinstance(outcome, Collected)
            for artifact in outcome.artifacts
        ]
    assert read == [b"aaa", b"bbb"]
    assert all(member.closed for member in members)


def test_what_nobody_answers_is_skipped_and_what_nobody_collected_cannot_be_opened() -> None:
    with Together("a", [_One("a")]) as target:
        assert isinstance(target.collect(Request(kind="c")), Skipped)
        with pytest.raises(FileNotFoundError):
            target.open(Artifact(path="x.log", kind="log"))


def test_a_kept_document_reads_from_any_offset() -> None:
    shelf = Shelf()
    kept = shelf.keep("x", b"0123456789", kind="log", source="wire", place={"rank": 3, "stream": "stderr"})
    assert (kept.rank, kept.stream, kept.size) == (3, "stderr", 10)
    stream = shelf.open(kept)
    stream.seek(7)
    buffer = bytearray(5)
    assert stream.readinto(memoryview(buffer)) == 3
    assert bytes(buffer[:3]) == b"789"
    assert "x" in shelf
    assert "y" not in shelf
