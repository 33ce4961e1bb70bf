"""What keeps a backup or a restore from being made, as one sentence."""


class Unusable(Exception):
    """Nothing was written; the text says why and what would do."""
