"""The numbers by which NVIDIA's driver names a GPU event in the kernel log ("Xid").

One CSV, one row a number. Mnemonics follow NVIDIA's Xid catalogue of October 2025, meanings are in our words.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from msgspec import Struct


class Xid(Struct, frozen=True):
    """One event number with NVIDIA's mnemonic and what it means in a sentence.

    `who` is suspected first: `app`, `app-first` (the program, then hardware), `driver`, `hardware`, `symptom` (another event)
    or `information`. `mode` and `role` say what the number means for a run, empty where it means nothing.
    """

    number: int
    mnemonic: str
    meaning: str
    who: str
    mode: str
    role: str


@cache
def xids() -> dict[int, Xid]:
    """Return every known event by number."""
    text = Path(__file__).with_name("xids.csv").read_text(encoding="utf-8")
    return {
        int(row["xid"]): Xid(
            int(row["xid"]),
            row["mnemonic"],
            row["meaning"],
            row["who"],
            row["mode"],
            row["role"],
        )
        for row in csv.DictReader(text.splitlines())
    }
