"""runtriage as an MCP server."""
