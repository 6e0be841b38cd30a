"""The failure-signature catalogue: TOML files and their loader."""
