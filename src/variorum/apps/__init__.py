"""The ways in from outside: parse, call, print. What several of them share stands here; each has its own folder."""
