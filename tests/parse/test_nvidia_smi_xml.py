"""The report of `nvidia-smi -q -x` says of each GPU what the one for people says."""

from __future__ import annotations

from tests.parse.documents import parsed

GPU = """\
\t<gpu id="00000000:{bus}:00.0">
\t\t<clocks_event_reasons>
\t\t\t<clocks_event_reason_hw_thermal_slowdown>{hot}</clocks_event_reason_hw_thermal_slowdown>
\t\t\t<clocks_event_reason_sw_power_cap>Active</clocks_event_reason_sw_power_cap>
\t\t</clocks_event_reasons>
\t\t<ecc_errors>
\t\t\t<volatile><dram_correctable>7</dram_correctable><dram_uncorrectable>{dram}</dram_uncorrectable></volatile>
\t\t\t<aggregate><dram_uncorrectable>9</dram_uncorrectable></aggregate>
\t\t</ecc_errors>
\t\t<remapped_rows><remapped_row_pending>{pending}</remapped_row_pending></remapped_rows>
\t</gpu>
"""


def told(dram: str = "0", pending: str = "No", hot: str = "Not Active") -> list[tuple[str, str | None, int | None]]:
    sound = GPU.format(bus="3B", dram="0", pending="No", hot="Not Active")
    text = f"<?xml version='1.0' ?>\n<nvidia_smi_log>\n{sound}{GPU.format(bus='5E', dram=dram, pending=pending, hot=hot)}</nvidia_smi_log>\n"
    events = parsed("nvidia-smi.xml", "gpu", text.encode()).events
    return [
        (event.name, event.subject.gpu, event.citation.first_line) for event in events if event.name != "gpu/listed"
    ]


def test_a_report_in_order_says_nothing():
    assert told() == []


def test_what_is_wrong_with_a_gpu_is_told_with_its_number_and_line():
    assert told(dram="2", pending="Yes", hot="Active") == [
        ("gpu/throttle", "1", 16),
        ("gpu/ecc", "1", 20),
        ("gpu/remap", "1", 23),
    ]


def test_a_report_that_closes_what_it_never_opened_is_read_to_its_end():
    events = parsed("nvidia-smi.xml", "gpu", b"<nvidia_smi_log>" + b"</x>" * 5000 + b"<a>" * 5000).events
    assert events == []


def test_a_count_that_no_number_can_be_is_not_read():
    assert told(dram="\u00b2") == []
