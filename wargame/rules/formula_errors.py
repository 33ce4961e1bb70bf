"""R37: what is wrong with a formula, for the judge who wrote it."""

from __future__ import annotations


class FormulaError(ValueError):
    """R37: a formula that can't be read, or that has no result; `column` counts characters from 1."""

    def __init__(self, sentence: str, column: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.column = column
