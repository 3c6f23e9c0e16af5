"""Who proposes where tables lie: one file a proposer, each with its own evidence. None imports another."""
