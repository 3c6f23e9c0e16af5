"""Finding passages, tables and figures of a library: index, words, vectors, ranking."""
