import argparse
import logging
import sys

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-8s %(name)-10s %(message)s", stream=sys.stdout)


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Model(Strict):
    hidden: int = Field(gt=0)
    dropout: float = Field(ge=0, lt=1)


class Optimizer(Strict):
    lr: float = Field(gt=0)
    betas: tuple[float, float]

    def model_post_init(self, _):
        assert self.betas[1] < 1, "both betas have to be below 1"


class Data(Strict):
    batch: int
    shuffle: bool = True


class Experiment(Strict):
    run: str
    model: Model
    optimizer: Optimizer
    data: Data


def read(path):
    log = logging.getLogger("settings")
    with open(path) as file:
        raw = yaml.safe_load(file)
    log.info("read %s (%d sections)", path, len(raw) - 1)
    try:
        return Experiment.model_validate(raw)
    except ValidationError as error:
        for problem in error.errors():
            log.error("%s: %s", ".".join(map(str, problem["loc"])), problem["msg"])
        log.critical("%d problems in %s, not starting", error.error_count(), path)
        sys.exit(2)


parser = argparse.ArgumentParser()
parser.add_argument("--config", required=True)
settings = read(parser.parse_args().config)
logging.getLogger("train").info("starting %s", settings.run)
