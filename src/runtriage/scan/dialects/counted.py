"""Lines of scores that are counted by a word no table of names knows: `rollout 12: return 3.1`, `sweep 7 | energy loss 0.2`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from runtriage.model.naming import meaning
from runtriage.model.pattern import deferred
from runtriage.scan.contract import MetricLine
from runtriage.scan.dialects.header import message_start
from runtriage.scan.dialects.lines import metric_line, read_line
from runtriage.scan.prefix import read_prefix

_COUNT = deferred(r"[\W_]{0,4}(?P<word>[A-Za-z]{2,16})[ :=#-]{1,3}(?P<number>\d{1,9})(?![\w.%])")
FEWEST: Final = 12
"""Lines that must be counted on: folds, seeds, layers and classes are seldom so many."""
_LOOKED_AT: Final = 256
"""Lines of a window that are looked at: a log without any metrics costs no more than these."""
_STRIDES: Final = 0.9
"""The share of the lines that count on by the usual amount; a log may lack a few."""
# fmt: off
PARTS: Final = frozenset((
    "rank", "worker", "gpu", "node", "client", "seed", "fold", "trial", "layer", "class", "head", "expert", "shard", "run", "task", "model",
))
# fmt: on
"""What is numbered without one coming after the other."""
_STEP: Final = "step"


class Counted(Struct, frozen=True):
    """Lines that begin with a word and a count. They hold no literal of their own, so each line is looked at."""

    word: str
    name: str = "counted"
    anchors: tuple[bytes, ...] = ()
    fields: tuple[tuple[bytes, str], ...] = ()

    def parse(self, line: bytes, /) -> MetricLine | None:
        """Read one line whose count is a step; None for any other line."""
        text = words_of(line)
        found = _COUNT.match(text, message_start(text))
        if found is None or found["word"] != self.word:
            return None
        return _parsed(f"{text[: found.start('word')]}{_STEP}{text[found.end('word') :]}")


@lru_cache(maxsize=8)
def _parsed(text: str) -> MetricLine | None:
    said = read_line(text)
    return metric_line(said) if said is not None and said.position.step is not None and said.pairs else None


def find_counted(lines: Sequence[bytes]) -> Iterator[Counted]:
    """Yield the words by which lines of scores are counted on, in the order of their lines."""
    counts: dict[str, list[int]] = {}
    sample: dict[str, bytes] = {}
    for line in lines[:_LOOKED_AT]:
        text = words_of(line)
        found = _COUNT.match(text, message_start(text))
        if found is not None and found["word"].lower() not in PARTS and meaning(found["word"]).role is None:
            counts.setdefault(found["word"], []).append(int(found["number"]))
            sample.setdefault(found["word"], line)
    for word, numbers in counts.items():
        if len(numbers) >= FEWEST and counts_on(numbers, _STRIDES) and (counted := Counted(word)).parse(sample[word]):
            yield counted


def words_of(line: bytes) -> str:
    """Return a line without what its launcher put in front of it."""
    return line[read_prefix(line).end :].decode("utf-8", "replace")


def counts_on(numbers: Sequence[int], share: float, back: int = 0) -> bool:
    """Tell whether numbers rise, a `share` of them by the same amount, and all but `back` of them at all."""
    strides = [later - earlier for earlier, later in pairwise(numbers)]
    usual = sorted(strides)[len(strides) // 2]
    rising = sum(stride > 0 for stride in strides)
    return usual > 0 and rising >= len(strides) - back and strides.count(usual) >= share * len(strides)
