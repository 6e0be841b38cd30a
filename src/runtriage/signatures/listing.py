"""The catalogue as text for people."""

from __future__ import annotations

from difflib import get_close_matches
from textwrap import fill

from runtriage.model.catalogue import Catalogue, Signature
from runtriage.model.taxonomy import modes
from runtriage.signatures.error import SignatureError


def list_text(catalogue: Catalogue) -> str:
    """One line a signature: id, role, maturity and title, ordered by id; the last line counts them."""
    signatures = [catalogue.signatures[name] for name in sorted(catalogue.signatures)]
    width = max((len(signature.id) for signature in signatures), default=0)
    lines = [f"{s.id:<{width}}  {s.role:<12}  {s.maturity:<10}  {s.title}" for s in signatures]
    found = len({signature.mode for signature in signatures})
    return "\n".join([*lines, f"{len(signatures)} signatures for {found} failure modes, {len(catalogue.fixes)} fixes"])


def show_text(catalogue: Catalogue, name: str) -> str:
    """Everything known about one signature. Raises SignatureError for an unknown id."""
    signature = catalogue.signatures.get(name)
    if signature is None:
        close = get_close_matches(name, list(catalogue.signatures), 1, 0.4)
        raise SignatureError(
            "signatures", "", f"{name} is no signature{f'; did you mean {close[0]}?' if close else ''}"
        )
    mode = modes()[signature.mode]
    lines = [
        f"{signature.id}: {signature.title}",
        f"  failure mode  {mode.id} ({mode.title}), class {mode.primary_class}",
        f"  role          {signature.role}, trusted as {signature.tier}, concerns the {signature.scope}",
        f"  maturity      {signature.maturity}, checked against {signature.checked or 'nothing yet'}",
    ]
    if signature.frameworks:
        lines.append(f"  frameworks    {', '.join(signature.frameworks)}")
    lines += ["", fill(" ".join(signature.explain.split()), 100), "", *_patterns(signature)]
    lines += ["", "Not to be confused with:", *(f"  - {text}" for text in signature.false_positives)]
    if signature.fixes:
        lines += ["", "What helps:", *(_fix(catalogue, fix) for fix in signature.fixes)]
    lines += ["", "Sources:", *(f"  {link}" for link in signature.references)]
    return "\n".join(lines)


def fixes_text(catalogue: Catalogue) -> str:
    """One line a fix: id, risk and what it does, ordered by id."""
    fixes = [catalogue.fixes[name] for name in sorted(catalogue.fixes)]
    width = max((len(fix.id) for fix in fixes), default=0)
    return "\n".join(f"{fix.id:<{width}}  {fix.risk:<14}  {fix.plain or fix.action}" for fix in fixes)


def _patterns(signature: Signature) -> list[str]:
    lines = ["Recognised by:"]
    lines += [f"  {pattern.name}: {pattern.regex}" for pattern in signature.patterns]
    if signature.clears:
        lines += ["Recovered when:", *(f"  {pattern.regex}" for pattern in signature.clears)]
    return lines


def _fix(catalogue: Catalogue, name: str) -> str:
    fix = catalogue.fixes[name]
    return f"  - {fix.plain or fix.action} ({fix.risk}; {fix.expected_impact})"
