"""Fine-tuning script with dataclass arguments."""
import logging
import sys
from dataclasses import dataclass, field

from transformers import HfArgumentParser, TrainingArguments

logging.basicConfig(level=logging.INFO, format="%(asctime)s - %(levelname)s - %(name)s - %(message)s")


@dataclass
class DataArguments:
    max_length: int = field(default=512)
    error_budget: float = field(default=0.01)


logging.getLogger(__name__).info("arguments: %s", " ".join(sys.argv[1:]))
parser = HfArgumentParser((TrainingArguments, DataArguments))
training, data = parser.parse_args_into_dataclasses()
print(training.learning_rate, data.max_length)
