"""DeepSpeed's batch sizes are checked only where its own assertion was printed, and only for DeepSpeed."""

from __future__ import annotations

from runtriage.detect.config_deepspeed import find
from runtriage.model.catalogue import Catalogue
from runtriage.model.event import SIGNATURE, Event
from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Match
from runtriage.model.options import Options
from runtriage.model.place import Citation

NOTHING = Catalogue({}, fixes={}, digest="")
ASSERTED = Event(
    kind=SIGNATURE,
    name="cfg/ds-batch-triangle.main#check",
    citation=Citation(artifact="train.log", first_line=12),
    excerpt="AssertionError: Check batch related parameters.",
)


def settings(total: str, micro: str, steps: str, artifact: str = "ds_config.json") -> tuple[Setting, ...]:
    names = ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps")
    return tuple(
        Setting(name=name, value=value, citation=Citation(artifact=artifact, first_line=line))
        for line, (name, value) in enumerate(zip(names, (total, micro, steps), strict=True), 2)
    )


def matches(
    found: tuple[Setting, ...],
    events: tuple[Event, ...] = (ASSERTED,),
    ranks: int | None = None,
    framework: str | None = None,
) -> list[Match]:
    facts = Facts(target="run", options=Options(framework=framework), events=events, settings=found, world_size=ranks)
    return list(find(facts, NOTHING))


def test_sizes_that_fit_no_number_of_ranks_confirm_the_assertion() -> None:
    (match,) = matches(settings("30", "4", "8"))
    assert match.role == "confirmation"
    assert [item.citation.artifact for item in match.evidence] == ["train.log", *["ds_config.json"] * 3]


def test_sizes_for_another_number_of_ranks_confirm_it_too() -> None:
    assert matches(settings("64", "4", "8"), ranks=2) == []
    assert "on 3 ranks" in matches(settings("64", "4", "8"), ranks=3)[0].evidence[0].claim


def test_without_the_assertion_nothing_is_said() -> None:
    assert matches(settings("30", "4", "8"), events=()) == []


def test_the_check_runs_for_deepspeed_alone() -> None:
    assert matches(settings("30", "4", "8"), framework="pytorch") == []
    assert matches(settings("30", "4", "8"), framework="deepspeed")


def test_values_left_to_the_trainer_or_of_zero_do_not_break_it() -> None:
    assert matches(settings("auto", "auto", "auto")) == []
    assert len(matches(settings("30", "0", "8"))) == 1
