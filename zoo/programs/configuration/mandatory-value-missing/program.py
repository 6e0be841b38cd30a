"""OmegaConf configuration with a value nobody filled in."""
from omegaconf import OmegaConf

config = OmegaConf.merge(OmegaConf.load("conf.yaml"), OmegaConf.from_dotlist(["train.epochs=3"]))
print(OmegaConf.to_yaml(config))
print(f"training {config.train.epochs} epochs on {config.data.root} (on_error={config.train.on_error})")
