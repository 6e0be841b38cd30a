from transformers.utils.versions import require_version

print("checking the environment")
require_version("accelerate>=9.0", "To fix: pip install -U accelerate")
