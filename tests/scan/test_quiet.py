"""What the last lines of an artifact tell where progress prints no time."""

from __future__ import annotations

from tests.scan.reading import read


def log(beats: int) -> bytes:
    bars = [
        f"Epoch 1: {at}/2000 [00:{at // 20:02d}<01:40, 20.00it/s, loss={3 - at / 400:.3f}]" for at in range(0, 400, 40)
    ]
    signs = [f"[sidecar 10:{minute:02d}:00] container healthy" for minute in range(beats)]
    return "\n".join([*bars, *signs, ""]).encode()


def counts(prints: int, count: str = "380") -> bytes:
    moving = [f"10:00:{at:02d} downloaded {at * 20} MB of 1240 MB" for at in range(19)]
    standing = [f"10:{minute:02d}:00 downloaded {count} MB of 1240 MB" for minute in range(1, prints + 1)]
    return "\n".join([*moving, *standing, ""]).encode()


def test_the_first_time_behind_untimed_progress_is_kept() -> None:
    (entry,) = [each for each in read(log(12)).progress if each.last_progress is not None]
    assert entry.last_progress_time is None
    assert entry.quiet_since is not None and entry.quiet_since.text == "10:00:00"
    assert entry.last_line_time is not None and entry.last_line_time.text == "10:11:00"


def test_a_count_of_a_whole_that_stands_for_minutes_is_a_standstill() -> None:
    (said,) = [event for event in read(counts(20)).events if event.kind == "statement"]
    assert (said.name, said.citation.first_line, said.numbers["seconds"]) == ("standstill/long", 20, 1140.0)


def test_a_count_that_came_to_its_end_or_stood_for_a_moment_is_none() -> None:
    assert [event for event in read(counts(20, "1240")).events if event.kind == "statement"] == []
    assert [event for event in read(counts(4)).events if event.name == "standstill/long"] == []


def beats(prints: int, bar: str = "400/2000 [00:20<01:20]") -> bytes:
    signs = [f"10:{minute:02d}:00 alive, up {minute} min, rss {minute + 3} MiB" for minute in range(prints)]
    return "\n".join([f"Epoch 1: {bar}", *signs, ""]).encode()


def test_one_sign_of_life_up_to_the_end_is_told_at_the_line_before_it() -> None:
    (said,) = [event for event in read(beats(15)).events if event.name == "standstill/beat"]
    assert (said.citation.first_line, said.numbers["seconds"], "bar" in said.captures) == (1, 840.0, True)
    (done,) = [event for event in read(beats(15, "2000/2000 [01:40<00:00]")).events if event.name == "standstill/beat"]
    assert "bar" not in done.captures


def test_lines_that_count_up_are_no_mere_sign_of_life() -> None:
    work = [f"10:{minute:02d}:00 processed {minute * 100} documents" for minute in range(15)]
    assert [event for event in read("\n".join(["begin", *work, ""]).encode()).events if event.kind == "statement"] == []
