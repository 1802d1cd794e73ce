"""The laboratory: playing many games to study them, and to find faults."""
