"""What a service raises for a person's mistake, and for what is stored and can't be read."""


class Refused(Exception):
    """A request that the rules or the state of the game don't allow.

    `sentence` tells the person what is wrong and what would do; `cites` is the rule or ruling, and `field` the part of
    a form that it is about, where there is one.
    """

    def __init__(self, sentence: str, cites: str = "", field: str = "") -> None:
        super().__init__(f"{sentence} ({cites})" if cites else sentence)
        self.sentence = sentence
        self.cites = cites
        self.field = field

    def status(self, usual: int) -> int:
        """The HTTP status of a page that shows it; `usual` is what that page has for a refusal."""
        return usual


class Damaged(Exception):
    """What is stored can't be read any more, so that what is asked for can't be shown; `told` says what, and where to
    learn more. Nobody who reads has made a mistake."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told
