"""Settings that are known to bring about what a curve shows: they say why, and are cited before it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec.structs import replace

from runtriage.model.facts import Facts, Setting
from runtriage.model.finding import Evidence, Match
from runtriage.model.pattern import deferred

_OFF: Final = frozenset({"false", "off", "no", "none", "null", "0", "0.0", "disabled"})


def _off(value: str) -> bool:
    return value.strip().lower() in _OFF


def _above(least: float) -> Callable[[str], bool]:
    """Return what tells whether a setting is a number of at least that much."""
    return lambda value: (number := _number(value)) is not None and number >= least


def _at_most(most: float) -> Callable[[str], bool]:
    return lambda value: (number := _number(value)) is not None and 0 < number <= most


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


class _Row(NamedTuple):
    """Failure modes, the names of a setting and what its value is where it explains them, and why."""

    modes: frozenset[str]
    name: re.Pattern[str]
    wrong: Callable[[str], bool]
    why: str


_POLICY: Final = frozenset({"div/rl-policy-collapse", "div/loss-spike-unrecovered"})
_COLLAPSE: Final = frozenset({"div/representation-collapse", "div/moe-router-collapse"})
_MODE: Final = frozenset({"eval/train-mode-on"})
_AVERAGE: Final = frozenset({"eval/ema-vs-raw", "eval/train-serve-skew-distribution", "eval/wrong-checkpoint"})
_ROWS: Final = (
    _Row(_COLLAPSE, deferred(r"stop_?grad\w*|use_stop_?grad\w*|predictor|use_predictor|momentum_encoder|target_?network"), _off, "both branches may agree on one point"),
    _Row(_COLLAPSE, deferred(r"(?:var\w*|vicreg_\w+|uniformity|cov\w*)_(?:weight|coef\w*|loss)|(?:moe_)?(?:router_)?(?:aux|balance|load_balanc\w+)(?:_loss)?(?:_weight|_coef\w*)?"), _off, "nothing keeps outputs apart"),
    _Row(_POLICY, deferred(r"(?:use_)?target_?(?:net\w*|q|update\w*)|double_?q|clip(?:_?range|_?eps\w*)?|norm\w*_?adv\w*|adv\w*_?norm\w*|target_kl"), _off, "nothing holds estimates back that feed on themselves"),
    _Row(_POLICY, deferred(r"(?:init_?)?kl_?(?:coef\w*|beta|weight|penalty|loss_coef\w*|ctl\w*)|beta(?:_kl)?|entropy_?(?:coef\w*|bonus|weight)|ent_coef"), _off, "nothing holds the policy near its reference"),
    _Row(_MODE, deferred(r"(?:bn|batch_?norm)_momentum"), _at_most(1e-3), "running statistics hardly leave their first values"),
    _Row(_AVERAGE, deferred(r"ema_decay|ema_?alpha|ema_?momentum|model_ema_decay"), _above(0.999), "the average still holds the first weights where updates are few"),
)  # fmt: skip
"""Sources: what SimSiam, VICReg, DQN and PPO describe of runs without these terms; BatchNorm with the framework's `momentum` near 0
keeps mean 0 and variance 1; an exponential average forgets its start after some multiples of 1 / (1 - decay) updates.
"""


def explained(match: Match, facts: Facts) -> Match:
    """Return a match that cites first a setting which is known to bring its failure about, where the run's configuration holds one."""
    for row in _ROWS:
        if match.mode not in row.modes:
            continue
        for setting in facts.settings:
            name = setting.name.rpartition(".")[2].lower()
            if row.name.fullmatch(name) and row.wrong(setting.value):
                return _led(match, setting, row.why)
    return match


def _led(match: Match, setting: Setting, why: str) -> Match:
    first = match.evidence[0]
    claim = f"{setting.name} is {setting.value}: {why}; {first.claim}"
    return replace(match, evidence=(Evidence(claim=claim, citation=setting.citation), *match.evidence))
