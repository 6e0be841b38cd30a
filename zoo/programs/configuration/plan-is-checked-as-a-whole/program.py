from dataclasses import dataclass, field


class PlanProblem(ValueError):
    pass


@dataclass
class Plan:
    stages: int = 4
    layers: int = 30
    micro_batch: int = 6
    global_batch: int = 64
    warmup: float = 0.02
    context: int = 2048
    rope_max: int = 1024
    tied: bool = True
    split_vocab: bool = True
    notes: list = field(default_factory=list)

    def problems(self):
        if self.layers % self.stages:
            yield PlanProblem(f"{self.layers} layers cannot be dealt evenly to {self.stages} stages")
        if self.global_batch % self.micro_batch:
            yield PlanProblem(f"global batch {self.global_batch} is no multiple of micro batch {self.micro_batch}")
        if self.context > self.rope_max:
            yield PlanProblem(f"context {self.context} goes beyond the {self.rope_max} positions of the rotary table")


def check(plan):
    found = list(plan.problems())
    if found:
        raise ExceptionGroup(f"the plan has {len(found)} problems", found)


print("launch: reading plan 'wide-30'")
print("launch: 4 stages x 2 replicas, 8 processes will be started once the plan is checked")
check(Plan())
print("launch: starting")
