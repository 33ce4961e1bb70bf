"""The error that prevents a backup or a restore, as one sentence."""


class Unusable(Exception):
    """Nothing was written; the text says why and what to do."""
