"""The history of diagnoses: what was found before, and what people said of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from runtriage.store.history_database import Database, connect
from runtriage.store.history_entry import COLUMNS, FEEDBACK, Entry, Feedback, of_feedback, of_row

_ALIKE: Final = 500
"""Occurrences of one failure that are looked at, the latest first."""
_GOOD: Final = 50
"""Runs that ended well which are looked at for one to compare with."""
_NAMES: Final = ", ".join(COLUMNS)
_OTHERS: Final = [name for name in COLUMNS if name != "id"]
_SAVE: Final = (
    f"INSERT INTO diagnoses ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))}) "
    f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _OTHERS)}"
)


class History:
    """A database of diagnoses. Every method raises `HistoryError` where the database cannot be used."""

    def __init__(self, place: str | Path) -> None:
        self.database: Database = connect(place)

    @property
    def name(self) -> str:
        """Where it lies, without credentials."""
        return self.database.name

    def save(
        self, entry: Entry, report: bytes, settings: bytes | None = None, entities: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Keep a diagnosis with its document (JSON); one of the same id is replaced, its feedback stays."""
        run = self.database.rows
        with self.database.transaction():
            run(_SAVE, [getattr(entry, name) for name in COLUMNS])
            run("DELETE FROM documents WHERE diagnosis = ?", (entry.id,))
            run("DELETE FROM entities WHERE diagnosis = ?", (entry.id,))
            packed = (entry.id, _pack(report), _pack(settings) if settings is not None else None)
            run("INSERT INTO documents (diagnosis, report, settings) VALUES (?, ?, ?)", packed)
            for kind, name in dict.fromkeys(entities):
                run("INSERT INTO entities (diagnosis, kind, name) VALUES (?, ?, ?)", (entry.id, kind, name))

    def alike(self, fingerprint: str, until: str | None = None) -> list[Entry]:
        """Return the diagnoses of the same failure that were made before a time, as they happened, the latest 500 at most."""
        statement = f"SELECT {_NAMES} FROM diagnoses WHERE fingerprint = ? AND seen_at <= ? ORDER BY happened_at DESC, id LIMIT ?"
        found = self.database.rows(statement, (fingerprint, until or "9999", _ALIKE))
        return [of_row(row) for row in reversed(found)]

    def entities(self, identities: Sequence[str]) -> dict[str, set[tuple[str, str]]]:
        """Return what each diagnosis was about, as (kind, name)."""
        found: dict[str, set[tuple[str, str]]] = {identity: set() for identity in identities}
        for diagnosis, kind, name in self._among("diagnosis, kind, name", "entities", identities):
            found[diagnosis].add((kind, name))
        return found

    def feedback(self, identities: Sequence[str]) -> list[Feedback]:
        """Return what people said of these diagnoses, oldest first."""
        rows = self._among(", ".join(FEEDBACK), "feedback", identities)
        return sorted(map(of_feedback, rows), key=lambda item: (item.given_at, item.diagnosis, item.says))

    def judged(self) -> list[tuple[Entry, Feedback]]:
        """Return every diagnosis that people said something of, with it, oldest first."""
        columns = ", ".join([*(f"d.{name}" for name in COLUMNS), *(f"f.{name}" for name in FEEDBACK)])
        rows = self.database.rows(
            f"SELECT {columns} FROM feedback f JOIN diagnoses d ON d.id = f.diagnosis ORDER BY f.given_at, f.diagnosis, f.says"
        )
        return [(of_row(row[: len(COLUMNS)]), of_feedback(row[len(COLUMNS) :])) for row in rows]

    def say(self, item: Feedback) -> None:
        """Keep what a person said of a diagnosis."""
        marks = ", ".join("?" * len(FEEDBACK))
        self.database.rows(
            f"INSERT INTO feedback ({', '.join(FEEDBACK)}) VALUES ({marks}) "
            "ON CONFLICT (diagnosis, given_at, says) DO UPDATE SET note = excluded.note, cause = excluded.cause",
            [getattr(item, name) for name in FEEDBACK],
        )

    def starting(self, prefix: str) -> list[Entry]:
        """Return the diagnoses whose id starts with the prefix, the newest first, at most ten; an exact one alone."""
        exact = self.database.rows(f"SELECT {_NAMES} FROM diagnoses WHERE id = ?", (prefix,))
        if exact or not prefix:
            return [of_row(row) for row in exact]
        rows = self.database.rows(
            f"SELECT {_NAMES} FROM diagnoses WHERE SUBSTR(id, 1, ?) = ? ORDER BY seen_at DESC, id LIMIT 10",
            (len(prefix), prefix),
        )
        return [of_row(row) for row in rows]

    def good(self, folder: str, until: str, other_than: str = "", place: str = "") -> list[Entry]:
        """Return the runs that ended well and lie in the folder, diagnosed until a time, the latest first, 50 at most; not the one at `place` itself."""
        rows = self.database.rows(
            f"SELECT {_NAMES} FROM diagnoses WHERE run_status IN ('completed', 'recovered') AND SUBSTR(place, 1, ?) = ? "
            "AND place <> ? AND seen_at <= ? AND id <> ? ORDER BY happened_at DESC, id LIMIT ?",
            (len(folder), folder, place, until, other_than, _GOOD),
        )
        return [of_row(row) for row in rows]

    def seen_elsewhere(self, node: str) -> bool:
        """Tell whether a failure on another node is remembered."""
        return bool(self.database.rows("SELECT 1 FROM diagnoses WHERE node IS NOT NULL AND node <> ? LIMIT 1", (node,)))

    def documents(self, identity: str) -> tuple[bytes, bytes | None] | None:
        """Return the report (JSON) and the settings of a diagnosis, None where it is not kept."""
        rows = self.database.rows("SELECT report, settings FROM documents WHERE diagnosis = ?", (identity,))
        if not rows:
            return None
        report, settings = rows[0]
        return _unpack(report), _unpack(settings) if settings is not None else None

    def surroundings(self, identities: Sequence[str]) -> dict[str, bytes]:
        """Return the settings and surroundings (JSON) of each of these diagnoses that has them."""
        rows = self._among("diagnosis, settings", "documents", identities)
        return {row[0]: _unpack(row[1]) for row in rows if row[1] is not None}

    def prune(self, *, before: str | None = None, keep: int | None = None) -> int:
        """Forget diagnoses made before a time and all but the newest; return how many."""
        count = self._count
        with self.database.transaction():
            had = count()
            if before is not None:
                self.database.rows("DELETE FROM diagnoses WHERE seen_at < ?", (before,))
            if keep is not None and count() > keep:
                self.database.rows(
                    "DELETE FROM diagnoses WHERE id IN (SELECT id FROM diagnoses ORDER BY seen_at DESC, id LIMIT ? OFFSET ?)",
                    (had, keep),
                )
            return had - count()

    def outlived(self, before: str, keep: int) -> bool:
        """Tell whether there is anything to forget."""
        oldest = self.database.rows("SELECT MIN(seen_at) FROM diagnoses")[0][0]
        return oldest is not None and (oldest < before or self._count() > keep)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def _count(self) -> int:
        return int(self.database.rows("SELECT COUNT(*) FROM diagnoses")[0][0])

    def _among(self, columns: str, table: str, identities: Sequence[str]) -> list[tuple[Any, ...]]:
        if not identities:
            return []
        marks = ", ".join("?" * len(identities))
        return self.database.rows(f"SELECT {columns} FROM {table} WHERE diagnosis IN ({marks})", identities)


def _pack(content: bytes) -> bytes:
    import zlib

    return zlib.compress(content, 3)


def _unpack(content: bytes | memoryview) -> bytes:
    import zlib

    return zlib.decompress(content)
