"""T12.8: card tables by the API."""
