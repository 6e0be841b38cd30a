"""Compiles one way of printing metrics into a fast reader.

A layout is learnt by trial: each number of a sample line is replaced in turn, and the reference reader says which of its results
follow. What a layout claims to read, it therefore reads exactly as the reference does; any other line is left to the reference.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import cycle
from typing import Final, NamedTuple

from msgspec import Struct

from runtriage.model.pattern import deferred
from runtriage.model.subject import Subject
from runtriage.scan.contract import MetricLine

Parse = Callable[[bytes], MetricLine | None]
Speaks = Callable[[bytes], Subject]

SLOT: Final = deferred(
    rb"(?<![A-Za-z0-9_.])(?:[-+]?(?>\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?)|[-+]?(?i:nan|inf(?:inity)?)(?![A-Za-z0-9_]))"
    rb"|(?<=%)\|[^|\r\n]{0,200}\|"
)
"""A number that does not belong to a word, or the drawing of a progress bar."""
RANKED: Final = deferred(SLOT.pattern + rb"|(?:(?<=[^A-Za-z0-9_.]rank)|(?<=^rank))\d+(?![A-Za-z0-9_.])", re.IGNORECASE)
"""The same, or the number of a rank that is written as one word, as in `[rank17]`."""

_FORMS: Final = {
    "point": (b"0.625", b"12345.5", b"0.00078125"),
    "power": (b"2.5e-07", b"1e-05", b"1.5E+03"),
    "sign": (b"-3.25", b"-0.375", b"-2.5e-07"),
    "comma": (b"7,120", b"1,234,567.5", b"12,345"),
    "nan": (b"nan", b"NaN", b"nan"),
    "inf": (b"inf", b"-inf", b"inf"),
}
"""Forms of numbers beside plain digits, with examples; a layout takes those that the reference reads in all its places."""
_ROUNDS: Final = 3
_PLACES: Final = ("step", "epoch", "total")
_WHOLE_NUMBERS: Final = ("step", "total")


class Piece(NamedTuple):
    """One stretch of a line: `text` as it stands, a `gap` of two or more blanks, a number that counts (`value`), digits that count
    (`count`; none of them zero where the forms say `positive`), digits that mean nothing (`digits`), the same form with other digits (`form`), or the drawing of a `bar`.
    """

    kind: str
    text: bytes = b""
    forms: frozenset[str] = frozenset()


class Layout(Struct, frozen=True):
    """A line as a pattern. `values` are (name, group) pairs, `places` the same for step, epoch and total.

    `voices` are groups that tell who speaks. `whole` is false when a place depends on several numbers at once; then only the
    reference can say it.
    """

    pattern: re.Pattern[bytes]
    pieces: tuple[Piece, ...]
    values: tuple[tuple[str, int], ...]
    places: tuple[tuple[str, int], ...]
    voices: tuple[int, ...]
    whole: bool
    stepped: bool
    epoched: bool
    totalled: bool

    def spans(self, body: bytes) -> list[tuple[int, int]]:
        """Return where each piece stands in a line, or nothing when the layout does not read it."""
        spelled = _spelled(self.pieces).fullmatch(body)
        return [] if spelled is None else [spelled.span(index + 1) for index in range(len(self.pieces))]

    def idle_lengths(self, body: bytes) -> list[int]:
        """Return how many digits the numbers that mean nothing have in a line."""
        spans = zip(self.pieces, self.spans(body), strict=False)
        return [end - start for piece, (start, end) in spans if piece.kind == "digits"]

    def say(self, found: re.Match[bytes]) -> MetricLine:
        """Return what a matched line says; only for a `whole` layout."""
        places = {name: number(found[group]) for name, group in self.places}
        step, total = places.get("step"), places.get("total")
        return MetricLine(
            None if step is None else int(step),
            places.get("epoch"),
            None if total is None else int(total),
            [(name, number(found[group])) for name, group in self.values],
        )


def number(printed: bytes) -> float:
    """Return a printed number; thousands may be grouped by commas."""
    return float(printed.replace(b",", b"") if b"," in printed else printed)


def learn(line: bytes, parse: Parse, speaks: Speaks, slots: re.Pattern[bytes] = SLOT) -> Layout | None:
    """Return the layout of a line whose numbers are `slots`, or None when a value does not follow from one number alone."""
    said = parse(line)
    if said is None:
        return None
    trial = _Trial(line, parse, [found.span() for found in slots.finditer(line)], list(_outputs(said)))
    places = trial.slots()
    if places is None:
        return None
    direct = {name: slot for name, slot in places.items() if slot is not None}
    if any(f"={name}" not in direct for name, _ in said.values):
        return None
    voices = trial.voices(direct, speaks)
    direct.update((f"@{slot}", slot) for slot in voices)
    layout = _assembled(trial, direct, trial.forms(direct, said), trial.grows(direct, said), said)
    return layout if layout.pattern.fullmatch(line) else None


def _outputs(said: MetricLine) -> dict[str, float | None]:
    found: dict[str, float | None] = {"step": said.step, "epoch": said.epoch, "total": said.total}
    found.update({f"={name}": value for name, value in said.values})
    return found


class _Trial(Struct, frozen=True):
    """A sample line, the places of its numbers, and the names of what the reference reads in it."""

    line: bytes
    parse: Parse
    spans: Sequence[tuple[int, int]]
    names: list[str]

    def token(self, slot: int) -> bytes:
        """Return the number in a place."""
        start, end = self.spans[slot]
        return self.line[start:end]

    def with_numbers(self, numbers: dict[int, bytes]) -> bytes:
        """Return the line with other numbers in some places."""
        parts, at = list[bytes](), 0
        for slot, (start, end) in enumerate(self.spans):
            parts += (self.line[at:start], numbers.get(slot, self.line[start:end]))
            at = end
        return b"".join((*parts, self.line[at:]))

    def replaced(self, numbers: dict[int, bytes]) -> dict[str, float | None] | None:
        """Return what the reference reads with other numbers in some places, or None when it reads other things."""
        said = self.parse(self.with_numbers(numbers))
        outputs = _outputs(said) if said is not None else {}
        return outputs if list(outputs) == self.names else None

    def slots(self) -> dict[str, int | None] | None:
        """Return which number each result follows (None: no single one), found with other digits in all places at once."""
        candidates: dict[str, set[int]] = {}
        for turn in range(_ROUNDS):
            numbers = {slot: _other(self.token(slot), slot, turn) for slot in range(len(self.spans))}
            outputs = self.replaced(numbers)
            if outputs is None:
                return None
            values = {slot: _value(printed) for slot, printed in numbers.items()}
            for name, result in outputs.items():
                if result is not None:
                    matching = {slot for slot, value in values.items() if value is not None and _equal(value, result)}
                    candidates[name] = candidates.get(name, matching) & matching
        return {name: min(found) if len(found) == 1 else None for name, found in candidates.items()}

    def voices(self, direct: dict[str, int], speaks: Speaks) -> list[int]:
        """Return the numbers that are no result but tell who speaks."""
        idle = [slot for slot in range(len(self.spans)) if slot not in direct.values()]
        others = {slot: _other(self.token(slot), slot, 0) for slot in idle}
        subject = speaks(self.line)
        if speaks(self.with_numbers(others)) == subject:
            return []
        return [slot for slot in idle if speaks(self.with_numbers({slot: others[slot]})) != subject]

    def forms(self, direct: dict[str, int], said: MetricLine) -> dict[str, set[str]]:
        """Return for each result the forms of numbers that the reference reads in its place; tried one by one only where all together fail."""
        found: dict[str, set[str]] = {name: set() for name in direct}
        for name in _WHOLE_NUMBERS:
            if name in direct and not self._reads({name: direct[name]}, (b"0",), said):
                found[name].add("positive")
        values = [name for name in direct if name.startswith("=")]
        for form, examples in _FORMS.items():
            together = (
                [values]
                if self._reads({name: direct[name] for name in values}, examples, said)
                else [[name] for name in values]
            )
            for names in (*together, ["epoch"] if "epoch" in direct else []):
                if names and (names is values or self._reads({name: direct[name] for name in names}, examples, said)):
                    for name in names:
                        found[name].add(form)
        return found

    def _reads(self, places: dict[str, int], examples: Sequence[bytes], said: MetricLine) -> bool:
        """Tell whether numbers printed like the examples are read in these places, each by the result that follows it."""
        numbers = {slot: examples[index % len(examples)] for index, slot in enumerate(places.values())}
        outputs, before = self.replaced(numbers), _outputs(said)
        return outputs is not None and all(
            _equal(value, _value(numbers[places[name]]) if name in places else before[name])
            for name, value in outputs.items()
        )

    def grows(self, direct: dict[str, int], said: MetricLine) -> bool:
        """Tell whether whole numbers that mean nothing may get longer without changing what is read."""
        idle = set(range(len(self.spans))) - set(direct.values())
        longer = {slot: self.token(slot) + b"1" for slot in idle if self.token(slot).isdigit()}
        outputs, before = self.replaced(longer), _outputs(said)
        return outputs is not None and all(_equal(value, before[name]) for name, value in outputs.items())


def _other(token: bytes, slot: int, turn: int) -> bytes:
    """Return another number of the same form and length, different in each place."""
    if token.startswith(b"|"):
        return b"| # |"
    if not re.search(rb"\d", token):
        return b"%d.%d" % (slot + 2, turn + 5)
    head = re.match(rb"[-+]?[\d.,]+", token)
    length = head.end() if head else len(token)
    seed = (slot + 1) * 7919 + (turn + 1) * 104729
    digits = cycle(str(seed**5))
    return bytes(ord(next(digits)) if 48 <= char <= 57 else char for char in token[:length]) + token[length:]


def _value(printed: bytes) -> float | None:
    return None if printed.startswith(b"|") else number(printed)


def _equal(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or (math.isnan(one) and math.isnan(other))


def _assembled(
    trial: _Trial, direct: dict[str, int], forms: dict[str, set[str]], grows: bool, said: MetricLine
) -> Layout:
    owner = {slot: name for name, slot in direct.items()}
    groups: dict[str, int] = {}
    pieces, at = list[Piece](), 0
    for slot, (start, end) in enumerate(trial.spans):
        name, token = owner.get(slot), trial.token(slot)
        pieces += _words(trial.line[at:start])
        if name is None:
            pieces.append(_idle(token, grows))
        else:
            groups[name] = len(groups) + 1
            plain = name in _WHOLE_NUMBERS or name.startswith("@")
            pieces.append(Piece("count" if plain else "value", token, frozenset(forms[name])))
        at = end
    pieces += _words(trial.line[at:])
    before = _outputs(said)
    return Layout(
        re.compile(b"".join(map(_pattern, pieces))),
        tuple(pieces),
        tuple((name, groups[f"={name}"]) for name, _ in said.values),
        tuple((name, groups[name]) for name in _PLACES if name in groups),
        tuple(group for name, group in groups.items() if name.startswith("@")),
        all(before[name] is None or name in groups for name in _PLACES),
        said.step is not None,
        said.epoch is not None,
        said.total is not None,
    )


def _pattern(piece: Piece) -> bytes:
    if piece.kind == "text":
        return re.escape(piece.text)
    if piece.kind == "form":
        return re.sub(rb"\d", rb"\\d", re.escape(piece.text))
    if piece.kind == "value":
        return b"(%b)" % _printed(piece.forms)
    if piece.kind == "count":
        return rb"([1-9]\d*)" if "positive" in piece.forms else rb"(\d+)"
    return {"gap": rb"(?> {2,})", "digits": rb"\d+", "bar": rb"\|[^|\r\n]{0,200}\|"}[piece.kind]


@lru_cache(maxsize=256)
def _spelled(pieces: tuple[Piece, ...]) -> re.Pattern[bytes]:
    """Return a pattern with a group for every piece."""
    return re.compile(
        b"".join(_pattern(piece) if piece.kind in ("value", "count") else b"(%b)" % _pattern(piece) for piece in pieces)
    )


def _printed(forms: frozenset[str]) -> bytes:
    """Return the pattern of a number in any of these forms."""
    plain = b"".join(
        (
            rb"-?" if "sign" in forms else b"",
            rb"(?>\d+",
            rb"(?:,\d{3})*" if "comma" in forms else b"",
            rb"(?:\.\d+)?" if "point" in forms else b"",
            rb"(?:[eE][-+]?\d+)?" if "power" in forms else b"",
            rb")",
        )
    )
    words = [word for form, word in (("nan", rb"[nN][aA][nN]"), ("inf", rb"-?[iI][nN][fF]")) if form in forms]
    return b"|".join((plain, *words))


def _idle(token: bytes, grows: bool) -> Piece:
    """Return what may stand for a number that means nothing: the same form and, unless it may grow, length."""
    if token.startswith(b"|"):
        return Piece("bar")
    return Piece("digits") if token.isdigit() and grows else Piece("form", token)


def _words(text: bytes) -> list[Piece]:
    """Return the words between two numbers; a gap of several blanks may be wider or narrower, but stays a gap."""
    parts = re.split(rb"( {2,})", text)
    return [Piece("gap") if index % 2 else Piece("text", part) for index, part in enumerate(parts) if part]
