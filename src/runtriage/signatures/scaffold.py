"""The first draft of a signature file."""

from __future__ import annotations

from string import Template
from typing import Final

from runtriage.model.taxonomy import PRIMARY_CLASSES, modes
from runtriage.signatures.error import SignatureError

_DRAFT: Final = Template("""\
schema = 1
id = "$mode.$variant"                # the mode below, a dot, a variant: change both together
title = "What this text means, in one line"
mode = "$mode"                # one of: $choices
role = "cause"                # cause | symptom | confirmation | advice | context
maturity = "sandbox"          # sandbox (told under "Ruled out", never decides) | incubating | stable; sandbox until `checked` is filled
tier = "log"                  # kernel | scheduler | exception | exit | recorder | log | launcher
scope = "rank"                # rank | node | job: whom it concerns
frameworks = []               # pytorch, lightning, deepspeed, fsdp, tensorflow, jax; empty for any
explain = \"""What happened, and how to tell it from what looks alike.\"""
references = ["https://example.org/the-source-or-documentation-of-the-program-that-prints-it"]
checked = ""                  # program and version whose output or source was read, such as "torch 2.13.0"
false_positives = ["When this text is printed although nothing failed"]
fixes = []                    # two to four ids, for a cause; runtriage signatures fixes lists them

[[match]]
name = "text"
pattern = '''the words the program prints, with (?P<name>\\d+) for what varies'''

[[example]]
expect = "text"
source = "made"               # program and version, a public address, or "made"
captures = { name = "7" }
text = '''the words the program prints, with 7 for what varies'''

[[example]]
expect = "none"
source = "made"
why = "say what this text means instead"
text = '''a text that looks alike'''
""")


def draft(name: str) -> tuple[str, str]:
    """Return path below a folder of signatures and content of a new file for `CLASS/NAME`. Raises SignatureError."""
    primary_class, _, variant = name.partition("/")
    if primary_class not in PRIMARY_CLASSES:
        raise SignatureError(name, "", f"must begin with one of {', '.join(PRIMARY_CLASSES)}")
    if not variant or not variant.replace("-", "").isalnum() or variant != variant.lower():
        raise SignatureError(name, "", "must end with a name of lower-case letters, digits and hyphens")
    choices = [mode.id for mode in modes().values() if mode.primary_class == primary_class]
    mode = max(choices, key=lambda choice: (_shared_words(choice, variant), -choices.index(choice)))
    content = _DRAFT.substitute(mode=mode, variant=variant, choices=" ".join(choices))
    return f"{primary_class}/{variant}.toml", content


def _shared_words(mode: str, variant: str) -> int:
    return len(set(mode.replace("/", "-").split("-")) & set(variant.split("-")))
