"""How Sphinx builds the site: Markdown by MyST, no script or font from elsewhere."""

project = "variorum"
copyright = "The variorum developers. AGPL-3.0-or-later"  # noqa: A001 (Sphinx's name)
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "variorum"
html_show_sphinx = False
exclude_patterns = ["_build"]
