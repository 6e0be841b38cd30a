"""The table of GPU events and the signatures that read them say the same."""

import pytest

from runtriage.model.taxonomy import modes
from runtriage.model.xids import Xid, xids
from runtriage.signatures.check import read_entries
from runtriage.signatures.matcher import Matcher

SIGNATURES = [entry.signature for entry in read_entries()[0]]
MATCHER = Matcher(signature for signature in SIGNATURES if signature.mode.startswith("cuda/"))
MEANINGS = {signature.id: (signature.mode, signature.role) for signature in SIGNATURES}
FORMS = (
    "[2211870.500000] NVRM: Xid (PCI:0000:5d:00): {}, pid='<unknown>', name=<unknown>, text",
    "NVRM: Xid (PCI:0000:5d:00 GPU-I:05 GPU-CI:01): {}, pid=4711, name=python3, text",
    "kernel: NVRM: Xid (0000:03:00): {}, Channel 00000001",
)
ROWS = [row for row in xids().values() if row.role and row.number != 154]


@pytest.mark.parametrize("row", ROWS, ids=[str(row.number) for row in ROWS])
def test_exactly_one_signature_reads_a_number_as_the_table_does(row: Xid):
    for form in FORMS:
        claimed = [MEANINGS[claim.signature] for claim in MATCHER.claims(form.format(row.number))]
        assert claimed == [(row.mode, row.role)]


def test_numbers_without_a_meaning_for_a_run_are_claimed_by_nobody():
    silent = [row.number for row in xids().values() if not row.role]
    assert silent and all(not MATCHER.claims(FORMS[0].format(number)) for number in silent)


def test_the_bus_address_and_the_process_are_captured():
    claim = MATCHER.claims(FORMS[1].format(48))[0]
    assert claim.captures == {"pci": "0000:5d:00", "xid": "48", "pid": "4711"}


def test_every_row_names_a_known_mode_and_who_is_suspected():
    suspects = {"app", "app-first", "driver", "hardware", "symptom", "information"}
    assert {row.who for row in xids().values()} == suspects
    assert all(row.mode in modes() for row in ROWS)


def test_events_that_only_inform_or_follow_are_never_causes():
    assert all(row.role != "cause" for row in xids().values() if row.who in {"symptom", "information", "app-first"})
