import logging
import subprocess
import sys

logging.basicConfig(level=logging.INFO, format="%(asctime)s nightly_lm %(levelname)s: %(message)s", stream=sys.stdout)
STAGES = {
    "tokenize": ["python", "tokenize_corpus.py", "crawl_manifest.json"],
    "train": ["python", "train_lm.py", "--tokens", "tokens.bin"],
    "perplexity": ["python", "perplexity.py", "lm.bin"],
}


class StageFailed(Exception):
    pass


def go(name):
    logging.info("stage %s: %s", name, " ".join(STAGES[name]))
    try:
        subprocess.run(STAGES[name], check=True)
    except subprocess.CalledProcessError as e:
        raise StageFailed(name) from e


done = []
for name in STAGES:
    go(name)
    done.append(name)
