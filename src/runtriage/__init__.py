"""runtriage tells why a machine-learning training run failed, how it knows, and what to do next."""
