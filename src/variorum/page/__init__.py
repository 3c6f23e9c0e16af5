"""What a PDF page gives us: words, characters, fonts, rules, images. The only door to PyMuPDF."""

from variorum.page.model import Char, ImageBox, PageEvidence, Rule, Word

__all__ = ["Char", "ImageBox", "PageEvidence", "Rule", "Word"]
