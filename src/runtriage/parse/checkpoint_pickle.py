"""What the pickle inside a torch checkpoint says about itself, read opcode by opcode. Nothing of it is ever loaded or called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

if TYPE_CHECKING:
    import pickletools

_OPTIMIZER: Final = frozenset({"optimizer", "optimizer_state_dict", "optimizer_states", "optim", "optim_state_dict"})
_RNG: Final = frozenset(
    {"rng_state", "rng_states", "torch_rng_state", "cuda_rng_state", "random_rng_state", "cpu_rng_state", "rng"}
)
_OPCODES: Final = 4_000_000
"""A pickle of a few hundred thousand tensors stays below it; what comes after is not looked at."""
_MARK: Final = object()
_OTHER: Final = object()
_TEXTS: Final = frozenset({"BINUNICODE", "SHORT_BINUNICODE", "UNICODE", "BINUNICODE8"})
_NUMBERS: Final = frozenset({"BININT", "BININT1", "BININT2", "INT", "LONG1", "LONG"})
_TUPLES: Final = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class Told(Struct):
    """Storages as key to (type, number of elements), and which parts of a run's state are named."""

    storages: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    texts: set[str] = field(default_factory=set[str])
    whole: bool = True

    @property
    def optimizer(self) -> bool:
        """Whether a part with the name of an optimizer's state is in it."""
        return not _OPTIMIZER.isdisjoint(self.texts)

    @property
    def rng(self) -> bool:
        """Whether a part with the name of a random generator's state is in it."""
        return not _RNG.isdisjoint(self.texts)


def tell(content: bytes) -> Told:
    """Return what a pickle says. A damaged one ends early, with `whole` false."""
    from pickletools import genops

    reader = _Reader()
    try:
        for count, (opcode, argument, _) in enumerate(genops(content)):
            if count > _OPCODES:
                reader.told.whole = False
                break
            reader.take(opcode, argument)
    except (ValueError, IndexError, KeyError, UnicodeError, OverflowError):
        reader.told.whole = False
    return reader.told


class _Reader:
    """A stack of plain texts, numbers and tuples; every object that a pickle would build stays an unnamed thing."""

    def __init__(self) -> None:
        self.told = Told()
        self._stack: list[object] = []
        self._memo: dict[int, object] = {}
        self._special: dict[str, Callable[[object], None]] = {
            "GLOBAL": lambda argument: self._stack.append(("type", str(argument).partition(" ")[2])),
            "STACK_GLOBAL": lambda _: self._named(),
            "MARK": lambda _: self._stack.append(_MARK),
            "TUPLE": lambda _: self._stack.append(tuple(self._to_mark())),
            "MEMOIZE": lambda _: self._memo.__setitem__(len(self._memo), self._stack[-1]),
            "BINPERSID": lambda _: self._stored(),
        }

    def take(self, opcode: pickletools.OpcodeInfo, argument: object) -> None:
        """Follow one opcode."""
        name = opcode.name
        if name in _TEXTS:
            self.told.texts.add(str(argument)) if len(str(argument)) < 40 else None
            self._stack.append(str(argument))
        elif name in _NUMBERS:
            self._stack.append(argument)
        elif name in self._special:
            self._special[name](argument)
        elif name in _TUPLES:
            size = _TUPLES[name]
            self._stack[-size:] = [tuple(self._stack[-size:])]
        elif name.endswith("PUT"):
            self._memo[int(str(argument))] = self._stack[-1]
        elif name.endswith("GET"):
            self._stack.append(self._memo[int(str(argument))])
        else:
            self._other(opcode)

    def _other(self, opcode: pickletools.OpcodeInfo) -> None:
        """Take off what the opcode takes off, and put unnamed things for what it leaves."""
        before = [kind.name for kind in opcode.stack_before]
        if "mark" in before:
            self._to_mark()
            del self._stack[len(self._stack) - before.index("mark") :]
        elif before:
            del self._stack[-len(before) :]
        self._stack.extend(_OTHER for _ in opcode.stack_after)

    def _to_mark(self) -> list[object]:
        at = len(self._stack) - 1 - self._stack[::-1].index(_MARK)
        taken = self._stack[at + 1 :]
        del self._stack[at:]
        return taken

    def _named(self) -> None:
        name = self._stack.pop()
        self._stack[-1] = ("type", str(name))

    def _stored(self) -> None:
        match self._stack.pop():
            case ("storage", ("type", str(kind)), str(key), str(), int(count)):
                self.told.storages[key] = (kind, count)
            case _:
                pass
        self._stack.append(_OTHER)
