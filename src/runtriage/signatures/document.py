"""The shape of one TOML file."""

from __future__ import annotations

import tomllib
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from runtriage.signatures.error import SignatureError

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Link = Annotated[str, StringConstraints(pattern=r"^https://\S+$")]
Framework = Literal["pytorch", "lightning", "deepspeed", "fsdp", "tensorflow", "jax"]
T = TypeVar("T", bound=BaseModel)


class _Closed(BaseModel):
    """Refuses keys it does not know and values of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class MatchTable(_Closed):
    """`[[match]]`: one regular expression."""

    name: Name
    pattern: Text
    ignore_case: bool = False


class ExampleTable(_Closed):
    """`[[example]]`: a text that must, or with `expect = "none"` must not, be recognised."""

    expect: str
    source: Text
    text: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
    captures: dict[str, str] = {}
    why: str = ""


class SignatureDocument(_Closed):
    """A signature file."""

    format: Literal[1] = Field(alias="schema")
    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+/[a-z0-9-]+\.[a-z0-9-]+$")]
    title: Text
    mode: str
    role: Literal["cause", "symptom", "confirmation", "advice", "context"]
    maturity: Literal["sandbox", "incubating", "stable"]
    explain: Text
    references: Annotated[list[Link], Field(min_length=1)]
    checked: str
    false_positives: Annotated[list[Text], Field(min_length=1)]
    fixes: list[Name]
    tier: Literal["kernel", "scheduler", "exception", "exit", "recorder", "log", "launcher"] = "log"
    scope: Literal["rank", "node", "job"] = "rank"
    frameworks: list[Framework] = []
    clears: list[Text] = []
    match: Annotated[list[MatchTable], Field(min_length=1)]
    example: list[ExampleTable]


class FixTable(_Closed):
    """`[[fix]]`: one remedy."""

    id: Name
    action: Text
    plain: str = ""
    risk: Literal["safe", "needs-approval", "dangerous"]
    expected_impact: Text
    impact: Annotated[float, Field(ge=0, le=1)]
    minutes: Annotated[float, Field(ge=0)]
    reversible: bool
    validate_: Text = Field(alias="validate")
    proceeds: bool
    command: str = ""


class FixDocument(_Closed):
    """A file of remedies."""

    fix: Annotated[list[FixTable], Field(min_length=1)]


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
        return shape.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SignatureError(file, key, first["msg"]) from None
