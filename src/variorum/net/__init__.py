"""The only door to the network: polite, cached, used only when it is asked for.

Nothing here is imported by what reads files; ``variorum fetch`` asks arXiv, ``variorum fetch-model`` a host of the
model, ``variorum mcp --openalex`` OpenAlex.
"""
