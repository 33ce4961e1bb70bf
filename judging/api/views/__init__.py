"""The addresses of the API: parse, one call, answer."""
