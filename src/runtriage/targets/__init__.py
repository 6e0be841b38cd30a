"""What the user typed becomes a Target; all reading of the world happens here."""
