import shutil
import sys
from pathlib import Path

import jax.numpy as jnp
import orbax.checkpoint as ocp

root = Path("ckpt").resolve()
state = {"w": jnp.ones((64, 64)), "b": jnp.zeros(64)}
if "--save" in sys.argv:
    ocp.StandardCheckpointer().save(root / "100", state)
    raise SystemExit
print("restoring step 100 from", root)
restored = ocp.StandardCheckpointer().restore(root / "100", state)
print(restored["w"].sum())
