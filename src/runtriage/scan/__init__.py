"""The log engine: bytes to raw events and series."""
