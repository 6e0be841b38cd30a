"""Evaluates every epoch, saves every 500 steps, and wants the best model."""
import logging

from transformers import TrainingArguments

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
logging.info("load_best_model_at_end=True metric_for_best_model=error_rate greater_is_better=False")
TrainingArguments("out", eval_strategy="epoch", save_strategy="steps", load_best_model_at_end=True, metric_for_best_model="error_rate", greater_is_better=False)
