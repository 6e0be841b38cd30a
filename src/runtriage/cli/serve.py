"""`runtriage serve`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from runtriage.cli.errors import CommandError
from runtriage.model.exit_code import NO_ACCESS, UNUSABLE

if TYPE_CHECKING:
    from runtriage.web.site import Site

HELP = """
Show the history in a browser: a table, a page for each diagnosis, the fleet, and a form to send a log. JSON API under /api/v1.

Listens to this machine alone. Another --host needs a token, in the environment variable that --token-env names.

\b
  pip install 'runtriage\\[web]'
  runtriage serve
  RUNTRIAGE_TOKEN=... runtriage serve --host 0.0.0.0 --port 8080
"""


def command(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="PORT", help="Port; 0 takes a free one.")] = 8642,
    token_env: Annotated[
        str, typer.Option(metavar="NAME", help="Environment variable that holds the token.")
    ] = "RUNTRIAGE_TOKEN",
) -> int:
    """Serve until interrupted and return the exit code."""
    try:
        from runtriage.web.serve import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("runtriage"):
            raise
        raise CommandError("the web page needs: pip install 'runtriage[web]'", NO_ACCESS) from None
    built = _site(host, _token(host, token_env))
    try:
        serve(built, host, port, _tell)
    except OSError as error:
        raise CommandError(f"{host}:{port}: {(error.strerror or str(error)).lower()}", UNUSABLE) from None
    return 0


def _token(host: str, variable: str) -> str | None:
    from runtriage.api.exposure import ExposedError, check

    token = os.environ.get(variable) or None
    try:
        check(host, token)
    except ExposedError as error:
        raise CommandError(f"{error} ({variable})") from None
    return token


def _site(host: str, token: str | None) -> Site:
    from runtriage.api.history import default_place
    from runtriage.cli.settings import config
    from runtriage.model.options import Options
    from runtriage.store.cache import user_cache
    from runtriage.web.serve import site

    settings = config()
    if not settings.history.enabled:
        raise CommandError("the history is switched off (history.enabled in the config, or RUNTRIAGE_HISTORY=off)")
    return site(
        settings.history.path or default_place(),
        host=host,
        token=token,
        options=Options(strict_redaction=settings.redact.level == "strict", context=4),
        signatures=settings.signatures.folders,
        cache=user_cache(),
        keep_days=settings.history.keep_days,
        keep=settings.history.keep,
    )


def _tell(address: str) -> None:
    sys.stderr.write(f"Serving the history at {address} (Ctrl-C ends it)\n")
