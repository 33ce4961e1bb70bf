"""What a service raises for a person's mistake."""


class Refused(Exception):
    """A request that the rules or the state of the game don't allow.

    `sentence` tells the person what is wrong and what would do; `cites` is the rule or ruling.
    """

    def __init__(self, sentence: str, cites: str = "") -> None:
        super().__init__(f"{sentence} ({cites})" if cites else sentence)
        self.sentence = sentence
        self.cites = cites
