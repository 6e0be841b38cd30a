"""Signatures of an imagined toaster, as a package offers its own."""
