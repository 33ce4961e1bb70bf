"""The exceptions for a person's mistake, and for stored data that can't be read."""


class Refused(Exception):
    """A request that the rules or the state of the game don't allow.

    `sentence` says what is wrong and what would work; `cites` is the rule or ruling, and `field` the form field that it
    is about, if there is one.
    """

    def __init__(self, sentence: str, cites: str = "", field: str = "") -> None:
        super().__init__(f"{sentence} ({cites})" if cites else sentence)
        self.sentence = sentence
        self.cites = cites
        self.field = field

    def status(self, usual: int) -> int:
        """The HTTP status of a page that shows this refusal; `usual` is that page's default for a refusal."""
        return usual


class Damaged(Exception):
    """Stored data can't be read any more, so the request can't be answered; `told` says what is damaged, and where
    to learn more. It is not the reader's mistake."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told
