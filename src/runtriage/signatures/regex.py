"""The regular expressions a signature may use, and the literal text each one cannot match without.

Both engines must agree on every pattern and neither may be driven to quadratic time, so the language is small: no look-around,
no back-references, no `^` or `$`, no unlimited run of arbitrary characters.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct, field

SHORTEST_LITERAL: Final = 5

_CLASS_ESCAPES: Final = frozenset("dDwWsS")
_ZERO_WIDTH: Final = frozenset("bB")
_CONTROL: Final = {"t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_QUANTIFIER: Final = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_GROUP: Final = re.compile(r"\((?:\?:|\?P<[A-Za-z_]\w*>|(?!\?))")
_PLAIN: Final = re.compile(r"[^\\[\](){}|.*+?^$]+")
_DIGIT_CLASS: Final = re.compile(r"\\d|\[(?:\\d|0-9|[.,\-+eE])+\]")


def required_literal(regex: str, ignore_case: bool = False) -> str:
    """Return the longest text every match must contain, lower-cased where case is ignored. Raises ValueError for refused forms."""
    try:
        re.compile(regex.encode())
    except (re.error, RecursionError) as error:
        raise ValueError(f"is not a regular expression: {error}") from None
    if "\n" in regex:
        raise ValueError("holds a line break; a pattern matches within one line")
    reader = _Reader(regex)
    parts = reader.alternatives()
    reader.refuse_open_ends()
    literal = max(parts, key=len, default="")
    if len(literal) < SHORTEST_LITERAL:
        raise ValueError(f"needs a literal of at least {SHORTEST_LITERAL} characters outside alternatives")
    return literal.lower() if ignore_case else literal


class _Reader(Struct):
    """Walks one pattern; `ends` remembers the outermost atoms that repeat without limit, with the place each ends at."""

    regex: str
    at: int = 0
    ends: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])

    def alternatives(self) -> list[str]:
        """Read up to the closing bracket; more than one branch leaves nothing that every match contains."""
        branches = [self.sequence()]
        while self.at < len(self.regex) and self.regex[self.at] == "|":
            self.at += 1
            branches.append(self.sequence())
        return branches[0] if len(branches) == 1 else ["", ""]

    def sequence(self) -> list[str]:
        """Return the literal runs of one branch, in order."""
        runs = [""]
        while self.at < len(self.regex) and self.regex[self.at] not in "|)":
            start = self.at
            plain = self.plain()
            if plain:
                runs[-1] += plain
                continue
            inner = self.atom()
            atom = self.regex[start : self.at]
            low, high = self.quantifier()
            if high is None:
                self.note_unlimited(start, atom)
            if low == 0 or inner is None:
                runs.append("")
            elif low == 1 and high == 1:
                runs[-1] += inner[0]
                runs.extend(inner[1:])
            else:
                runs[-1] += inner[0]
                runs.extend([*inner[1:], ""])
        return runs

    def plain(self) -> str:
        """Read characters that stand for themselves, up to one that is repeated."""
        found = _PLAIN.match(self.regex, self.at)
        if found is None:
            return ""
        repeated = self.regex[found.end() : found.end() + 1] in set("*+?{")
        text = found[0][:-1] if repeated else found[0]
        self.at += len(text)
        return text

    def atom(self) -> list[str] | None:
        """Read one atom: its literal runs, or None where it stands for a choice of characters."""
        char = self.regex[self.at]
        if char == "(":
            return self.group()
        if char == "[":
            self.skip_class()
            return None
        if char == "\\":
            return self.escape()
        if char in "^$":
            raise ValueError(f"uses {char}, which misses around carriage returns and colour codes")
        self.at += 1
        return None if char == "." else [char]

    def group(self) -> list[str]:
        """Read a bracketed part."""
        opening = _GROUP.match(self.regex, self.at)
        if opening is None:
            raise ValueError(f"uses {self.regex[self.at : self.at + 4]}, which only plain and named groups may replace")
        self.at = opening.end()
        runs = self.alternatives()
        self.at += 1
        return runs

    def escape(self) -> list[str] | None:
        """Read a backslash and what follows it."""
        char = self.regex[self.at + 1]
        self.at += 2
        if char in _CLASS_ESCAPES:
            return None
        if char in _ZERO_WIDTH:
            return [""]
        if char in _CONTROL:
            return [_CONTROL[char]]
        if char == "x":
            self.at += 2
            return None
        if char.isalnum():
            raise ValueError(f"uses \\{char}, which both engines do not share")
        return [char]

    def skip_class(self) -> None:
        """Move behind a bracket expression."""
        self.at += 2 if self.regex[self.at + 1] in "^]" else 1
        if self.regex[self.at - 1] == "^" and self.regex[self.at] == "]":
            self.at += 1
        while self.regex[self.at] != "]":
            self.at += 2 if self.regex[self.at] == "\\" else 1
        self.at += 1

    def quantifier(self) -> tuple[int, int | None]:
        """Read how often the last atom may come: lowest and highest count, None for no limit."""
        low, high = 1, 1
        char = self.regex[self.at : self.at + 1]
        counted = _QUANTIFIER.match(self.regex, self.at)
        if char and char in "*+?":
            self.at += 1
            low = 1 if char == "+" else 0
            high = 1 if char == "?" else None
        elif counted:
            self.at = counted.end()
            low = int(counted[1])
            high = (int(counted[3]) if counted[3] else None) if counted[2] else low
        else:
            return 1, 1
        if self.regex[self.at : self.at + 1] == "?":
            self.at += 1
        elif self.regex[self.at : self.at + 1] == "+":
            raise ValueError("uses a possessive quantifier, which both engines do not share")
        return low, high

    def note_unlimited(self, start: int, atom: str) -> None:
        """Refuse an unlimited run of anything; remember other unlimited runs for the check of both ends."""
        if atom == "." or atom.startswith("("):
            raise ValueError(f"repeats {atom} without limit; give a bound such as {{0,200}}")
        self.ends.append((start, self.at, atom))

    def refuse_open_ends(self) -> None:
        """Refuse an unlimited run at either end: a match per byte behind, quadratic time in front."""
        for start, end, atom in self.ends:
            if not _GROUP.sub("", self.regex[:start]):
                raise ValueError(f"begins with an unlimited run of {atom}; leave it out")
            if not self.regex[end:].strip(")") and not _DIGIT_CLASS.fullmatch(atom):
                raise ValueError(f"ends with an unlimited run of {atom}; give a bound such as {{1,200}}")
