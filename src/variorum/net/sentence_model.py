"""The default model of the vectors, all-MiniLM-L6-v2 (Apache-2.0), where its authors publish it.

``https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2``. Asked for by ``variorum fetch-model`` alone.
"""

from __future__ import annotations

from typing import Final

from variorum.net.pinned import PinnedFile

MODEL_URL: Final = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main"

MODEL_FILES: Final = (
    PinnedFile(
        name="sentence_bert_config.json",
        size=53,
        sha256="fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    ),
    PinnedFile(name="config.json", size=612, sha256="953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
    PinnedFile(name="tokenizer.json", size=466_247, sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
    PinnedFile(
        name="model.safetensors",
        size=90_868_376,
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
)
"""The files that are needed; the weights last, since a folder without them is no model yet."""
