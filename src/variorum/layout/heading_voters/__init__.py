"""Those who vote on headings: one module a voter, each with its own evidence."""
