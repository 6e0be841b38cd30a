"""The catalogue of failure signatures: TOML files, one a signature, and the code that loads and checks them."""

from runtriage.signatures.catalogue import load, mode_maturity
from runtriage.signatures.error import SignatureError, SignatureWarning

__all__ = ["SignatureError", "SignatureWarning", "load", "mode_maturity"]
