"""The web service: matches with seats, live updates and durable storage, serving the built client."""

from counterblow.service.server import run

__all__ = ["run"]
