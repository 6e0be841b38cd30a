"""The drawing beside a page of Markdown stands alone, shows what the page's own curves show, and cannot be made to act."""

from __future__ import annotations

import xml.etree.ElementTree as tree

import pytest
from msgspec.structs import replace

from runtriage.model.report import CheckpointModel, CitationModel, EvidenceModel, SeriesSummary
from runtriage.render import markdown, svg_file
from runtriage.render.svg_curve import WIDTH
from tests.render.build import report

pytestmark = pytest.mark.usefixtures("untouched_world")

SVG = "{http://www.w3.org/2000/svg}"
POINTS: list[tuple[float, float | None]] = [
    (float(step), 40.0 if step == 150 else 4.0 - step / 100) for step in range(0, 300, 10)
]
CURVE = SeriesSummary(name="loss", role="loss", artifact="a.log", total=30, curve=[*POINTS, *POINTS[20:]])
JUDGED = SeriesSummary(name="val_loss", role="eval_loss", artifact="a.log", total=2, curve=[(100.0, 2.0), (200.0, 1.0)])
SAVED = [CheckpointModel(path="1", step=100, valid=True, last_good=True)]
CITED = EvidenceModel(
    id="e1", claim="c", role="root", citation=CitationModel(artifact="a.log", series="loss", first_step=290.0)
)


def drawn(**changes: object) -> tree.Element:
    said = report(metrics=[CURVE, JUDGED], checkpoints=SAVED, evidence=[CITED], **changes)
    return tree.fromstring(svg_file.document(said))


def test_the_deciding_curve_comes_first_with_its_spike_restart_evaluations_checkpoint_and_failure() -> None:
    shown = drawn()
    panels = [each for each in shown if each.tag == f"{SVG}g"]
    words = ["".join(each.itertext()) for each in panels[0].iter(f"{SVG}text")]
    assert words[0].startswith("loss")
    assert {"spike", "steps begin again", "evaluation", "last good checkpoint", "step 290"} <= set(words)
    kinds = {each.get("class") for each in panels[0].iter() if (each.get("class") or "").startswith("sign ")}
    assert kinds == {"sign spike", "sign restart", "sign evaluation", "sign resume"}


def test_everything_is_inside_the_picture_and_nothing_is_loaded_into_it() -> None:
    shown = drawn()
    assert shown.get("viewBox") == f"0 0 {WIDTH} {int(str(shown.get('viewBox')).split()[-1])}"
    assert not [each for each in shown.iter() if each.tag.endswith(("script", "image", "foreignObject"))]
    assert "url(" not in svg_file.document(report(metrics=[CURVE]))


def test_a_name_from_the_run_is_text() -> None:
    hostile = replace(CURVE, name="<script>alert(1)</script>&")
    shown = tree.fromstring(svg_file.document(report(metrics=[hostile])))
    assert not list(shown.iter(f"{SVG}script"))
    assert "<script>alert(1)</script>&" in "".join(shown.itertext())


def test_a_report_without_a_curve_has_no_picture() -> None:
    assert svg_file.document(report(metrics=[])) == ""


def test_a_page_points_at_its_picture_by_a_name_that_is_a_link_whatever_it_holds() -> None:
    page = markdown.document(report(metrics=[CURVE]), "my (run) 1.svg")
    assert "](my%20%28run%29%201.svg)" in page
    assert "![loss from " in page
    assert "![" not in markdown.document(report(metrics=[CURVE]))
