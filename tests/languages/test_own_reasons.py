"""What the service gives as a reason is kept as a code, and each reads it in his language; so is what earlier versions
kept in English."""

import pytest
from django.utils import translation

from judging.common.stored_messages import OwnReason, kept, reason_in
from judging.tables.sentences import Ending, ending_in_words
from tables.reading import UnreadableFile, read_yaml
from wargame.rules.core.draws import told_draw
from wargame.rules.core.events import Drawn
from wargame.rules.core.phrases import Phrase

OWN = [
    (OwnReason.ACCOUNT_DELETED(), "Their account was deleted.", "Sein Konto ist gelöscht."),
    (
        OwnReason.PENALTY_TOOK(number=12),
        "Penalty 12 took troops from it (5.4.1).",
        "Strafe 12 nahm ihr Truppen (5.4.1).",
    ),
]


@pytest.mark.parametrize(("reason", "english", "german"), OWN)
def test_a_reason_of_the_service_is_a_code_that_each_reads_in_his_language(
    reason: Phrase, english: str, german: str
) -> None:
    stored = kept(reason)
    assert isinstance(stored, dict)
    for given in (stored, english):
        assert reason_in({"reason": given}) == english
        with translation.override("de"):
            assert reason_in({"reason": given}) == german


def test_what_somebody_wrote_as_a_reason_is_left_as_it_is() -> None:
    with translation.override("de"):
        assert reason_in({"reason": kept("Ill.")}) == "Ill."
        assert [reason_in(data) for data in ({}, {"reason": ""}, {"reason": None}, {"reason": {"code": "?"}})] == [
            ""
        ] * 4


def test_what_the_parser_says_of_bad_yaml_is_told_in_the_readers_language() -> None:
    with translation.override("de"), pytest.raises(UnreadableFile) as refused:
        read_yaml("a: [1\nb: 2")
    assert str(refused.value) == "Das ist in Zeile 2, Spalte 2 kein YAML: hier fehlt „,“ oder „]“."


DRAWS = [
    ("retreat of Ana", "Rückzug von Ana"),
    ("who leaves 5D", "wer 5D verlässt"),
    ("who leaves 5D first", "wer 5D zuerst verlässt"),
    ("goal of Hex", "Ziel des Weges von Hex"),
    ("war over Hex", "Krieg um Hex"),
    ("coin", "coin"),
]


@pytest.mark.parametrize(("name", "german"), DRAWS)
def test_a_draw_is_told_in_the_readers_language_and_drawn_by_its_name(name: str, german: str) -> None:
    """R38."""
    assert told_draw(name) == name
    with translation.override("de"):
        assert told_draw(name) == german
        assert f"{german}: 3" in Drawn(name, 8, 3).sentence


@pytest.mark.parametrize(
    ("stored", "german"),
    [
        (Ending.GIVEN_UP.code, "Der Tisch wurde abgebrochen."),
        (Ending.STAYED_AWAY.code, "Wer weiterspielt, hat den Sieg genommen, da die anderen fernblieben."),
        ("Bo stayed away, and Ana has taken the win.", "Bo blieb fern, und Ana hat den Sieg genommen."),
        ("Bo has lost: He shouted.", "Bo hat verloren: He shouted."),
        ("He shouted.", "He shouted."),
    ],
)
def test_why_a_table_ended_is_told_in_the_readers_language(stored: str, german: str) -> None:
    """T6.1, T10.6."""
    with translation.override("de"):
        assert ending_in_words(stored) == german
