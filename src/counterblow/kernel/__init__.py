"""The kernel: what every hex-and-counter wargame shares. It knows no game."""
