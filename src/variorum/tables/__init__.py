"""The table engine: structure methods vote on dividers, cell methods fill grids, and one grid is chosen."""
