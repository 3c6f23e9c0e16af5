"""The command ``variorum``. Modules of this folder load heavy libraries only inside the functions that need them."""
