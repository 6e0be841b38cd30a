"""Loads a model that brings its own code, without allowing it."""
import json
from pathlib import Path

from transformers import AutoModelForCausalLM

folder = Path("custom-lm")
folder.mkdir()
(folder / "config.json").write_text(json.dumps({"model_type": "customlm", "auto_map": {"AutoConfig": "configuration.CustomConfig", "AutoModelForCausalLM": "modeling.CustomLM"}}))
(folder / "configuration.py").write_text("from transformers import PretrainedConfig\n\n\nclass CustomConfig(PretrainedConfig):\n    model_type = 'customlm'\n")
(folder / "modeling.py").write_text("from transformers import PreTrainedModel\n\n\nclass CustomLM(PreTrainedModel):\n    pass\n")
print("loading ./custom-lm", flush=True)
model = AutoModelForCausalLM.from_pretrained("./custom-lm", trust_remote_code=False)
print(model)
