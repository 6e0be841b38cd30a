from __future__ import annotations

from runtriage.scan.block import SIZE
from tests.scan.reading import counted, found, holds, lines_of, read, slow

OOM = b"[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 3 has a total capacity"


def test_a_match_cites_its_line_and_bytes():
    data = b"first\n\n" + OOM + b"\nlast\n"
    result = read(data)
    (event,) = found(result, "oom")
    assert event.citation.first_line == 3
    assert data[event.citation.byte_start : event.citation.byte_end] == OOM
    assert holds(data, event.citation)
    assert event.captures["asked"].raw == "2.50 GiB"
    assert event.subject.rank == 3


def test_an_empty_artifact_is_read_whole_and_says_nothing():
    result = read(b"")
    assert (result.events, result.series, result.progress) == ([], [], [])
    assert (result.read.bytes_read, result.read.lines, result.read.cut) == (0, 0, None)


def test_a_last_line_without_a_break_is_read_like_any_other():
    assert lines_of(read(b"one\n" + OOM), "oom") == [2]
    assert read(b"one\ntwo").read.lines == 2
    assert [event.name for event in read(b"one\nKeyboardInterrupt").events] == ["KeyboardInterrupt"]


def test_windows_line_ends_do_not_hide_a_match():
    data = b"a\r\n" + OOM + b"\r\nb\r\n"
    (event,) = found(read(data), "oom")
    assert data[event.citation.byte_start : event.citation.byte_end] == OOM
    assert event.citation.first_line == 2


def test_colour_codes_inside_a_match_are_seen_through_and_cited_as_they_stand():
    painted = OOM.replace(b"CUDA out", b"\x1b[1;31mCUDA\x1b[0m out")
    data = b"\x1b[32mok\x1b[0m\n" + painted + b"\x1b[0m\nend\n"
    (event,) = found(read(data), "oom")
    assert holds(data, event.citation)
    assert data[event.citation.byte_start : event.citation.byte_end] == painted + b"\x1b[0m"
    assert "\x1b" not in event.excerpt.raw


def test_only_the_part_of_a_progress_bar_that_matters_is_cited():
    bars = b"\r".join(b" %d%%|##        | %d/100 [00:01<00:02, 3.0it/s]" % (n, n) for n in range(90))
    data = bars + b"\r" + OOM + b"\rmore\nend\n"
    (event,) = found(read(data), "oom")
    assert data[event.citation.byte_start : event.citation.byte_end] == OOM
    assert (event.citation.first_line, event.citation.last_line) == (1, 1)


def test_nul_bytes_and_invalid_text_do_not_disturb():
    data = b"\x00\x00\xff\xfe\n" + b"\xc3\x28 " + OOM + b"\x00\xff\n"
    assert lines_of(read(data), "oom") == [2]


def test_a_match_deep_inside_a_line_of_many_megabytes_is_cited_by_its_surroundings():
    data = b"x\n" + b"a" * (6 << 20) + OOM + b"b" * (6 << 20) + b"\ny\n"
    (event,) = found(read(data), "oom")
    assert holds(data, event.citation)
    assert event.citation.first_line == 2
    assert (event.citation.byte_end or 0) - (event.citation.byte_start or 0) <= 4096
    assert read(data).read.lines == 3


def test_a_match_across_the_cut_of_a_long_line_is_found_once():
    for shift in range(-120, 20, 7):
        data = b"a" * (SIZE + shift) + OOM + b"b" * SIZE + b"\n"
        assert counted(read(data)) == {"oom": 1}


def test_equal_events_fold_into_one_with_the_last_place():
    data = b"".join(b"[rank%d]: gradient overflow\n" % (n % 4) for n in range(4000))
    events = found(read(data), "overflow")
    assert [event.count for event in events] == [1000] * 4
    assert [event.subject.rank for event in events] == [0, 1, 2, 3]
    assert [event.last.first_line for event in events if event.last] == [3997, 3998, 3999, 4000]
    assert all(holds(data, event.last) for event in events if event.last)


def test_events_that_differ_too_often_keep_the_first_and_the_last():
    data = b"".join(b"DataLoader worker (pid %d) exited\n" % n for n in range(5000))
    events = found(read(data), "worker")
    assert counted(read(data)) == {"worker": 5000}
    assert [event.captures["pid"].raw for event in events] == [*map(str, range(32)), "4999"]
    assert events[-1].count == 5000 - 32


def test_counts_agree_with_a_slow_reading():
    data = b"noise\n".join(
        [OOM, b"No space left on device: '/scratch/x'", b"\rgradient overflow\r\n", OOM + b"\r" + OOM]
    )
    assert counted(read(data)) == slow(data)


def test_an_event_carries_the_last_step_before_it():
    lines = [b"[rank3]: step %d loss 2.5" % n for n in range(50)]
    lines.insert(31, OOM)
    (event,) = found(read(b"\n".join(lines) + b"\n"), "oom")
    assert event.step == 30


def test_a_restart_opens_the_next_attempt():
    data = b"\n".join(
        [
            b"[default] starting workers for entrypoint: bash",
            OOM,
            b"Worker group FAILED. 2/3 attempts left; will restart worker group",
            b"[default] starting workers for entrypoint: bash",
            OOM,
            b"",
        ]
    )
    assert [event.subject.attempt for event in found(read(data), "oom")] == [0, 2]
