"""Where things are on a page: captions and table regions. Several proposers, one choice per table."""
