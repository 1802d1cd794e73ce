"""Learning to play: lessons, the rulebook with its links, the glossary, the search and the coach.

All of it passes through the one door (``position``, ``legal``, ``do``, ``why_not``) and the game's own data files.
"""
