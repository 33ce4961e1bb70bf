"""Which version of the service this is, and of the rules."""

VERSION = "1.0.0"
"""The service's, as in CHANGELOG.md and pyproject.toml (semantic versioning). A backup names the one that wrote it."""

RULES = "1.2"
"""What settled a turn, kept with it. Whoever changes an outcome of the rules raises it, with a line in CHANGELOG.md:
the verification then tells a turn that an earlier version settled otherwise from one that somebody bent."""
