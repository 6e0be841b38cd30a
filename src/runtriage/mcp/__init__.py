"""The diagnosis as tools for agents, over the Model Context Protocol."""
