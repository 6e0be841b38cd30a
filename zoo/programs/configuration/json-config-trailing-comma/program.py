"""Loads a JSON configuration with a comma too many."""
import json
import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(asctime)s %(message)s")
logging.info("reading ds_config.json")
with open("ds_config.json") as file:
    config = json.load(file)
logging.info("micro batch %d", config["train_micro_batch_size_per_gpu"])
