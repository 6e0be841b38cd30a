"""`runtriage registry`."""

from __future__ import annotations

import json
import os
from typing import Annotated, Final

import typer

from runtriage.cli.errors import CommandError
from runtriage.cli.files import show
from runtriage.render.visible import visible

HELP: Final = """
Ask an image registry what a node would ask before it can start a container. Reads only.

\b
  runtriage registry check ghcr.io/org/train:2.3
  runtriage registry check registry.example/org/train:2.3 --pull-secret ml/regcred
"""

app = typer.Typer(help=HELP, no_args_is_help=True)


@app.callback()
def group() -> None:
    """Keep `check` a command of its own."""


@app.command("check")
def check_command(
    image: Annotated[str, typer.Argument(metavar="IMAGE", help="HOST/REPOSITORY:TAG or @DIGEST.", show_default=False)],
    pull_secret: Annotated[
        str | None, typer.Option(metavar="NS/NAME", help="Check with this secret of the cluster.")
    ] = None,
    project: Annotated[
        str | None, typer.Option("--project", "-p", metavar="ALIAS", help="Project of the config file.")
    ] = None,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="User to sign in as.")] = None,
    password_env: Annotated[
        str | None, typer.Option(metavar="VARIABLE", help="Variable that holds the password.")
    ] = None,
    plain_http: Annotated[
        bool, typer.Option("--plain-http", help="Speak HTTP without TLS to a registry that is not local.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Say whether an image can be pulled, and if not, the one reason.

    Example: runtriage registry check ghcr.io/org/train:2.3
    """
    from runtriage.api.registry import check, exit_code
    from runtriage.cli.settings import config

    projects = config().projects
    if project is not None and project not in projects:
        raise CommandError(f"--project: {project} is no project; known are {', '.join(projects) or 'none'}")
    chosen = projects[project] if project else None
    found = check(
        _whole(image, chosen.registry if chosen else None),
        pull_secret=pull_secret,
        kube_context=chosen.kube_context if chosen else None,
        credential=_credential(user, password_env),
        plain=plain_http,
    )
    show(json.dumps(found, indent=2) + "\n" if as_json else _text(found))
    return exit_code(found)


def _whole(image: str, registry: str | None) -> str:
    """Return the image under the project's registry where it names none itself."""
    first = image.partition("/")[0]
    named = "/" in image and ("." in first or ":" in first or first == "localhost")
    return f"{registry.rstrip('/')}/{image}" if registry and not named else image


def _credential(user: str | None, variable: str | None) -> tuple[str, str] | None:
    if user is None and variable is None:
        return None
    if user is None or variable is None:
        raise CommandError("--user and --password-env go together")
    password = os.environ.get(variable)
    if not password:
        raise CommandError(f"--password-env: the variable {variable} is not set")
    return user, password


def _text(found: dict[str, object]) -> str:
    lines = [f"{found['image']}: {found['status']}", f"  {found['detail']}"]
    if found.get("digest"):
        lines.append(f"  {found['digest']}")
    if found["remedy"]:
        lines.append(f"  next: {found['remedy']}")
    note = f" ({found['credential_note']})" if found.get("credential_note") else ""
    lines.append(f"  credential: {found['authority']}{note}")
    text = "\n".join(lines)
    return visible(text, stays="\n") + "\n"
