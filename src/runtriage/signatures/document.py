"""The shape of one TOML file."""

from __future__ import annotations

import re
import tomllib
from typing import Annotated, Any, Final, Literal, TypeVar, cast, get_args

from msgspec import Meta, Struct, ValidationError, convert, field

from runtriage.model.plan import Risk
from runtriage.signatures.error import SignatureError

Name = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, Meta(min_length=1, max_length=2000)]
Link = Annotated[str, Meta(pattern=r"^https://\S+$")]
Framework = Literal["pytorch", "lightning", "deepspeed", "fsdp", "tensorflow", "jax"]
Role = Literal["cause", "symptom", "confirmation", "advice", "context"]
Maturity = Literal["sandbox", "incubating", "stable"]
Tier = Literal["kernel", "scheduler", "exception", "exit", "recorder", "log", "launcher"]
Scope = Literal["rank", "node", "job"]
T = TypeVar("T", bound=Struct)

_FIELD: Final = re.compile(r"Object (missing required|contains unknown) field `(.*)`")
_CHOICES: Final = {
    "role": Role,
    "maturity": Maturity,
    "tier": Tier,
    "scope": Scope,
    "frameworks": Framework,
    "risk": Risk,
    "schema": Literal[1],
}
_VERBATIM: Final = frozenset({"text", "captures"})
"""Lines as a program prints them; around other texts white space says nothing."""


class MatchTable(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[match]]`: one regular expression."""

    name: Name
    pattern: Text
    ignore_case: bool = False


class ExampleTable(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[example]]`: a text that must, or with `expect = "none"` must not, be recognised."""

    expect: str
    source: Text
    text: Annotated[str, Meta(min_length=1, max_length=20_000)]
    captures: dict[str, str] = {}
    why: str = ""


class SignatureDocument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A signature file."""

    format: Literal[1] = field(name="schema")
    id: Annotated[str, Meta(pattern=r"^[a-z0-9-]+/[a-z0-9-]+\.[a-z0-9-]+$")]
    title: Text
    mode: str
    role: Role
    maturity: Maturity
    explain: Text
    references: Annotated[list[Link], Meta(min_length=1)]
    checked: str
    false_positives: Annotated[list[Text], Meta(min_length=1)]
    fixes: list[Name]
    tier: Tier = "log"
    scope: Scope = "rank"
    frameworks: list[Framework] = []
    clears: list[Text] = []
    match: Annotated[list[MatchTable], Meta(min_length=1)]
    example: list[ExampleTable]


class FixTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[fix]]`: one remedy."""

    id: Name
    action: Text
    plain: str = ""
    risk: Risk
    expected_impact: Text
    impact: Annotated[float, Meta(ge=0, le=1)]
    minutes: Annotated[float, Meta(ge=0)]
    reversible: bool
    validate: Text
    proceeds: bool
    command: str = ""
    plain_command: str = ""


class FixDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of remedies."""

    fix: Annotated[list[FixTable], Meta(min_length=1)]


def read_signature(file: str, content: bytes) -> SignatureDocument:
    """Read a signature file. Raises SignatureError."""
    return _validated(SignatureDocument, file, content)


def read_fixes(file: str, content: bytes) -> FixDocument:
    """Read a file of remedies. Raises SignatureError."""
    return _validated(FixDocument, file, content)


def _validated(shape: type[T], file: str, content: bytes) -> T:
    try:
        table: dict[str, Any] = tomllib.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SignatureError(file, "", f"is not TOML: {error}") from None
    try:
        return convert(_trimmed(table), shape)
    except ValidationError as error:
        raise _fault(file, str(error)) from None


def _fault(file: str, words: str) -> SignatureError:
    problem, _, at = words.partition(" - at ")
    place = [*filter(None, re.sub(r"\[(\d+)\]", r".\1", at.strip("`$")).split("."))]
    if found := _FIELD.fullmatch(problem):
        return SignatureError(
            file, ".".join([*place, found[2]]), "is missing" if found[1] == "missing required" else "is no key here"
        )
    if problem.startswith("Invalid enum value"):
        known = next(get_args(_CHOICES[name]) for name in reversed(place) if name in _CHOICES)
        return SignatureError(file, ".".join(place), f"may be {', '.join(map(str, known))}")
    return SignatureError(file, ".".join(place), problem[:1].lower() + problem[1:].replace("`", ""))


def _trimmed(value: object, key: str = "") -> object:
    if key in _VERBATIM:
        return value
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return {name: _trimmed(item, name) for name, item in cast("dict[str, object]", value).items()}
    return list(map(_trimmed, cast("list[object]", value))) if isinstance(value, list) else value
