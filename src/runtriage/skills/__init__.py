"""Skills for agents in the open Agent Skills format, and their way into a folder."""
