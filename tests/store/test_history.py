from __future__ import annotations

import threading

from runtriage.store.history import History
from runtriage.store.history_entry import Feedback
from runtriage.store.history_listing import Query, choices, page, sums
from tests.store.entries import entry


def test_a_diagnosis_is_read_back_as_it_was_kept(history: History) -> None:
    kept = entry(1, summary="naïve \u202e 'quoted' %s ? ; --", node=None, hours=None)
    history.save(kept, b'{"a": 1}', b"{}", [("node", "gpu-09"), ("checkpoint", "c-1"), ("node", "gpu-09")])
    assert history.starting(kept.id) == [kept]
    assert history.documents(kept.id) == (b'{"a": 1}', b"{}")
    assert history.entities([kept.id]) == {kept.id: {("node", "gpu-09"), ("checkpoint", "c-1")}}
    assert history.documents("nothing") is None


def test_the_same_id_replaces_its_diagnosis_and_keeps_what_people_said(history: History) -> None:
    history.save(entry(1), b"old", None, [("node", "a")])
    said = Feedback(diagnosis=entry(1).id, given_at="2026-01-03T00:00:00+00:00", says="right", note="")
    history.say(said)
    history.save(entry(1, confidence=0.5), b"new", None, [("node", "b")])
    assert [each.confidence for each in history.starting(entry(1).id)] == [0.5]
    assert history.documents(entry(1).id) == (b"new", None)
    assert history.entities([entry(1).id]) == {entry(1).id: {("node", "b")}}
    assert history.feedback([entry(1).id]) == [said]
    assert history.judged() == [(entry(1, confidence=0.5), said)]


def test_the_same_failures_come_in_the_order_in_which_they_happened(history: History) -> None:
    for number in (3, 1, 2):
        history.save(entry(number), b"")
    history.save(entry(4, fingerprint="other"), b"")
    assert [each.target for each in history.alike("f" * 16)] == ["run-1", "run-2", "run-3"]
    assert [each.target for each in history.alike("f" * 16, entry(2).seen_at)] == ["run-1", "run-2"]


def test_an_id_may_be_shortened_and_is_taken_literally(history: History) -> None:
    history.save(entry(1, id="abc1"), b"")
    history.save(entry(2, id="abc2"), b"")
    history.save(entry(3, id="abc"), b"")
    assert [each.id for each in history.starting("abc")] == ["abc"]
    assert [each.id for each in history.starting("ab")] == ["abc", "abc2", "abc1"]
    assert history.starting("%") == []
    assert history.starting("") == []


def test_the_listing_filters_searches_and_pages(history: History) -> None:
    for number in range(1, 8):
        history.save(entry(number, node=f"n{number % 2}", summary=f"Half 100% Of_{number}"), b"")
    history.save(entry(9, run_status="completed", primary_cause=None, failure_mode=None, fingerprint=None), b"")
    found, total = page(history, Query(), limit=3, offset=3)
    assert (total, [each.target for each in found]) == (8, ["run-5", "run-4", "run-3"])
    assert page(history, Query(node="n1", cause="oom"), limit=9)[1] == 4
    assert page(history, Query(status="completed"), limit=9)[1] == 1
    assert [each.target for each in page(history, Query(text="of_3 HALF"), limit=9)[0]] == ["run-3"]
    assert page(history, Query(text="100% o"), limit=9)[1] == 7
    assert page(history, Query(text="h%f"), limit=9)[1] == 0
    assert page(history, Query(since=entry(3).seen_at, until=entry(5).seen_at), limit=9)[1] == 2
    assert page(history, Query(text="'; DROP TABLE diagnoses; --"), limit=9) == ([], 0)
    assert choices(history) == {
        "primary_cause": ["oom"],
        "run_status": ["crashed", "completed"],
        "node": ["n1", "n0", "gpu-09"],
    }


def test_sums_count_failures_only(history: History) -> None:
    for number in range(1, 5):
        history.save(entry(number, node="bad" if number < 4 else "n"), b"")
    history.save(entry(5, run_status="completed", primary_cause=None, fingerprint=None, node="fine"), b"")
    history.save(entry(6, primary_cause="stalled", failure_mode="stall/x", fingerprint="once", hours=None), b"")
    found = sums(history, Query())
    assert (found.diagnoses, found.failures, found.hours_lost) == (6, 5, 8.0)
    assert found.by_cause == [("oom", 4, 8.0), ("stalled", 1, 0.0)]
    assert found.by_node == [("bad", 3), ("gpu-09", 1), ("n", 1)]
    assert found.by_day[0] == ("2026-01-02", "oom", 1)
    assert [(mark, count) for mark, _, count, _, _ in found.repeated] == [("f" * 16, 4)]
    assert sums(history, Query(cause="nothing")).by_cause == []


def test_good_runs_lie_in_the_same_folder_the_newest_first(history: History) -> None:
    good = {"run_status": "completed", "primary_cause": None, "fingerprint": None}
    history.save(entry(1, **good), b"")
    history.save(entry(2, **good), b"")
    history.save(entry(3, place="/other/run-3", **good), b"")
    history.save(entry(4), b"")
    beside = history.good("/runs/", entry(4).seen_at)
    assert [each.target for each in beside] == ["run-2", "run-1"]
    assert [each.target for each in history.good("/runs/", entry(4).seen_at, place=beside[0].place or "")] == ["run-1"]
    assert history.good("/elsewhere/", entry(4).seen_at) == []


def test_old_diagnoses_and_all_but_the_newest_are_forgotten_with_what_belongs_to_them(history: History) -> None:
    for number in range(1, 7):
        history.save(entry(number), b"x", None, [("node", "n")])
        history.say(Feedback(diagnosis=entry(number).id, given_at="2026-02-01", says="right", note=""))
    assert history.outlived(entry(3).seen_at, 99)
    assert history.prune(before=entry(3).seen_at) == 2
    assert not history.outlived(entry(3).seen_at, 4)
    assert history.prune(keep=1) == 3
    assert [each.target for each in page(history, Query(), limit=9)[0]] == ["run-6"]
    for table in ("documents", "entities", "feedback"):
        assert history.database.rows(f"SELECT COUNT(*) FROM {table}") == [(1,)]


def test_writers_at_once_lose_nothing(place: str) -> None:
    faults: list[Exception] = []
    start = threading.Barrier(4)

    def write(first: int) -> None:
        try:
            start.wait()
            with History(place) as own:
                for number in range(first, first + 5):
                    own.save(entry(1, id=f"id{number:02}"), b"x" * 1000, None, [("node", str(number))])
        except Exception as error:  # noqa: BLE001 - a thread hands its fault to the test
            faults.append(error)

    threads = [threading.Thread(target=write, args=(number * 5,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with History(place) as again:
        assert faults == []
        assert page(again, Query(), limit=1)[1] == 20
