"""A Zotero library, or a folder of PDFs, as it stands: read-only, never a lock, never a miss."""
