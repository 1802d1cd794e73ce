"""Counterblow: board wargames with every rule enforced and explained."""
