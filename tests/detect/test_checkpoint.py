"""A broken checkpoint counts only where the log shows that it was being read."""

from __future__ import annotations

from runtriage.detect.checkpoint import find
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import CHECKPOINT, EXCEPTION, SIGNATURE, Event
from runtriage.model.facts import Checkpoint, Facts
from runtriage.model.finding import Match
from runtriage.model.options import Options
from runtriage.model.place import Citation

NOTHING = Catalogue({}, fixes={}, digest="")


def event(kind: str, name: str, line: int, excerpt: str = "", **captures: str) -> Event:
    place = Citation(artifact="train.log", first_line=line)
    return Event(kind=kind, name=name, citation=place, excerpt=excerpt, captures=captures)


def checkpoint(valid: bool | None = False, path: str = "out/last.pt") -> Checkpoint:
    return Checkpoint(
        path=path,
        step=3,
        mtime=1.0,
        size=9,
        format="torch",
        valid=valid,
        problem=None if valid else "cut: the archive lacks the directory at its end",
        citation=Citation(artifact=path, byte_start=0),
    )


def matches(*events: Event, item: Checkpoint | None = None) -> list[Match]:
    facts = Facts(target="run", options=Options(), events=events, checkpoints=(item or checkpoint(),))
    return list(find(facts, NOTHING))


LOADING = event(CHECKPOINT, "loading", 1, path="last.pt")
RAISED = event(EXCEPTION, "OSError", 13, message="[Errno 22] Invalid argument")


def test_an_exception_while_it_is_loaded_is_caused_by_it() -> None:
    (match,) = matches(LOADING, RAISED)
    assert (match.mode, match.role) == ("ckpt/corrupt-zip", "cause")
    assert match.evidence[0].citation == RAISED.citation
    assert match.evidence[1].citation.artifact == "out/last.pt"


def test_a_signature_that_names_it_is_confirmed() -> None:
    said = event(SIGNATURE, "ckpt/corrupt-zip.torch#reader", 9, "failed reading zip archive: out/last.pt")
    (match,) = matches(said)
    assert match.role == "confirmation"


def test_a_failed_write_of_it_says_nothing_about_reading() -> None:
    assert matches(event(SIGNATURE, "ckpt/write-failed.torch#x", 9, "unexpected pos: out/last.pt")) == []
    assert matches(event(EXCEPTION, "OSError", 13, message="No space left on device: out/last.pt")) == []


def test_what_is_whole_unchecked_or_another_file_is_left_alone() -> None:
    assert matches(LOADING, RAISED, item=checkpoint(valid=True)) == []
    assert matches(LOADING, RAISED, item=checkpoint(valid=None)) == []
    assert matches(LOADING, RAISED, item=checkpoint(path="out/other.pt")) == []


def test_an_exception_before_or_long_after_the_loading_is_another_matter() -> None:
    assert matches(event(CHECKPOINT, "loading", 20, path="last.pt"), RAISED) == []
    assert matches(LOADING, event(EXCEPTION, "ValueError", 5000)) == []


def test_a_line_that_calls_it_resumed_from_names_it_only_where_the_exception_comes_from_loading() -> None:
    resumed = event(CHECKPOINT, "loaded", 1, path="out/last.pt")
    loading = event(EXCEPTION, "OSError", 13, message="[Errno 22] Invalid argument", source="st=torch.load(p)")
    later = event(EXCEPTION, "ValueError", 13, message="bad batch", source="loss = step(batch)")
    assert [match.role for match in matches(resumed, loading)] == ["cause"]
    assert matches(resumed, later) == []
    assert matches(resumed, loading, item=checkpoint(valid=True)) == []
