"""The only door to the network: polite, cached, used only when it is asked for."""
