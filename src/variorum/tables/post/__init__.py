"""Post-processors: repairs from grid to grid, one file each, in the canonical order of the registry."""
