"""The MCP server: an index of a library, asked by language models through the Model Context Protocol."""
