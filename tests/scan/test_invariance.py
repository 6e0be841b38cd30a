"""Results must not depend on how the bytes arrive."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtriage.scan.find_re2 import Re2
from tests.scan.reading import RULES, counted, holds, read, rules, slow

RE2 = rules(engine=Re2())

PIECES = st.sampled_from(
    [
        b"\n",
        b"\r",
        b"\r\n",
        b"\x00",
        b"\xff\xfe",
        b"\x1b[31m",
        b"\x1b[0m",
        b"\x1b",
        b"[rank1]: ",
        b"[rank2]: ",
        b"step 12 loss 3.25 lr 1e-4\n",
        b"[rank1]: step 13 loss nan\n",
        b"2026-05-14 02:12:13,155 INFO step 14/100 loss -inf grad_norm 1.5\n",
        b"{'loss': 2.5, 'grad_norm': 1.0, 'learning_rate': 1e-05, 'epoch': 0.1}\n",
        b" 28%|###   | 90/325 [00:01<00:02, 78.34it/s, loss=1.5]\r",
        b"CUDA out of memory. Tried to allocate 2.50 GiB",
        b"CUDA out of ",
        b"No space left on device: '/a/b'",
        b"gradient overflow",
        b"Traceback (most recent call last):\n",
        b'  File "/a/train.py", line 7, in main\n    step()\n',
        b"ValueError: bad value 7\n",
        b"During handling of the above exception, another exception occurred:\n\n",
        b"KeyboardInterrupt\n",
        b"x" * 700,
        b"y" * 5000,
        b"word " * 40,
    ]
)
TEXTS = st.lists(PIECES, max_size=120).map(b"".join)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(TEXTS, st.sampled_from([8192, 12288, 20000, 65536]))
def test_results_do_not_depend_on_the_size_of_blocks(data: bytes, block: int):
    assert repr(read(data, block=block)) == repr(read(data))


@QUICK
@given(TEXTS)
def test_every_citation_holds(data: bytes):
    result = read(data)
    citations = [event.citation for event in result.events]
    citations += [event.last for event in result.events if event.last]
    citations += [each for part in result.progress for each in (part.last_progress, part.last_line) if each]
    assert all(holds(data, citation) for citation in citations)


@QUICK
@given(TEXTS)
def test_both_engines_find_the_same(data: bytes):
    assert repr(read(data, using=RE2)) == repr(read(data))


@QUICK
@given(st.lists(PIECES.filter(lambda piece: len(piece) < 500), max_size=60).map(b"".join))
def test_every_segment_with_a_match_counts_once(data: bytes):
    assert counted(read(data)) == slow(data)


def test_rules_of_both_engines_are_the_same():
    assert [rule.name for rule in RULES.rules] == [rule.name for rule in RE2.rules]
