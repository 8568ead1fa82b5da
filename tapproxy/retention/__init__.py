"""Which recordings stay, and which go."""
