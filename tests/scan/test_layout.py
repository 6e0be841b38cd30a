"""What a learnt layout reads must be what the reference reads."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from runtriage.model.subject import NOBODY
from runtriage.scan.ansi import CODES
from runtriage.scan.contract import MetricLine
from runtriage.scan.dialects.learn import parse
from runtriage.scan.layout import Layout, learn

LOGS = Path(__file__).parent / "logs" / "metrics"


def plain(said: MetricLine) -> list[object]:
    return [said.step, said.epoch, said.total, [(name, repr(value)) for name, value in said.values]]


def layout_of(line: bytes) -> Layout:
    layout = learn(line, parse, lambda _: NOBODY)
    assert layout is not None
    return layout


@pytest.mark.parametrize("path", sorted(path for path in LOGS.rglob("*") if path.is_file()), ids=lambda path: path.name)
def test_layouts_agree_with_the_reference_on_recorded_logs(path: Path):
    layouts: list[Layout] = []
    segments = re.split(rb"[\r\n]+", CODES.sub(b"", path.read_bytes()))
    for segment in segments[:400]:
        said = parse(segment)
        if said is None:
            continue
        matches = [(layout, found) for layout in layouts if (found := layout.pattern.fullmatch(segment))]
        for layout, found in matches:
            assert layout.stepped == (said.step is not None)
            if layout.whole:
                assert plain(layout.say(found)) == plain(said)
        if not matches and (layout := learn(segment, parse, lambda _: NOBODY)) is not None:
            layouts.append(layout)


def test_a_layout_reads_other_numbers_of_every_form():
    layout = layout_of(b"2026-05-14 02:12:13 INFO step 12 loss 3.25 lr 0.001")
    found = layout.pattern.fullmatch(b"2027-11-30 23:59:59 INFO step 123456 loss -1.5e-07 lr nan")
    assert found is not None
    said = layout.say(found)
    assert (said.step, said.values[0]) == (123456, ("loss", -1.5e-07))
    assert math.isnan(said.values[1][1])


def test_a_number_of_forty_digits_is_read_as_any_other():
    line = b"step 320: loss=0.0304 depth=46045501625629933523744399283978240.0000"

    assert layout_of(line).pattern.fullmatch(line) is not None


def test_a_layout_declines_other_words():
    layout = layout_of(b"2026-05-14 02:12:13 INFO step 12 loss 3.25 lr 0.001")
    assert layout.pattern.fullmatch(b"2026-05-14 02:12:13 INFO epoch 12 loss 3.25 lr 0.001") is None
    assert layout.pattern.fullmatch(b"2026-05-14 02:12:13 INFO step 12 loss 3.25 lr 0.001 done") is None


def test_a_step_that_follows_from_several_numbers_is_left_to_the_reference():
    layout = layout_of(b"Epoch 3:  28%|###       | 90/325 [00:01<00:02, 78.34it/s, train_loss=0.00743]")
    assert not layout.whole
    assert ("train_loss", 0.00743) in parse(
        b"Epoch 3:  28%|###       | 90/325 [00:01<00:02, 78.34it/s, train_loss=0.00743]"
    ).values  # pyright: ignore[reportOptionalMemberAccess]


def test_a_number_that_tells_who_speaks_is_kept_apart():
    from runtriage.model.artifact import Artifact
    from runtriage.scan.dialects import line_reader

    reader = line_reader(Artifact(path="a.log", kind="log"), b"")
    layout = learn(b"INFO rank=3 step 12 loss 3.25", parse, reader.subject)
    assert layout is not None
    assert len(layout.voices) == 1


def test_with_ranks_the_lines_of_one_rank_teach_how_those_of_all_others_are_read():
    from runtriage.model.artifact import Artifact
    from runtriage.scan.book import Book
    from runtriage.scan.dialects import line_reader

    reader = line_reader(Artifact(path="a.log", kind="log"), b"")
    others = b"02:03:00 [rank117] INFO step 5 loss 2.5"
    for ranks, known in ((True, True), (False, False)):
        book = Book(ranks=ranks)
        for step in range(20):
            book.note(b"02:03:00 [rank3] INFO step %d loss 2.5" % step, parse, reader.subject)
        found = book.find(others)
        assert (found is not None) is known
        if found is not None:
            assert len(found[0].voices) == 1
            assert plain(found[0].say(found[1])) == plain(parse(others) or MetricLine(None, None, None, ()))


def test_a_rank_in_the_name_of_a_metric_stays_part_of_it():
    from runtriage.scan.layout import RANKED

    line = b"step 12 loss 3.25 rank0/acc 0.5"
    layout = learn(line, parse, lambda _: NOBODY, RANKED) or layout_of(line)
    for other in (b"step 13 loss 2.25 rank0/acc 0.75", b"step 13 loss 2.25 rank1/acc 0.75"):
        found = layout.pattern.fullmatch(other)
        assert found is None or plain(layout.say(found)) == plain(parse(other) or MetricLine(None, None, None, ()))
