"""The user's config file: read from one place, never from a target or the working directory."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta, Struct, ValidationError, convert, field
from msgspec.structs import fields, replace

from runtriage.model.pattern import deferred

VARIABLE = "RUNTRIAGE_CONFIG"
"""Names another config file."""


_UNKNOWN: Final = deferred(r"Object contains unknown field `(.*)`")


Level = Literal["default", "strict"]


class ConfigError(Exception):
    """The config file or an environment variable cannot be used; one line that says where and what instead."""


class History(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether diagnoses are remembered, where (a file, or a `postgresql://` URL without password), and how many for how long."""

    enabled: bool = True
    path: str | None = None
    keep_days: Annotated[int, Meta(ge=1)] = 400
    keep: Annotated[int, Meta(ge=1)] = 50_000


class Redact(Struct, frozen=True, forbid_unknown_fields=True):
    """`default` removes secrets, `strict` also who and where."""

    level: Level = "default"


class Signatures(Struct, frozen=True, forbid_unknown_fields=True):
    """Folders of the user's own signature files."""

    folders: list[Path] = field(default_factory=list[Path])


class Project(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the runs of one project lie: names only, credentials stay in their vendors' own files."""

    bucket: str | None = None
    prefix: str = ""
    endpoint: str | None = None
    kube_context: str | None = None
    sky: str | None = None
    sky_api: str | None = None
    registry: str | None = None


class RunAi(Struct, frozen=True, forbid_unknown_fields=True):
    """The Run:ai control plane; `token_env` names the environment variable that holds the token.

    `mcp` is the command or URL of an MCP server that offers the Run:ai tools, `url` the REST API, `kube_context` the kubectl context
    through which containers are asked.
    """

    url: str | None = None
    token_env: str | None = None
    mcp: str | None = None
    kube_context: str | None = None


class Mcp(Struct, frozen=True, forbid_unknown_fields=True):
    """What the MCP server may read: folders that targets must lie in."""

    roots: list[Path] = field(default_factory=list[Path])


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything the user may set once for all runs."""

    history: History = History()
    redact: Redact = Redact()
    signatures: Signatures = Signatures()
    projects: dict[str, Project] = field(default_factory=dict[str, Project])
    runai: RunAi = RunAi()
    mcp: Mcp = Mcp()


def load_config(environment: Mapping[str, str] | None = None) -> Config:
    """Return the config: the file, then `RUNTRIAGE_REDACT`, `RUNTRIAGE_SIGNATURES` and `RUNTRIAGE_HISTORY` over it.

    A file that `RUNTRIAGE_CONFIG` names must exist, the one in the user's config folder need not. Relative folders count
    from the file. Raises `ConfigError`.
    """
    variables = os.environ if environment is None else environment
    named = variables.get(VARIABLE)
    path = Path(named).expanduser() if named else _default_path()
    tables = _read(path, must_exist=bool(named))
    _override(tables, variables)
    try:
        config = convert(tables, Config, dec_hook=_folder)
    except ValidationError as error:
        raise ConfigError(_explain(error, path, tables)) from None
    folders = [path.parent / folder.expanduser() for folder in config.signatures.folders]
    return replace(config, signatures=Signatures(folders=folders), history=_history(config.history, path, variables))


def _history(history: History, path: Path, variables: Mapping[str, str]) -> History:
    """Return the table with an absolute path. Raises `ConfigError` for a URL in the file that holds a password."""
    if history.path is None:
        return history
    if "://" not in history.path:
        return replace(history, path=str(path.parent.absolute() / Path(history.path).expanduser()))
    if history.path.startswith(("postgresql://", "postgres://")):
        if re.match(r"\w+://[^/?#]*:[^/?#@]*@", history.path) and not variables.get("RUNTRIAGE_HISTORY"):
            raise ConfigError(f"{path}: history.path holds a password; leave it to PGPASSWORD or ~/.pgpass")
        return history
    raise ConfigError(f"{path}: history.path is a file or a postgresql:// URL, not {history.path.partition(':')[0]}:")


def _default_path() -> Path:
    from runtriage.store.folders import user_folder

    return user_folder("config") / "config.toml"


def _read(path: Path, *, must_exist: bool) -> dict[str, Any]:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        if must_exist:
            raise ConfigError(f"{path}: no such file, but {VARIABLE} names it") from None
        return {}
    except (PermissionError, NotADirectoryError) as error:
        if must_exist:
            raise ConfigError(f"{path}: {error.strerror}") from None
        return {}
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None


def _override(tables: dict[str, Any], variables: Mapping[str, str]) -> None:
    if level := variables.get("RUNTRIAGE_REDACT"):
        if level not in ("default", "strict"):
            raise ConfigError(f"RUNTRIAGE_REDACT is {level!r}; it may be default or strict")
        _table(tables, "redact")["level"] = level
    if folders := variables.get("RUNTRIAGE_SIGNATURES"):
        absolute = [str(Path(folder).absolute()) for folder in folders.split(os.pathsep) if folder]
        _table(tables, "signatures")["folders"] = absolute
    if place := variables.get("RUNTRIAGE_HISTORY"):
        absolute = place if "://" in place else str(Path(place).expanduser().absolute())
        _table(tables, "history").update({"enabled": False} if place == "off" else {"enabled": True, "path": absolute})


def _table(tables: dict[str, Any], name: str) -> dict[str, Any]:
    table = tables.setdefault(name, {})
    if not isinstance(table, dict):
        tables[name] = {}
    return tables[name]


def _folder(shape: type, value: object) -> object:
    if shape is Path and isinstance(value, str):
        return Path(value)
    raise ValidationError("Expected `str`")


def _explain(error: ValidationError, path: Path, tables: Mapping[str, Any]) -> str:
    problem, _, at = str(error).partition(" - at ")
    path_in_file = at.strip("`$").lstrip(".")
    if "[...]" in path_in_file:
        path_in_file = path_in_file.replace("[...]", f".{_wrong_project(tables)}")
    place = path_in_file.split(".") if at else []
    if problem.startswith("Invalid enum value"):
        return f"{path}: {'.'.join(place)} may be {' or '.join(get_args(Level))}"
    unknown = _UNKNOWN.fullmatch(problem)
    if unknown is None:
        return f"{path}: {'.'.join(place)}: {problem[:1].lower()}{problem[1:].replace('`', '')}"
    known = _keys_beside(place)
    from difflib import get_close_matches

    near = get_close_matches(unknown[1], known, n=1)
    hint = f"did you mean {'.'.join([*place, near[0]])}?" if near else f"known are {', '.join(known)}"
    return f"{path}: {'.'.join([*place, unknown[1]])} is no setting; {hint}"


def _wrong_project(tables: Mapping[str, Any]) -> str:
    """Return the name of the first project that cannot be used: the error does not tell it."""
    for name, table in tables["projects"].items():
        try:
            convert(table, Project)
        except ValidationError:
            return str(name)
    return "..."


def _keys_beside(place: Sequence[str]) -> list[str]:
    shapes: dict[str, type[Struct]] = {
        "history": History,
        "redact": Redact,
        "signatures": Signatures,
        "projects": Project,
        "runai": RunAi,
        "mcp": Mcp,
    }
    return [each.name for each in fields(shapes[place[0]] if place else Config)]
