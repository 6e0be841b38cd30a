"""Structured documents become raw events: one file a kind of document."""

from runtriage.parse.checkpoint_piece import Piece
from runtriage.parse.checkpoint_sets import assemble
from runtriage.parse.config_command import of_commands
from runtriage.parse.document import HEAD, Parsed, Parser, Waiting, recognise
from runtriage.parse.trainer_state import reconcile

__all__ = ["HEAD", "Parsed", "Parser", "Piece", "Waiting", "assemble", "of_commands", "recognise", "reconcile"]
